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
#include "runtime/ops/fusion.h"
#include "runtime/passes/pipelines.h"
#include "tests/property/program_generator.h"

namespace lockstep {
namespace {

constexpr uint64_t kPrograms = 1500;

std::unique_ptr<Module> Parse(const std::string& text) {
  auto module = ParseAndVerify(text, "generated");
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  return module.ok() ? *std::move(module) : nullptr;
}

TEST(Passes, KeepEveryBitOfRandomPrograms) {
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = GenerateProgram(seed);
    const std::unique_ptr<Module> module = Parse(text);
    ASSERT_NE(module, nullptr);
    const auto arguments = GenerateArguments(*module, seed);
    const auto expected = Evaluate(*module, arguments);
    ASSERT_TRUE(expected.ok()) << expected.status() << "\n" << text;

    PassManager::Options options;
    options.verify_each = true;
    options.after_pass = [&](absl::string_view pass, const Module& changed) {
      const auto found = Evaluate(changed, arguments);
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
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::unique_ptr<Module> module = Parse(GenerateProgram(seed));
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
    const std::unique_ptr<Module> module = Parse(GenerateProgram(seed));
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
}  // namespace lockstep
