#ifndef LOCKSTEP_RUNTIME_OPS_SHARDING_RULE_CASES_TESTING_H_
#define LOCKSTEP_RUNTIME_OPS_SHARDING_RULE_CASES_TESTING_H_

#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/op_sharding_rule.h"

namespace lockstep::internal {

// The programs beside this file. Each function is a case: the op that defines
// the first value it returns has the rule of its attribute `rule`, "none" for
// none; `conservative` is the option.

inline constexpr absl::string_view kRuleCaseFiles[] = {
    "collectives", "contraction", "custom_call", "data_movement",
    "elementwise", "indexing",    "reshape",     "window"};

// Not verified, so that ops that become others are there.
inline std::unique_ptr<Module> ParseRuleCases(absl::string_view file) {
  const std::string path = absl::StrCat("runtime/ops/sharding/", file, ".mlir");
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_FALSE(text.empty()) << path;
  absl::StatusOr<std::unique_ptr<Module>> module = ParseModule(text, path);
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *std::move(module) : std::make_unique<Module>();
}

inline const Op& OpOfCase(const Function& function) {
  return *function.body().terminator()->operand(0)->defining_op();
}

inline absl::StatusOr<std::optional<OpShardingRule>> RuleOfCase(
    const Function& function) {
  const Op& op = OpOfCase(function);
  if (op.def() == nullptr || !op.def()->sharding()) return std::nullopt;
  return op.def()->sharding()(
      op, {.is_conservative =
               function.attributes().Find("conservative") != nullptr});
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SHARDING_RULE_CASES_TESTING_H_
