#ifndef LOCKSTEP_RUNTIME_KERNELS_UPDATE_STEP_H_
#define LOCKSTEP_RUNTIME_KERNELS_UPDATE_STEP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/ir/op.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The variants of kUpdate.
enum UpdateVariant {
  // An iteration is a list entry:
  kUpdateElements = 0,  // {target, source}
  kUpdateRuns = 1,      // {target, source, count}: neighbours in both
  // An iteration is an update, and its place is computed from its index.
  kUpdateRows = 2,
};

// A scatter of whole rows of the input: its first dims are batches or named by
// an index, all others are a row. The indices, one after the other, lie a
// constant distance apart.
struct UpdateRows {
  // A dim of the input that a number of an index is along.
  struct Component {
    int64_t offset = 0;  // in the indices, from the first number
    int64_t size = 0;
    int64_t stride = 0;  // elements of the input
  };
  std::vector<Component> components;  // by dim: outermost first
  int64_t row = 1;                    // elements
  int64_t index_stride = 1;           // between updates
  ElementType index_type = ElementType::kS32;
  // Batch b has inputs, updates and indices of its own.
  int64_t batches = 1;
  int64_t updates = 0;                         // of each batch
  int64_t batch_indices = 0, batch_input = 0;  // elements of each
};
// Nothing for other scatters.
std::optional<UpdateRows> UpdateRowsOf(const Op& scatter);

// kUpdate for `body`, a region of `op` that can be emitted:
// results[..][target] = body(results[..][target], updates[..][source]) for the
// entries of a list, in order. Buffers: the updates, the results (inputs and
// outputs, as the arguments of the body), the list of int64s.
KernelGraph UpdateStep(const Op& op, const Region& body, UpdateVariant variant);

// What the int64 numbers of kUpdateRows say: only updates of which component 0
// is in [low, high), and where a batch begins, in elements.
struct UpdateRange {
  int64_t low = 0, high = 0;
  int64_t first_index = 0, first_source = 0, first_target = 0;
};
// The same for the updates [begin, end) of one batch; the list is the indices
// and an UpdateRange.
KernelGraph UpdateRowsStep(const Op& scatter, const UpdateRows& rows);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_UPDATE_STEP_H_
