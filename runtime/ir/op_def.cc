#include "runtime/ir/op_def.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

std::string TypesToString(const std::vector<Type>& types) {
  return absl::StrCat("(",
                      absl::StrJoin(types, ", ",
                                    [](std::string* out, const Type& type) {
                                      out->append(type.ToString());
                                    }),
                      ")");
}

absl::Status CheckResultTypes(const Op& op, const OpDef::InferFn& infer) {
  ASSIGN_OR_RETURN(const std::vector<Type> inferred, infer(op));
  std::vector<Type> declared;
  for (const auto& result : op.results()) declared.push_back(result->type());
  if (inferred == declared) return absl::OkStatus();
  return op.Error(absl::StrCat("result types: expected ",
                               TypesToString(inferred), ", found ",
                               TypesToString(declared)));
}

}  // namespace

OpDef&& OpDef::Assembly(AssemblyForm form) && {
  assembly_ = std::move(form);
  return std::move(*this);
}

OpDef&& OpDef::Infer(InferFn infer) && {
  infer_ = infer;
  verify_ = [infer = std::move(infer)](const Op& op) {
    return CheckResultTypes(op, infer);
  };
  return std::move(*this);
}

OpDef&& OpDef::Verify(VerifyFn verify) && {
  verify_ = std::move(verify);
  return std::move(*this);
}

OpDef&& OpDef::Evaluate(EvaluateFn evaluate) && {
  evaluate_ = std::move(evaluate);
  return std::move(*this);
}

OpDef&& OpDef::Sharding(ShardingRuleFn sharding) && {
  sharding_ = std::move(sharding);
  return std::move(*this);
}

OpDef&& OpDef::Jvp(JvpFn jvp) && {
  jvp_ = std::move(jvp);
  return std::move(*this);
}

OpDef&& OpDef::Transpose(TransposeFn transpose) && {
  transpose_ = std::move(transpose);
  return std::move(*this);
}

OpDef&& OpDef::Batch(BatchFn batch) && {
  batch_ = std::move(batch);
  return std::move(*this);
}

OpDef&& OpDef::ResultName(std::function<absl::string_view(const Op&)> name) && {
  result_name_ = std::move(name);
  return std::move(*this);
}

OpDef&& OpDef::ArgumentName(absl::string_view name) && {
  argument_name_ = std::string(name);
  return std::move(*this);
}

OpDef&& OpDef::Emit(EmitFn emit) && {
  emit_ = std::move(emit);
  return std::move(*this);
}

OpDef&& OpDef::EmitWhen(std::function<bool(const Op&)> condition) && {
  emit_condition_ = std::move(condition);
  return std::move(*this);
}

bool OpDef::Emits(const Op& op) const {
  if (emit_ == nullptr) return false;
  const auto is_computed = [](const Type& type) {
    return type.is_tensor() && !IsSmall(type.shape().element_type());
  };
  for (const Value* operand : op.operands()) {
    if (!is_computed(operand->type())) return false;
  }
  for (const auto& result : op.results()) {
    if (!is_computed(result->type())) return false;
  }
  return emit_condition_ == nullptr || emit_condition_(op);
}

OpRegistry& OpRegistry::Get() {
  static OpRegistry& registry = *new OpRegistry;
  return registry;
}

void OpRegistry::Add(OpDef def) {
  std::string name = def.name();
  const bool added =
      defs_.emplace(std::move(name), std::make_unique<OpDef>(std::move(def)))
          .second;
  LOCKSTEP_CHECK(added);
}

const OpDef* OpRegistry::Find(absl::string_view name) const {
  if (name == "call") name = "func.call";
  if (name == "return") name = "func.return";
  const auto found = defs_.find(name);
  return found == defs_.end() ? nullptr : found->second.get();
}

std::vector<const OpDef*> OpRegistry::All() const {
  std::vector<const OpDef*> defs;
  for (const auto& [name, def] : defs_) defs.push_back(def.get());
  return defs;
}

}  // namespace lockstep::internal
