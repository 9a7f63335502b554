#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/tracer/collective_groups.h"
#include "client/tracer/collectives.h"
#include "client/tracer/emit_collective.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"

namespace lockstep {

using internal::CollectiveGroups;
using internal::EmitRaggedAllToAll;
using internal::ResolveGroups;
using internal::Trace;
using internal::TraceOperation;
using internal::TraceValue;
using internal::ValueOr;

namespace {

absl::Status CheckRows(const Shape& operand, const Shape& output) {
  if (operand.rank() > 0 && output.rank() > 0 &&
      operand.element_type() == output.element_type() &&
      operand.dims().subspan(1) == output.dims().subspan(1)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "expected an operand and an output of one type but for the first "
      "dimension, found ",
      operand.ToString(), " and ", output.ToString()));
}

absl::Status CheckLists(const std::vector<TraceValue*>& operands,
                        int64_t group_size) {
  constexpr absl::string_view kNames[] = {"input_offsets", "send_sizes",
                                          "output_offsets", "recv_sizes"};
  const Shape& first = operands[2]->shape();
  for (size_t i = 0; i < std::size(kNames); ++i) {
    const Shape& list = operands[2 + i]->shape();
    if (!IsInteger(list.element_type()) || list.rank() != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat(kNames[i], ": expected a vector of integers, found ",
                       list.ToString()));
    }
    if (list != first) {
      return absl::InvalidArgumentError(
          absl::StrCat(kNames[i], ": expected ", first.ToString(),
                       ", as input_offsets, found ", list.ToString()));
    }
  }
  if (first.dim(0) > 0 && first.dim(0) % group_size == 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("input_offsets: expected a multiple of the group's size ",
                   group_size, " as its length, found ", first.ToString()));
}

}  // namespace

Tensor ragged_all_to_all(const Operand& operand, const Operand& output,
                         const Operand& input_offsets,
                         const Operand& send_sizes,
                         const Operand& output_offsets,
                         const Operand& recv_sizes, const AxisNames& axes,
                         const ReduceOptions& options) {
  const auto operands = {&operand,    &output,         &input_offsets,
                         &send_sizes, &output_offsets, &recv_sizes};
  return TraceOperation(
      "ragged_all_to_all", operand.location(), operands,
      [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(
            const CollectiveGroups groups,
            ResolveGroups(trace.axes(), "ragged_all_to_all", axes.names(),
                          options.axis_index_groups, /*equal_sizes=*/true));
        std::vector<TraceValue*> values;
        for (const Operand* given : operands) {
          ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(*given));
          values.push_back(value);
        }
        RETURN_IF_ERROR(CheckRows(values[0]->shape(), values[1]->shape()));
        RETURN_IF_ERROR(CheckLists(values, groups.size()));
        return EmitRaggedAllToAll(trace, std::move(values), groups.groups);
      });
}

}  // namespace lockstep
