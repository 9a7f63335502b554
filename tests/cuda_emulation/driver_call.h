#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_DRIVER_CALL_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_DRIVER_CALL_H_

#include <memory>

#include "runtime/cuda/driver_api.h"
#include "tests/cuda_emulation/capture.h"
#include "tests/cuda_emulation/context.h"
#include "tests/cuda_emulation/handle_table.h"
#include "tests/cuda_emulation/module.h"

// What the functions of the driver API have in common. The files driver_*.cc
// define them, by the kind of what they are about.

namespace lockstep::internal::cuda {

#define LOCKSTEP_DECLARE(member, symbol, ...)                        \
  extern "C" __attribute__((visibility("default"))) CUresult member( \
      __VA_ARGS__) __asm__(symbol);
LOCKSTEP_CUDA_DRIVER_FUNCTIONS(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE

inline constexpr auto kNotPermitted = static_cast<CUresult>(800);
inline constexpr auto kCapturedEvent = static_cast<CUresult>(907);

using Streams = HandleTable<CUstream, Stream>;
using Events = HandleTable<CUevent, Event>;
using Functions = HandleTable<CUfunction, EmulatedFunction>;
using Graphs = HandleTable<CUgraph, Graph>;

// cuInit was called.
bool IsInitialized();

// Whether a call of a function may go on: counts it, and refuses it where the
// settings say so, within a function of the host, and before cuInit.
CUresult Enter(const char* function);

// The same, of one that needs the thread's context, and that refuses everything
// once an operation has failed.
CUresult Enter(const char* function, std::shared_ptr<Context>* context);

// The stream of a handle, the context's own for null; null if there is none.
std::shared_ptr<Stream> FindStream(Context& context, CUstream handle);

// Puts an operation into the order of a stream or, while it is captured, into
// the graph.
CUresult AddOperation(Context& context, CUstream stream, Operation operation);

// What cuGraphLaunch runs: the operations, in order.
CUresult RunGraph(const Graph& graph);

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_DRIVER_CALL_H_
