#include "runtime/backends/cuda/dot_plan.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

// "[0] x [0]", "[2] x [1]": dims of batch and sum.
struct Dot {
  std::string batching;
  std::string contracting;
  std::string lhs;
  std::string rhs;
  std::string result;
  std::string clause = "";
};

// With a dot as its first op; null: it does not parse.
std::shared_ptr<const Module> ModuleOf(const Dot& dot) {
  const std::string lhs = absl::StrCat("tensor<", dot.lhs, ">");
  const std::string rhs = absl::StrCat("tensor<", dot.rhs, ">");
  const std::string result = absl::StrCat("tensor<", dot.result, ">");
  auto module = ParseAndVerify(
      absl::StrCat("func.func @main(%x: ", lhs, ", %y: ", rhs, ") -> ", result,
                   " {\n  %r = stablehlo.dot_general %x, %y, batching_dims = ",
                   dot.batching, ", contracting_dims = ", dot.contracting,
                   dot.clause, " : (", lhs, ", ", rhs, ") -> ", result,
                   "\n  return %r : ", result, "\n}\n"),
      "p");
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return nullptr;
  return *std::move(module);
}

const Op& DotOf(const Module& module) {
  return *(*module.EntryFunction())->body().ops()[0];
}

std::optional<DotPlan> PlanOf(const Dot& dot) {
  const auto module = ModuleOf(dot);
  return module == nullptr ? std::nullopt : PlanDot(DotOf(*module));
}

bool IsSlow(const Dot& dot) {
  const auto module = ModuleOf(dot);
  return module != nullptr && IsSlowAsItLies(DotOf(*module));
}

Dot Plain(const std::string& operand, const std::string& result) {
  return {"[] x []", "[1] x [0]", absl::StrCat("32x16x", operand),
          absl::StrCat("16x8x", operand), absl::StrCat("32x8x", result)};
}

TEST(DotPlanTest, RowsOfADotAreColumnsOfTheTransposedProduct) {
  const auto plan = PlanOf(Plain("f32", "f32"));
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->rhs, (DotPlan::Matrix{8, 16, 8, 0, false, 64}));
  EXPECT_EQ(plan->lhs, (DotPlan::Matrix{16, 32, 16, 0, false, 64}));
  EXPECT_EQ(plan->result, (DotPlan::Matrix{8, 32, 8, 0, false, 64}));
  EXPECT_EQ(plan->batch_count, 1);
  EXPECT_EQ(plan->calls, (std::vector<DotPlan::Call>{{}}));
  EXPECT_EQ(plan->sizes, "1x32x8x16");
}

TEST(DotPlanTest, OperandsWhoseSumIsInAnotherPlaceAreTransposed) {
  const auto plan =
      PlanOf({"[] x []", "[0] x [1]", "16x32xf32", "8x16xf32", "32x8xf32"});
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->rhs, (DotPlan::Matrix{16, 8, 16, 0, true, 64}));
  EXPECT_EQ(plan->lhs, (DotPlan::Matrix{32, 16, 32, 0, true, 64}));
}

TEST(DotPlanTest, BatchesHaveStridesWhereverTheyAre) {
  const auto plan = PlanOf(
      {"[0] x [1]", "[2] x [0]", "5x32x16xf32", "16x5x8xf32", "5x32x8xf32"});
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->batch_count, 5);
  EXPECT_EQ(plan->lhs, (DotPlan::Matrix{16, 32, 16, 512, false, 64}));
  EXPECT_EQ(plan->rhs, (DotPlan::Matrix{8, 16, 40, 8, false, 64}));
  EXPECT_EQ(plan->result, (DotPlan::Matrix{8, 32, 8, 256, false, 64}));
}

// As in attention: [batch, sequence, head, depth] times the same.
TEST(DotPlanTest, TwoBatchDimsThatAreNotNeighboursAreBatchesInCalls) {
  const auto plan = PlanOf({"[0, 2] x [0, 2]", "[3] x [3]", "2x32x3x10xf32",
                            "2x32x3x10xf32", "2x3x32x32xf32"});
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->batch_count, 3);
  EXPECT_EQ(plan->lhs, (DotPlan::Matrix{10, 32, 30, 10, false, 64}));
  EXPECT_EQ(plan->rhs, (DotPlan::Matrix{10, 32, 30, 10, true, 64}));
  EXPECT_EQ(plan->calls, (std::vector<DotPlan::Call>{{}, {3840, 3840, 12288}}));
}

TEST(DotPlanTest, ASumInTheMiddleIsACallForEachIndexBeforeIt) {
  const auto plan =
      PlanOf({"[] x []", "[1] x [0]", "3x65x32xf16", "65x7xf16", "3x32x7xf16"});
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->lhs, (DotPlan::Matrix{32, 65, 32, 0, true, 64}));
  EXPECT_EQ(plan->result, (DotPlan::Matrix{7, 32, 7, 0, false, 64}));
  // What begins at 448 bytes is aligned, too.
  EXPECT_EQ(plan->calls,
            (std::vector<DotPlan::Call>{{}, {4160, 0, 448}, {8320, 0, 896}}));
}

TEST(DotPlanTest, CallsThatBeginAtOddPlacesLowerTheAlignment) {
  const auto plan =
      PlanOf({"[] x []", "[1] x [0]", "2x65x33xf16", "65x7xf16", "2x33x7xf16"});
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->lhs.alignment, 2u);     // 4290 bytes
  EXPECT_EQ(plan->result.alignment, 2u);  // 462 bytes
  EXPECT_EQ(plan->rhs.alignment, 64u);
}

TEST(DotPlanTest, SumsOverNeighboursAreOne_OverOthersTheyAreNoMatrix) {
  const auto plan = PlanOf(
      {"[] x []", "[1, 2] x [0, 1]", "32x4x8xf32", "4x8x8xf32", "32x8xf32"});
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->lhs, (DotPlan::Matrix{32, 32, 32, 0, false, 64}));
  EXPECT_FALSE(PlanOf({"[] x []", "[1, 2] x [1, 0]", "32x4x8xf32", "8x4x8xf32",
                       "32x8xf32"})
                   .has_value());
}

TEST(DotPlanTest, SingleRowsAndColumnsAreMatrices) {
  for (const auto& [lhs, rhs, result] :
       {std::tuple("1x4000xf32", "4000x1xf32", "1x1xf32"),
        std::tuple("4000x1xf32", "1x1xf32", "4000x1xf32"),
        std::tuple("1x1xf32", "1x4000xf32", "1x4000xf32"),
        std::tuple("1x63xf32", "63x65xf32", "1x65xf32"),
        std::tuple("65x63xf32", "63x1xf32", "65x1xf32")}) {
    const auto plan = PlanOf({"[] x []", "[1] x [0]", lhs, rhs, result});
    ASSERT_TRUE(plan.has_value()) << lhs << rhs;
    for (const auto& matrix : {plan->lhs, plan->rhs, plan->result}) {
      EXPECT_GE(matrix.leading_dimension, matrix.rows) << lhs << rhs;
    }
  }
}

TEST(DotPlanTest, OperandsWithoutAContiguousDimKeepTheKernel) {
  // The batch is the innermost dim.
  EXPECT_FALSE(PlanOf({"[2] x [0]", "[1] x [1]", "32x16x5xf32", "5x16x8xf32",
                       "5x32x8xf32"})
                   .has_value());
}

TEST(DotPlanTest, SumsOfHalvesAreInFloat) {
  for (const auto& [operand, result, type, compute] :
       {std::tuple("f16", "f16", cuda::CUDA_R_32F, cuda::CUBLAS_COMPUTE_32F),
        std::tuple("bf16", "bf16", cuda::CUDA_R_32F, cuda::CUBLAS_COMPUTE_32F),
        std::tuple("bf16", "f32", cuda::CUDA_R_32F, cuda::CUBLAS_COMPUTE_32F),
        std::tuple("f64", "f64", cuda::CUDA_R_64F, cuda::CUBLAS_COMPUTE_64F),
        std::tuple("complex<f32>", "complex<f32>", cuda::CUDA_C_32F,
                   cuda::CUBLAS_COMPUTE_32F),
        std::tuple("complex<f64>", "complex<f64>", cuda::CUDA_C_64F,
                   cuda::CUBLAS_COMPUTE_64F)}) {
    const auto plan = PlanOf(Plain(operand, result));
    ASSERT_TRUE(plan.has_value()) << operand;
    EXPECT_EQ(plan->scale_type, type) << operand;
    EXPECT_EQ(plan->compute_type, compute) << operand;
  }
}

TEST(DotPlanTest, OtherTypesKeepTheKernel) {
  EXPECT_FALSE(PlanOf(Plain("i32", "i32")).has_value());
  EXPECT_FALSE(PlanOf(Plain("f32", "f16")).has_value());
  EXPECT_FALSE(PlanOf(Plain("i8", "i8")).has_value());
  EXPECT_FALSE(PlanOf(Plain("ui8", "i32")).has_value());
}

TEST(DotPlanTest, BytesNeedTheSumInTheLastPlaceAndGroupsOfFour) {
  EXPECT_TRUE(
      PlanOf({"[] x []", "[1] x [1]", "33x16xi8", "8x16xi8", "33x8xi32"})
          .has_value());
  EXPECT_FALSE(PlanOf(Plain("i8", "i32")).has_value());
  EXPECT_FALSE(
      PlanOf({"[] x []", "[1] x [1]", "32x18xi8", "8x18xi8", "32x8xi32"})
          .has_value());
  EXPECT_FALSE(
      PlanOf({"[] x []", "[1] x [1]", "32x16xi8", "9x16xi8", "32x9xi32"})
          .has_value());
}

TEST(DotPlanTest, Tf32IsForProgramsThatNameIt) {
  Dot dot = Plain("f32", "f32");
  const auto compute_type = [&dot] { return PlanOf(dot)->compute_type; };
  dot.clause = ", precision = [DEFAULT, DEFAULT]";
  EXPECT_EQ(compute_type(), cuda::CUBLAS_COMPUTE_32F);
  const auto algorithm = [](const char* rhs, int operations) {
    return absl::StrCat(
        ", algorithm = <lhs_precision_type = tf32, rhs_precision_type = ", rhs,
        ", accumulation_type = f32, lhs_component_count = 1, "
        "rhs_component_count = 1, num_primitive_operations = ",
        operations, ", allow_imprecise_accumulation = false>");
  };
  dot.clause = algorithm("tf32", 1);
  EXPECT_EQ(compute_type(), cuda::CUBLAS_COMPUTE_32F_FAST_TF32);
  dot.clause = algorithm("tf32", 3);
  EXPECT_EQ(compute_type(), cuda::CUBLAS_COMPUTE_32F);
  dot.clause = algorithm("f32", 1);
  EXPECT_EQ(compute_type(), cuda::CUBLAS_COMPUTE_32F);
}

TEST(DotPlanTest, SmallEmptyAndScatteredDotsKeepTheKernel) {
  EXPECT_FALSE(
      PlanOf({"[] x []", "[1] x [0]", "8x8xf32", "8x31xf32", "8x31xf32"})
          .has_value());
  EXPECT_TRUE(
      PlanOf({"[] x []", "[1] x [0]", "8x8xf32", "8x32xf32", "8x32xf32"})
          .has_value());
  EXPECT_FALSE(
      PlanOf({"[] x []", "[1] x [0]", "64x0xf32", "0x64xf32", "64x64xf32"})
          .has_value());
  // 65 calls.
  EXPECT_FALSE(PlanOf({"[] x []", "[1] x [0]", "65x64x66xf32", "64x8xf32",
                       "65x66x8xf32"})
                   .has_value());
}

TEST(DotPlanTest, DotsOfManyCallsAreSlowAsTheyLie) {
  const auto attention = [](int batch, const char* order) {
    const std::string rows = absl::StrCat(batch, "x32x4x16xf32");
    return Dot{order, "[3] x [3]", rows, rows,
               absl::StrCat(batch, "x4x32x32xf32")};
  };
  EXPECT_FALSE(IsSlow(attention(3, "[0, 2] x [0, 2]")));
  EXPECT_TRUE(IsSlow(attention(4, "[0, 2] x [0, 2]")));
  // No plan: more than 64 calls.
  EXPECT_TRUE(IsSlow(attention(65, "[0, 2] x [0, 2]")));
  // Batches first, and none.
  EXPECT_FALSE(IsSlow({"[0, 1] x [0, 1]", "[3] x [3]", "8x4x32x16xf32",
                       "8x4x32x16xf32", "8x4x32x32xf32"}));
  EXPECT_FALSE(IsSlow(Plain("f32", "f32")));
  // Of integers the library has no product.
  EXPECT_FALSE(IsSlow({"[0, 2] x [0, 2]", "[3] x [3]", "65x32x4x16xi32",
                       "65x32x4x16xi32", "65x4x32x32xi32"}));
}

TEST(DotPlanTest, TheWorkspaceGrowsWithTheResultToALimit) {
  const auto bytes = [](int64_t n) {
    const std::string x = absl::StrCat(n, "x", n, "xf32");
    return PlanOf({"[] x []", "[1] x [0]", x, x, x})->workspace_bytes;
  };
  EXPECT_EQ(bytes(32), int64_t{1} << 20);
  EXPECT_EQ(bytes(256), int64_t{4} << 20);
  EXPECT_EQ(bytes(4096), int64_t{32} << 20);
  EXPECT_EQ(bytes(1 << 20), int64_t{32} << 20);
}

TEST(DotPlanTest, EqualDotsHaveEqualKeys_OthersHaveNot) {
  const std::string key = PlanOf(Plain("f32", "f32"))->Key();
  EXPECT_EQ(PlanOf(Plain("f32", "f32"))->Key(), key);
  EXPECT_NE(PlanOf(Plain("f16", "f16"))->Key(), key);
  EXPECT_NE(
      PlanOf({"[] x []", "[1] x [1]", "32x16xf32", "8x16xf32", "32x8xf32"})
          ->Key(),
      key);
}

}  // namespace
}  // namespace lockstep::internal
