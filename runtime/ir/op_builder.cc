#include "runtime/ir/op_builder.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {

absl::StatusOr<Op*> OpBuilder::Build(OpState state) {
  state.def = OpRegistry::Get().Find(state.name);
  if (state.def == nullptr) {
    return absl::UnimplementedError(absl::StrCat(state.name, " is not an op"));
  }
  const OpDef& def = *state.def;
  auto op = std::make_unique<Op>(std::move(state));
  op->parent_ = region_;
  if (op->results_.empty() && def.infer()) {
    ASSIGN_OR_RETURN(std::vector<Type> types, def.infer()(*op));
    for (Type& type : types) op->AddResult(std::move(type));
  } else if (def.verify()) {
    RETURN_IF_ERROR(def.verify()(*op));
  }
  op->location_ = location_;
  return region_->Append(std::move(op));
}

Op* OpBuilder::Terminate(absl::string_view name, std::vector<Value*> operands) {
  OpState state;
  state.name = std::string(name);
  state.def = OpRegistry::Get().Find(name);
  LOCKSTEP_CHECK(state.def != nullptr);
  state.location = location_;
  state.operands = std::move(operands);
  return region_->Append(std::make_unique<Op>(std::move(state)));
}

std::unique_ptr<Region> MakeRegionWithin(const OpBuilder& around) {
  auto region = std::make_unique<Region>();
  region->enclosing_ = around.region();
  return region;
}

}  // namespace lockstep::internal
