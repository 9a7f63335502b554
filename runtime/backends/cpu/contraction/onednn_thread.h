#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_ONEDNN_THREAD_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_ONEDNN_THREAD_H_

#include <cstddef>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "dnnl.hpp"
#include "runtime/types/element_type.h"

namespace lockstep::internal {

// The process's one CPU engine.
const dnnl::engine& OneDnnEngine();

// bf16 and f32; `undef` for others.
dnnl::memory::data_type OneDnnType(ElementType type);

// Where primitives are made and run, oneDNN has the calling thread alone: work
// is split by ParallelFor, whose threads sleep when there is nothing to do,
// where OpenMP's would spin on the cores of other devices. Restores what the
// thread's owner had set.
class OneDnnOnOneThread {
 public:
  OneDnnOnOneThread();
  ~OneDnnOnOneThread();

 private:
  const int threads_before_;
};

// The calling thread's.
dnnl::stream& OneDnnStream();

// Memory for a primitive's intermediate values, which primitives must not keep
// themselves, since several threads run them at once. Valid until the calling
// thread's next call.
dnnl::memory OneDnnScratchpad(const dnnl::memory::desc& desc);
// The same memory, for `size` bytes.
std::byte* OneDnnScratchBytes(size_t size);
// Makes primitives take theirs from there.
dnnl::primitive_attr OneDnnAttributes();

// Calls f(i) for 0 <= i < pieces, on up to `threads` threads. The first error;
// oneDNN's exceptions become INTERNAL.
absl::Status RunOneDnnPieces(int threads, int64_t pieces,
                             absl::FunctionRef<void(int64_t)> f);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_ONEDNN_THREAD_H_
