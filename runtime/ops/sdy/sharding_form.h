#ifndef LOCKSTEP_RUNTIME_OPS_SDY_SHARDING_FORM_H_
#define LOCKSTEP_RUNTIME_OPS_SDY_SHARDING_FORM_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/assembly.h"
#include "runtime/ir/op_def.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// What the ops of the dialect share (Shardy, sdy).

// "<@mesh, [{\"x\"}]>" as an attribute.
absl::StatusOr<Attribute> ReadSharding(AssemblyReader& reader);
// "[<@mesh, [{\"x\"}]>, <@mesh, []>]" as an attribute.
absl::StatusOr<Attribute> ReadShardings(AssemblyReader& reader);
void WriteShardings(absl::Span<const TensorSharding> shardings,
                    AssemblyWriter& writer);

// "%0 <@mesh, [{\"x\"}]> {attributes} : T", the sharding of the result as the
// attribute `sharding`.
AssemblyForm OperandAndShardingForm();

// "{attributes} : T" behind the only operand, whose type it is.
absl::Status ReadAttributesAndType(AssemblyReader& reader, OpState& state);
// `except`: attributes that are written already.
void WriteAttributesAndType(const Op& op,
                            absl::Span<const absl::string_view> except,
                            AssemblyWriter& writer);

// The sharding of an attribute that the op has. INVALID_ARGUMENT: it is
// missing, no sharding, or says nothing of a value of this type.
absl::StatusOr<TensorSharding> ShardingAttribute(const Op& op,
                                                 absl::string_view name,
                                                 const Type& type);

// The type of the only operand.
absl::StatusOr<std::vector<Type>> InferOperandType(const Op& op);
// The result is the operand: what shardings say changes no value.
absl::Status EvaluateOperand(EvaluationContext& context, const Op& op,
                             absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SDY_SHARDING_FORM_H_
