#ifndef LOCKSTEP_RUNTIME_OPS_SDY_COLLECTIVE_FORM_H_
#define LOCKSTEP_RUNTIME_OPS_SDY_COLLECTIVE_FORM_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/assembly.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/axis_ref.h"

namespace lockstep::internal {

// What the collectives of the dialect share in their text: each says how the
// sharding of its operand changes, and what it becomes, `out_sharding`.

// "%0 out_sharding=<@mesh, [{}]> {attributes} : T" behind what an op says of
// the change.
absl::Status ReadOperandAndOutSharding(AssemblyReader& reader, OpState& state);
// `except`: attributes that are written already.
void WriteOperandAndOutSharding(const Op& op,
                                std::vector<absl::string_view> except,
                                AssemblyWriter& writer);

// "max" in front of the axes, as the attribute kReductionAttribute; none: sum.
inline constexpr absl::string_view kReductionAttribute = "reduction";
absl::Status ReadReductionUnless(absl::string_view begin_of_axes,
                                 AssemblyReader& reader, OpState& state);
void WriteReduction(const Op& op, AssemblyWriter& writer);

// "[{\"x\"}, {}]", a list of axes for each dimension, as an attribute.
absl::StatusOr<Attribute> ReadDimAxes(AssemblyReader& reader);
// INVALID_ARGUMENT: it is missing or another kind of attribute.
absl::StatusOr<std::vector<std::vector<AxisRef>>> DimAxesAttribute(
    const Op& op, absl::string_view name);
absl::StatusOr<std::vector<AxisRef>> AxesAttribute(const Op& op,
                                                   absl::string_view name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SDY_COLLECTIVE_FORM_H_
