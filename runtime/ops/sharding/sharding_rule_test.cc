// Every rule of an op against the text that it should be.
#include <memory>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/ops/sharding/rule_cases_testing.h"

namespace lockstep::internal {
namespace {

using testing::HasSubstr;

std::string ExpectedText(const Function& function) {
  const Attribute* rule = function.attributes().Find("rule");
  if (rule == nullptr) return "no attribute rule";
  if (const auto* text = rule->As<Attribute::Opaque>()) return text->text;
  const auto* none = rule->As<Attribute::String>();
  return none != nullptr ? none->value : "another attribute";
}

void ExpectVerifies(const Function& function) {
  for (const auto& op : function.body().ops()) {
    if (op.get() == function.body().terminator()) continue;
    const absl::Status verified = op->def()->verify()(*op);
    EXPECT_TRUE(verified.ok()) << verified;
  }
}

class ShardingRuleTest : public testing::TestWithParam<absl::string_view> {};

TEST_P(ShardingRuleTest, OpsHaveTheRuleThatTheirFunctionSays) {
  const std::unique_ptr<Module> module = ParseRuleCases(GetParam());
  for (const auto& function : module->functions()) {
    ExpectVerifies(*function);
    const auto rule = RuleOfCase(*function);
    ASSERT_TRUE(rule.ok()) << function->name() << ": " << rule.status();
    EXPECT_EQ(rule->has_value() ? (*rule)->ToString() : "none",
              ExpectedText(*function))
        << function->name();
  }
}

TEST_P(ShardingRuleTest, RulesFitTheirOpsAndReadBack) {
  const std::unique_ptr<Module> module = ParseRuleCases(GetParam());
  for (const auto& function : module->functions()) {
    const auto rule = RuleOfCase(*function);
    if (!rule.ok() || !rule->has_value()) continue;
    const absl::Status fits = (*rule)->CheckFits(OpOfCase(*function));
    EXPECT_TRUE(fits.ok()) << fits;
    const auto read = OpShardingRule::Parse((*rule)->ToString());
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, **rule);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ShardingRuleTest,
                         testing::ValuesIn(kRuleCaseFiles),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

absl::Status ErrorOfCustomRule(absl::string_view rule) {
  auto module = ParseModule(
      absl::StrCat("func.func @main(%a: tensor<4x2xf32>) -> tensor<4x2xf32> {\n"
                   "  %0 = stablehlo.custom_call @foo(%a) ",
                   "{sdy.sharding_rule = ", rule,
                   "} : (tensor<4x2xf32>) -> tensor<4x2xf32>\n",
                   "  return %0 : tensor<4x2xf32>\n}\n"),
      "t.mlir");
  if (!module.ok()) return module.status();
  return RuleOfCase(*(*module)->functions()[0]).status();
}

TEST(CustomShardingRuleTest, ARuleThatIsMalformedOrDoesNotFitIsAnError) {
  EXPECT_THAT(ErrorOfCustomRule("#sdy.op_sharding_rule<([i])->([i]) {i=4}, "
                                "custom>")
                  .message(),
              HasSubstr("t.mlir:2:8: stablehlo.custom_call: sharding rule: "
                        "operand 0: expected rank 2, found 1"));
  EXPECT_THAT(ErrorOfCustomRule("#sdy.op_sharding_rule<([i, j])->([i, j]) "
                                "{i=4}, custom>")
                  .message(),
              HasSubstr("t.mlir:2:8: stablehlo.custom_call: sharding rule: "
                        "operand 0 dim 1: factor j has no size"));
  EXPECT_THAT(ErrorOfCustomRule("3 : i64").message(),
              HasSubstr("sdy.sharding_rule: expected "
                        "#sdy.op_sharding_rule<..>"));
}

}  // namespace
}  // namespace lockstep::internal
