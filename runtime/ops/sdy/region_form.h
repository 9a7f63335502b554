#ifndef LOCKSTEP_RUNTIME_OPS_SDY_REGION_FORM_H_
#define LOCKSTEP_RUNTIME_OPS_SDY_REGION_FORM_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/assembly.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// What the ops of the dialect that have a body share.

// "name=[<..>, <..>]", a list of shardings as the attribute `name`.
absl::Status ReadNamedShardings(AssemblyReader& reader, absl::string_view name,
                                OpState& state);
void WriteNamedShardings(const Op& op, absl::string_view name,
                         AssemblyWriter& writer);

// "(%b: T, %c: U) { .. } {attributes} : (T, U) -> V": arguments, the body, and
// types as outside of it.
absl::Status ReadBody(AssemblyReader& reader, OpState& state);
// `except`: attributes that are written already.
void WriteBody(const Op& op, absl::Span<const absl::string_view> except,
               AssemblyWriter& writer);

// The list of shardings of an attribute. INVALID_ARGUMENT: it is missing or of
// another kind.
absl::StatusOr<std::vector<TensorSharding>> ShardingsAttribute(
    const Op& op, absl::string_view name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SDY_REGION_FORM_H_
