#include "runtime/frontend/parser.h"

#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/frontend/cursor.h"
#include "runtime/frontend/definitions.h"
#include "runtime/frontend/module_parser.h"
#include "runtime/frontend/operands_text.h"
#include "runtime/frontend/sdy/sdy_checks.h"
#include "runtime/frontend/source_text.h"
#include "runtime/frontend/tuple_flattener.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/verifier.h"
#include "runtime/ops/op_expansion.h"
#include "runtime/ops/small_float_expansion.h"
#include "runtime/ops/transfers.h"

namespace lockstep::internal {

absl::StatusOr<std::unique_ptr<Module>> ParseModule(
    absl::string_view text, absl::string_view file_name) {
  const SourceText source(text, file_name);
  Definitions definitions(source);
  ParseState state{source, definitions};
  Cursor cursor(state, source.begin());
  auto module = std::make_unique<Module>();
  RETURN_IF_ERROR(ParseTopLevel(cursor, definitions, *module));
  return module;
}

namespace {

// Some writers end functions as they end regions.
void NormalizeReturn(Function& function) {
  std::vector<std::unique_ptr<Op>>& ops = function.body().mutable_ops();
  if (ops.empty() || ops.back()->name() != "stablehlo.return") return;
  const std::unique_ptr<Op> end = std::move(ops.back());
  ops.pop_back();
  OpState state = StateLike(*end);
  state.name = "func.return";
  state.def = OpRegistry::Get().Find(state.name);
  state.operands = end->operands();
  function.body().Append(std::make_unique<Op>(std::move(state)));
}

}  // namespace

absl::Status VerifyAndExpand(std::unique_ptr<Module>& module) {
  for (const auto& function : module->functions()) NormalizeReturn(*function);
  absl::Status status = Verify(*module);
  if (status.ok()) status = CheckSdyAnnotations(*module);
  if (!status.ok()) return WithOperands(status, *module);
  ASSIGN_OR_RETURN(std::unique_ptr<Module> flat, FlattenTuples(*module));
  if (flat != nullptr) {
    module = std::move(flat);
    RETURN_IF_ERROR(Verify(*module));
  }
  RETURN_IF_ERROR(ReplaceTransfers(*module));
  RETURN_IF_ERROR(ExpandOps(*module));
  ComputeSmallFloatsInF32(*module);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Module>> ParseAndVerify(
    absl::string_view text, absl::string_view file_name) {
  ASSIGN_OR_RETURN(std::unique_ptr<Module> module,
                   ParseModule(text, file_name));
  RETURN_IF_ERROR(VerifyAndExpand(module));
  return module;
}

}  // namespace lockstep::internal
