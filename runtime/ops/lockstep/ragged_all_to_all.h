#ifndef LOCKSTEP_RUNTIME_OPS_LOCKSTEP_RAGGED_ALL_TO_ALL_H_
#define LOCKSTEP_RUNTIME_OPS_LOCKSTEP_RAGGED_ALL_TO_ALL_H_

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// lockstep.ragged_all_to_all(operand, output, table): rows of the members'
// operands become rows of their outputs (spec K-21). Groups and channel are as
// those of stablehlo.all_to_all.
//
// The table, i64 of [group size, 4, K], has what each member of the group has
// said, by position: input_offsets, send_sizes, output_offsets, recv_sizes. All
// members have the same one, so that each knows what it sends and gets, and all
// find the same errors, before anything is sent.
//
// Programs contain `custom_call @ragged_all_to_all`, with the four lists of the
// own member as operands instead (custom_calls/ragged_all_to_all.cc).
inline constexpr absl::string_view kRaggedAllToAllOp =
    "lockstep.ragged_all_to_all";
inline constexpr absl::string_view kRaggedAllToAllTarget = "ragged_all_to_all";

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_LOCKSTEP_RAGGED_ALL_TO_ALL_H_
