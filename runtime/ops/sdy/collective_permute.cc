#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/sdy/collective_checks.h"
#include "runtime/ops/sdy/collective_form.h"
#include "runtime/ops/sdy/sharding_form.h"

namespace lockstep::internal {
namespace {

absl::Status VerifyPermute(const Op& op) {
  ASSIGN_OR_RETURN(const std::optional<CollectiveShardings> shardings,
                   CheckCollective(op, {.allows_other_mesh = true}));
  if (!shardings.has_value()) return absl::OkStatus();
  const AbstractMesh& mesh = shardings->mesh.abstract();
  for (int64_t dim = 0; dim < shardings->in.rank(); ++dim) {
    const int64_t expected = shardings->in.dims[dim].ShardCount(mesh);
    const int64_t found = shardings->out.dims[dim].ShardCount(mesh);
    if (expected == found) continue;
    return op.Error(absl::StrCat("out_sharding: expected ", expected,
                                 " shards of dimension ", dim,
                                 ", as the operand has, found ", found));
  }
  return absl::OkStatus();
}

// collective_permute: its operand, whose dimensions are split into as many
// shards by other axes, or on devices in another order.
//   out_sharding.
REGISTER_OP(OpDef("sdy.collective_permute", OpKind::kSharding)
                .Assembly({ReadOperandAndOutSharding,
                           [](const Op& op, AssemblyWriter& writer) {
                             WriteOperandAndOutSharding(op, {}, writer);
                           }})
                .Infer(InferOperandType)
                .Verify(VerifyPermute)
                .Evaluate(EvaluateOperand));

}  // namespace
}  // namespace lockstep::internal
