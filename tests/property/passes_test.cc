// No pass changes a bit of what a program computes, as the oracle evaluates it.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/module_equality.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/verifier.h"
#include "runtime/ops/lockstep/fusion.h"
#include "runtime/passes/pipelines.h"
#include "tests/generator/random_program.h"

namespace lockstep::internal {
namespace {

constexpr uint64_t kPrograms = 1500;

RandomProgram Program(uint64_t seed) {
  return MakeRandomProgram(Entropy(seed), {.max_ops = 80, .max_elements = 128});
}

std::unique_ptr<Module> Parse(const std::string& text) {
  auto module = ParseAndVerify(text, "generated");
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  return module.ok() ? *std::move(module) : nullptr;
}

TEST(Passes, KeepEveryBitOfRandomPrograms) {
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    SCOPED_TRACE(seed);
    const RandomProgram program = Program(seed);
    const std::string& text = program.text;
    const std::unique_ptr<Module> module = Parse(text);
    ASSERT_NE(module, nullptr);
    const auto expected = Evaluate(*module, program.arguments);
    ASSERT_TRUE(expected.ok()) << expected.status() << "\n" << text;

    PassManager::Options options;
    options.verify_each = true;
    options.after_pass = [&](absl::string_view pass, const Module& changed) {
      const auto found = Evaluate(changed, program.arguments);
      ASSERT_TRUE(found.ok()) << pass << ": " << found.status();
      for (size_t i = 0; i < expected->size(); ++i) {
        ASSERT_TRUE((*found)[i] == (*expected)[i])
            << "result " << i << " after " << pass << "\n"
            << ToString((*expected)[i]) << "\n"
            << ToString((*found)[i]) << "\n"
            << text << "\n"
            << Print(changed);
      }
    };
    PassManager passes(options);
    AddOptimizationPasses(passes);
    const absl::Status status = passes.Run(*module);
    ASSERT_TRUE(status.ok()) << status << "\n" << text << Print(*module);
    if (HasFatalFailure()) return;
  }
}

void CountKinds(const Region& region, std::map<FusionKind, int>& kinds) {
  for (const auto& op : region.ops()) {
    if (op->name() == kFusionOp) ++kinds[*FusionKindOf(*op)];
    for (const auto& nested : op->regions()) CountKinds(*nested, kinds);
  }
}

TEST(Passes, MakeFusionsOfEveryKindOfRandomPrograms) {
  std::map<FusionKind, int> kinds;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const std::unique_ptr<Module> module = Parse(Program(seed).text);
    PassManager passes;
    AddOptimizationPasses(passes);
    ASSERT_TRUE(passes.Run(*module).ok());
    for (const auto& function : module->functions()) {
      CountKinds(function->body(), kinds);
    }
  }
  EXPECT_GT(kinds[FusionKind::kLoop], 100);
  EXPECT_GT(kinds[FusionKind::kReduce], 20);
  EXPECT_GT(kinds[FusionKind::kRows], 20);
}

std::string AllReduce(absl::string_view result, absl::string_view operand,
                      absl::string_view body) {
  return absl::StrCat("  ", result, " = \"stablehlo.all_reduce\"(", operand,
                      ") ({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
                      "    %s = stablehlo.",
                      body,
                      " %p, %q : tensor<f32>\n"
                      "    stablehlo.return %s : tensor<f32>\n"
                      "  }) {replica_groups = dense<[[0, 1, 2]]> : "
                      "tensor<1x3xi64>} : (tensor<4xf32>) -> tensor<4xf32>\n");
}

// Collectives that become one, that stay between others, and in a loop.
TEST(Passes, KeepEveryBitOfCollectives) {
  const std::string text = absl::StrCat(
      "module attributes {mhlo.num_replicas = 3 : i32} {\n"
      "func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) "
      "{\n",
      AllReduce("%a", "%x", "add"),
      "  %e = stablehlo.exponential %x : tensor<4xf32>\n"
      "  %n = stablehlo.negate %a : tensor<4xf32>\n",
      AllReduce("%b", "%e", "add"), AllReduce("%m", "%e", "maximum"),
      AllReduce("%c", "%n", "add"),
      "  %i = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %w:2 = stablehlo.while(%v = %c, %k = %i) : tensor<4xf32>, "
      "tensor<i32>\n"
      "    cond {\n"
      "      %l = stablehlo.constant dense<3> : tensor<i32>\n"
      "      %t = stablehlo.compare LT, %k, %l : (tensor<i32>, tensor<i32>) -> "
      "tensor<i1>\n"
      "      stablehlo.return %t : tensor<i1>\n"
      "    } do {\n",
      AllReduce("%f", "%x", "add"), AllReduce("%g", "%v", "add"),
      "      %h = stablehlo.add %f, %g : tensor<4xf32>\n"
      "      %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "      %o = stablehlo.add %k, %one : tensor<i32>\n"
      "      stablehlo.return %h, %o : tensor<4xf32>, tensor<i32>\n"
      "    }\n"
      "  %r = stablehlo.multiply %b, %m : tensor<4xf32>\n"
      "  return %r, %w#0 : tensor<4xf32>, tensor<4xf32>\n}\n}\n");
  const std::unique_ptr<Module> module = Parse(text);
  ASSERT_NE(module, nullptr);
  std::vector<std::vector<Literal>> arguments(3);
  for (int i = 0; i < 3; ++i) {
    arguments[i].push_back(Literal::FromValues<float>(
        {4}, {0.1f * static_cast<float>(i), -3, 2.5f, 1}));
  }
  const DeviceAssignment assignment = DeviceAssignment::Iota(3, 1);
  const auto expected = EvaluateSpmd(*module, assignment, arguments);
  ASSERT_TRUE(expected.ok()) << expected.status();
  PassManager passes;
  AddOptimizationPasses(passes);
  ASSERT_TRUE(passes.Run(*module).ok());
  const auto found = EvaluateSpmd(*module, assignment, arguments);
  ASSERT_TRUE(found.ok()) << found.status() << Print(*module);
  EXPECT_TRUE(*found == *expected) << Print(*module);
  const std::string printed = Print(*module);
  size_t count = 0;
  for (size_t at = 0;
       (at = printed.find("all_reduce\"(", at)) != std::string::npos; ++at) {
    ++count;
  }
  EXPECT_EQ(count, 4) << printed;
}

// A chain, and as many readers of one value: neither depth nor breadth of a
// program may cost stack or quadratic time.
TEST(Passes, TakeProgramsOfManyOps) {
  constexpr int kOps = 50000;
  std::string text =
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %c0 = stablehlo.exponential %x : tensor<4xf32>\n";
  for (int i = 0; i < kOps; ++i) {
    absl::StrAppend(&text, "  %c", i + 1, " = stablehlo.subtract %c", i,
                    ", %c0 : tensor<4xf32>\n");
  }
  absl::StrAppend(&text, "  return %c", kOps, " : tensor<4xf32>\n}\n");
  const std::unique_ptr<Module> module = Parse(text);
  ASSERT_NE(module, nullptr);
  PassManager passes;
  AddOptimizationPasses(passes);
  ASSERT_TRUE(passes.Run(*module).ok());
  const size_t left = module->functions()[0]->body().ops().size();
  EXPECT_GT(left, kOps / 300);
  EXPECT_LT(left, kOps / 200);
  EXPECT_TRUE(Verify(*module).ok());
}

TEST(Passes, GiveTheSameModuleTwiceAndTextThatParsesBack) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const std::unique_ptr<Module> module = Parse(Program(seed).text);
    ASSERT_NE(module, nullptr);
    const std::unique_ptr<Module> other = CloneModule(*module);
    ASSERT_EQ(FirstDifference(*module, *other).value_or(""), "");
    PassManager passes;
    AddOptimizationPasses(passes);
    ASSERT_TRUE(passes.Run(*module).ok());
    ASSERT_TRUE(passes.Run(*other).ok());
    const std::string text = Print(*module);
    ASSERT_EQ(Print(*other), text);
    const std::unique_ptr<Module> again = Parse(text);
    ASSERT_NE(again, nullptr);
    ASSERT_EQ(Print(*again), text);
  }
}

}  // namespace
}  // namespace lockstep::internal
