#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_GRAPH_RUNS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_GRAPH_RUNS_H_

#include "runtime/executable/thunk_sequence.h"

namespace lockstep::internal {

// The same sequence, in which kFewestThunksOfGraph or more thunks in a row that
// only put work on a stream are one CudaGraphThunk. All others stand between
// graphs: what the host computes or has to know, and collectives. Sequences
// nested in it stay as they are.
ThunkSequence GroupIntoGraphs(ThunkSequence sequence, bool has_graphs);

// Fewer are on the stream as soon as a graph of them.
inline constexpr int kFewestThunksOfGraph = 3;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_GRAPH_RUNS_H_
