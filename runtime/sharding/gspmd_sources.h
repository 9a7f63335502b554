#ifndef LOCKSTEP_RUNTIME_SHARDING_GSPMD_SOURCES_H_
#define LOCKSTEP_RUNTIME_SHARDING_GSPMD_SOURCES_H_

#include <vector>

#include "runtime/sharding/compatible_axes.h"
#include "runtime/sharding/propagation_graph.h"
#include "runtime/sharding/tensor_merge.h"

namespace lockstep::internal {

// From what tensors of an op the sharding of one of them follows in GSPMD. Each
// of the levels 0 to 3 runs to a fixed point and has all that those before it
// have:
//
//   0  elementwise ops, reshape, transpose and data-flow edges, both ways, and
//      broadcast_in_dim that adds dims of size 1; dynamic_slice and
//      dynamic_update_slice, to their results
//   1  all ops but other broadcast_in_dim
//   2  these, to their operands
//   3  these, to their results
inline constexpr int kGspmdLevels = 4;

// The first one asked first; none: nothing follows at this level. Results get
// axes from operands: of a gather from the indices before what is indexed, of a
// dot or a convolution from the larger operand before the other one. Operands
// get them from results, also from each other in a dot, and indices and updates
// of a scatter.
std::vector<OpTensor> GspmdSources(const PropagationNode& node, OpTensor target,
                                   int level);

// Along which factors: not along those that have to be whole in ops that XLA
// does not split along them (fft, decompositions). Of kNone and kBoth.
std::vector<PropagationDirection> GspmdDirections(const PropagationNode& node);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_GSPMD_SOURCES_H_
