#include "runtime/backends/cpu/contraction/onednn_thread.h"

#include <omp.h>

#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "runtime/backends/cpu/contraction/contraction_instructions.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/backends/cpu/threads/parallel_for.h"

namespace lockstep::internal {
namespace {

constexpr size_t kScratchAlignment = 64;

constexpr std::pair<dnnl::cpu_isa, const char*> kInstructionNames[] = {
    {dnnl::cpu_isa::sse41, "sse41"},
    {dnnl::cpu_isa::avx, "avx"},
    {dnnl::cpu_isa::avx2, "avx2"},
    {dnnl::cpu_isa::avx2_vnni, "avx2_vnni"},
    {dnnl::cpu_isa::avx512_core, "avx512_core"},
    {dnnl::cpu_isa::avx512_core_vnni, "avx512_core_vnni"},
    {dnnl::cpu_isa::avx512_core_bf16, "avx512_core_bf16"},
    {dnnl::cpu_isa::avx512_core_amx, "avx512_core_amx"},
};

// Before the first primitive is made, which fixes the instructions.
void FollowCpuTarget() {
  const CpuTarget& target = CpuTarget::OfProcess();
  if (target.is_host()) return;
  switch (target.instruction_set()) {
    case InstructionSet::kPlain:
      dnnl::set_max_cpu_isa(dnnl::cpu_isa::sse41);
      return;
    case InstructionSet::kAvx2:
      dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx2);
      return;
    case InstructionSet::kAvx512:
      dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx512_core);
      return;
  }
}

}  // namespace

const dnnl::engine& OneDnnEngine() {
  static const auto* engine = [] {
    FollowCpuTarget();
    return new dnnl::engine(dnnl::engine::kind::cpu, 0);
  }();
  return *engine;
}

std::string ContractionInstructions() {
  OneDnnEngine();
  const dnnl::cpu_isa used = dnnl::get_effective_cpu_isa();
  for (const auto& [isa, name] : kInstructionNames) {
    if (isa == used) return absl::StrCat("oneDNN ", name);
  }
  return absl::StrCat("oneDNN ", static_cast<int>(used));
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

}  // namespace lockstep::internal
