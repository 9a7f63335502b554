#include "runtime/backends/cpu/contraction/onednn_thread.h"

#include <omp.h>

#include <cstddef>
#include <exception>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "runtime/backends/cpu/threads/parallel_for.h"

namespace lockstep {
namespace {

constexpr size_t kScratchAlignment = 64;

}  // namespace

const dnnl::engine& OneDnnEngine() {
  static const auto* engine = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *engine;
}

dnnl::memory::data_type OneDnnType(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return dnnl::memory::data_type::f32;
    case ElementType::kBF16:
      return dnnl::memory::data_type::bf16;
    default:
      return dnnl::memory::data_type::undef;
  }
}

OneDnnOnOneThread::OneDnnOnOneThread()
    : threads_before_(omp_get_max_threads()) {
  omp_set_num_threads(1);
}

OneDnnOnOneThread::~OneDnnOnOneThread() {
  omp_set_num_threads(threads_before_);
}

dnnl::stream& OneDnnStream() {
  thread_local dnnl::stream stream(OneDnnEngine());
  return stream;
}

std::byte* OneDnnScratchBytes(size_t size) {
  thread_local std::vector<std::byte> bytes;
  if (bytes.size() < size + kScratchAlignment) {
    bytes.resize(size + kScratchAlignment);
  }
  const auto address = reinterpret_cast<uintptr_t>(bytes.data());
  return bytes.data() + -address % kScratchAlignment;
}

dnnl::memory OneDnnScratchpad(const dnnl::memory::desc& desc) {
  return dnnl::memory(desc, OneDnnEngine(),
                      OneDnnScratchBytes(desc.get_size()));
}

dnnl::primitive_attr OneDnnAttributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

absl::Status RunOneDnnPieces(int threads, int64_t pieces,
                             absl::FunctionRef<void(int64_t)> f) {
  absl::Mutex mutex;
  absl::Status status;
  ParallelFor(threads, pieces, [&](int64_t i) {
    const OneDnnOnOneThread one;
    try {
      f(i);
    } catch (const std::exception& error) {
      absl::MutexLock lock(&mutex);
      status.Update(
          absl::InternalError(absl::StrCat("oneDNN: ", error.what())));
    }
  });
  return status;
}

}  // namespace lockstep
