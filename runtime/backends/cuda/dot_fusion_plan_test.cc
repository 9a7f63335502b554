#include "runtime/backends/cuda/dot_fusion_plan.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

// A dot of %x and %y, and a bias whose dims are those of the result.
struct Fused {
  std::string dims = "[] x [], contracting_dims = [1] x [0]";
  std::string lhs = "32x16xf32";
  std::string rhs = "16x8xf32";
  std::string bias = "8xf32";
  std::string bias_dims = "[1]";
  std::string result = "32x8xf32";
  std::string activation = "";  // of %a, as %r; "": none
};

constexpr char kRelu[] =
    "%z = stablehlo.constant dense<0.0> : R\n"
    "%r = stablehlo.maximum %a, %z : R\n";
constexpr char kGelu[] =
    "%c = stablehlo.constant dense<0.044715> : R\n"
    "%k = stablehlo.constant dense<0.797884561> : R\n"
    "%o = stablehlo.constant dense<1.0> : R\n"
    "%h = stablehlo.constant dense<0.5> : R\n"
    "%2 = stablehlo.multiply %a, %a : R\n"
    "%3 = stablehlo.multiply %2, %a : R\n"
    "%4 = stablehlo.multiply %3, %c : R\n"
    "%5 = stablehlo.add %a, %4 : R\n"
    "%6 = stablehlo.multiply %5, %k : R\n"
    "%7 = stablehlo.tanh %6 : R\n"
    "%8 = stablehlo.add %7, %o : R\n"
    "%9 = stablehlo.multiply %a, %h : R\n"
    "%r = stablehlo.multiply %9, %8 : R\n";

std::optional<DotFusionPlan> PlanOf(const Fused& fused) {
  const auto tensor = [](const std::string& shape) {
    return absl::StrCat("tensor<", shape, ">");
  };
  const std::string types =
      absl::StrCat("(", tensor(fused.lhs), ", ", tensor(fused.rhs));
  const std::string result = tensor(fused.result);
  std::string activation = fused.activation;
  for (size_t at = 0; (at = activation.find(": R", at)) != std::string::npos;) {
    activation.replace(at + 2, 1, result);
  }
  const std::string text = absl::StrCat(
      "func.func @main(%x: ", tensor(fused.lhs), ", %y: ", tensor(fused.rhs),
      ", %b: ", tensor(fused.bias), ") -> ", result,
      " {\n%f = \"lockstep.fusion\"(%b, %y, %x) <{kind = \"dot\"}> "
      "({\n^bb0(%s: ",
      tensor(fused.bias), ", %q: ", tensor(fused.rhs),
      ", %p: ", tensor(fused.lhs),
      "):\n%d = stablehlo.dot_general %p, %q, batching_dims = ", fused.dims,
      " : ", types, ") -> ", result,
      "\n%v = stablehlo.broadcast_in_dim %s, dims = ", fused.bias_dims, " : (",
      tensor(fused.bias), ") -> ", result,
      "\n%a = stablehlo.add %d, %v : ", result, "\n", activation,
      "stablehlo.return ", activation.empty() ? "%a" : "%r", " : ", result,
      "\n}) : (", tensor(fused.bias), ", ", tensor(fused.rhs), ", ",
      tensor(fused.lhs), ") -> ", result, "\nreturn %f : ", result, "\n}\n");
  const auto module = ParseAndVerify(text, "p");
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << text;
  if (!module.ok()) return std::nullopt;
  return PlanDotFusion(*(*(*module)->EntryFunction())->body().ops()[0]);
}

Fused OfType(const std::string& operand, const std::string& result) {
  return {.lhs = absl::StrCat("32x16x", operand),
          .rhs = absl::StrCat("16x8x", operand),
          .bias = absl::StrCat("8x", result),
          .result = absl::StrCat("32x8x", result)};
}

TEST(DotFusionPlanTest, BiasAndReluAreOneEpilogue) {
  Fused fused;
  fused.activation = kRelu;
  const auto found = PlanOf(fused);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->plan.epilogue, cuda::CUBLASLT_EPILOGUE_RELU_BIAS);
  EXPECT_EQ(found->lhs, 2);
  EXPECT_EQ(found->rhs, 1);
  EXPECT_EQ(found->bias, 0);
  fused.activation = "";
  EXPECT_EQ(PlanOf(fused)->plan.epilogue, cuda::CUBLASLT_EPILOGUE_BIAS);
}

TEST(DotFusionPlanTest, PlansThatDifferInTheEpilogueHaveOtherKeys) {
  Fused fused;
  const std::string bias = PlanOf(fused)->plan.Key();
  EXPECT_EQ(PlanOf(fused)->plan.Key(), bias);
  fused.activation = kRelu;
  EXPECT_NE(PlanOf(fused)->plan.Key(), bias);
}

TEST(DotFusionPlanTest, FloatsAndHalvesHaveEpilogues_OthersHaveNot) {
  EXPECT_TRUE(PlanOf(OfType("f16", "f16")).has_value());
  EXPECT_TRUE(PlanOf(OfType("bf16", "bf16")).has_value());
  EXPECT_TRUE(PlanOf(OfType("bf16", "f32")).has_value());
  EXPECT_FALSE(PlanOf(OfType("f64", "f64")).has_value());
  EXPECT_FALSE(PlanOf(OfType("complex<f32>", "complex<f32>")).has_value());
  EXPECT_FALSE(PlanOf(OfType("i32", "i32")).has_value());
}

TEST(DotFusionPlanTest, GeluIsOfHalves) {
  for (const auto& [operand, result, is_taken] :
       {std::tuple("f16", "f16", true), std::tuple("bf16", "bf16", true),
        std::tuple("f32", "f32", false), std::tuple("bf16", "f32", false)}) {
    Fused fused = OfType(operand, result);
    fused.activation = kGelu;
    const auto found = PlanOf(fused);
    EXPECT_EQ(found.has_value(), is_taken) << operand << " to " << result;
    if (found.has_value()) {
      EXPECT_EQ(found->plan.epilogue, cuda::CUBLASLT_EPILOGUE_GELU_BIAS);
    }
  }
}

// As in projections to heads: [batch, sequence, depth] to [.., head, depth].
TEST(DotFusionPlanTest, TheBiasIsAsLongAsTheRowsOfTheProduct) {
  Fused fused = {.dims = "[] x [], contracting_dims = [2] x [0]",
                 .lhs = "2x32x16xf32",
                 .rhs = "16x3x8xf32",
                 .bias = "3x8xf32",
                 .bias_dims = "[2, 3]",
                 .result = "2x32x3x8xf32"};
  const auto found = PlanOf(fused);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->plan.result.rows, 24);
  fused.bias = "1x3x8xf32";
  fused.bias_dims = "[0, 2, 3]";
  EXPECT_TRUE(PlanOf(fused).has_value());
  // The same for each head.
  fused.bias = "8xf32";
  fused.bias_dims = "[3]";
  EXPECT_FALSE(PlanOf(fused).has_value());
  fused.bias = "32x3x8xf32";
  fused.bias_dims = "[1, 2, 3]";
  EXPECT_FALSE(PlanOf(fused).has_value());
}

TEST(DotFusionPlanTest, BatchesAndSeveralCallsHaveNone) {
  EXPECT_FALSE(PlanOf({.dims = "[0] x [0], contracting_dims = [2] x [1]",
                       .lhs = "5x32x16xf32",
                       .rhs = "5x16x8xf32",
                       .bias_dims = "[2]",
                       .result = "5x32x8xf32"})
                   .has_value());
  EXPECT_FALSE(PlanOf({.dims = "[] x [], contracting_dims = [1] x [0]",
                       .lhs = "2x16x32xf32",
                       .rhs = "16x8xf32",
                       .bias_dims = "[2]",
                       .result = "2x32x8xf32"})
                   .has_value());
}

TEST(DotFusionPlanTest, ActivationsAreOfColumnsThatAreNotTooLong) {
  Fused fused = {.lhs = "32x16xf32",
                 .rhs = "16x70000xf32",
                 .bias = "70000xf32",
                 .result = "32x70000xf32"};
  EXPECT_TRUE(PlanOf(fused).has_value());
  fused.activation = kRelu;
  EXPECT_FALSE(PlanOf(fused).has_value());
}

}  // namespace
}  // namespace lockstep::internal
