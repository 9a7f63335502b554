#ifndef LOCKSTEP_RUNTIME_INTERPRETER_TENSOR_COLLECTIVES_H_
#define LOCKSTEP_RUNTIME_INTERPRETER_TENSOR_COLLECTIVES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "runtime/collectives/host_communicator.h"
#include "runtime/collectives/reduction.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Collectives along a dimension of tensors of the host, on communicators that
// know bytes only: what is cut or joined along an inner dimension is packed
// into chunks first. Shapes must fit the operation and the clique's size;
// errors are the communicator's. The operand of a reduction is converted to the
// reduction's element type first, where they differ.

absl::Status AllReduceTensor(HostCommunicator& communicator,
                             const CollectiveCall& call,
                             const Reduction& reduction,
                             const LiteralView& operand,
                             const MutableLiteralView& result);

// result = the operands joined along `dim`, in rank order.
absl::Status AllGatherTensor(HostCommunicator& communicator,
                             const CollectiveCall& call, int64_t dim,
                             const LiteralView& operand,
                             const MutableLiteralView& result);

// result = this rank's part, along `dim`, of the reduction of the operands.
absl::Status ReduceScatterTensor(HostCommunicator& communicator,
                                 const CollectiveCall& call,
                                 const Reduction& reduction, int64_t dim,
                                 const LiteralView& operand,
                                 const MutableLiteralView& result);

// Cuts the operand into size() parts along `split_dim`, part k goes to rank k;
// joins what arrives along `concat_dim`, in rank order.
absl::Status AllToAllTensor(HostCommunicator& communicator,
                            const CollectiveCall& call, int64_t split_dim,
                            int64_t concat_dim, const LiteralView& operand,
                            const MutableLiteralView& result);

// result = the output, with the rows that the table says (spec K-21;
// runtime/ops/lockstep/ragged_all_to_all.h). INVALID_ARGUMENT, the same on all
// members, when the table cannot be followed.
absl::Status RaggedAllToAllTensor(HostCommunicator& communicator,
                                  const CollectiveCall& call,
                                  const LiteralView& table,
                                  const LiteralView& operand,
                                  const LiteralView& output,
                                  const MutableLiteralView& result);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_INTERPRETER_TENSOR_COLLECTIVES_H_
