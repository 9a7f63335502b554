// What runs in the memory of an operand that nothing needs any more.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/executable/executable.h"
#include "runtime/frontend/parser.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

std::shared_ptr<const Executable> CompileOnCpu(const std::string& text) {
  auto module = ParseAndVerify(text, "in_place");
  if (!module.ok()) return nullptr;
  auto executable =
      (*FindBackend("cpu"))
          ->Compile(*std::move(module), DeviceAssignment::Iota(1, 1), {});
  return executable.ok() ? *executable : nullptr;
}

const char kLoop[] = R"(
func.func @main(%n: tensor<i32>, %u: tensor<3x4xf32>) -> tensor<64x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %f0 = stablehlo.constant dense<0.0> : tensor<64x4xf32>
  %r:2 = stablehlo.while(%i = %zero, %x = %f0) : tensor<i32>, tensor<64x4xf32>
  cond {
    %t = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %at = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %new = "stablehlo.scatter"(%x, %at, %u) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
        : (tensor<64x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<64x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %new : tensor<i32>, tensor<64x4xf32>
  }
  return %r#1 : tensor<64x4xf32>
})";

TEST(InPlace, ScatterInALoopWritesOnlyTheUpdates) {
  const auto executable = CompileOnCpu(kLoop);
  ASSERT_NE(executable, nullptr);
  const std::string dump = executable->ToString({false});
  EXPECT_TRUE(absl::StrContains(dump, "copied=0")) << dump;
  EXPECT_EQ(Disagreement(kLoop,
                         {Literal::Scalar<int32_t>(62),
                          SmallValues(Shape(ElementType::kF32, {3, 4}), 7)},
                         0),
            "");
}

// A loop that updates a tensor in one of two branches, as BRANCHES say, and
// uses the old one AFTER that.
std::string BranchLoop(const std::string& branches, const std::string& after) {
  return absl::StrReplaceAll(
      R"(
func.func @main(%n: tensor<i32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %u = stablehlo.constant dense<7.0> : tensor<1xf32>
  %z = stablehlo.add %y, %y : tensor<64xf32>
  %r:2 = stablehlo.while(%i = %zero, %x = %z) : tensor<i32>, tensor<64xf32>
  cond {
    %t = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %which = stablehlo.remainder %i, %two : tensor<i32>
    %c = "stablehlo.case"(%which) (BRANCHES) : (tensor<i32>) -> tensor<64xf32>
AFTER
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<64xf32>
  }
  return %r#1 : tensor<64xf32>
})",
      {{"BRANCHES", branches}, {"AFTER", after}});
}

const char kSame[] = "{\n stablehlo.return %x : tensor<64xf32>\n }";
const char kUpdate[] = R"({
      %d = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<64xf32>, tensor<1xf32>, tensor<i32>) -> tensor<64xf32>
      stablehlo.return %d : tensor<64xf32>
    })";
const char kUpdateInALoop[] = R"({
      %w:2 = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, tensor<64xf32>
      cond {
        %p = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %d = stablehlo.dynamic_update_slice %v, %u, %k : (tensor<64xf32>, tensor<1xf32>, tensor<i32>) -> tensor<64xf32>
        %l = stablehlo.add %k, %one : tensor<i32>
        stablehlo.return %l, %d : tensor<i32>, tensor<64xf32>
      }
      stablehlo.return %w#1 : tensor<64xf32>
    })";
const char kOldValueInALoop[] = R"({
      %w:2 = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, tensor<64xf32>
      cond {
        %p = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %s = stablehlo.dynamic_slice %x, %one, sizes = [1] : (tensor<64xf32>, tensor<i32>) -> tensor<1xf32>
        %q = stablehlo.add %s, %u : tensor<1xf32>
        %d = stablehlo.dynamic_update_slice %v, %q, %one : (tensor<64xf32>, tensor<1xf32>, tensor<i32>) -> tensor<64xf32>
        %l = stablehlo.add %k, %one : tensor<i32>
        stablehlo.return %l, %d : tensor<i32>, tensor<64xf32>
      }
      stablehlo.return %w#1 : tensor<64xf32>
    })";
const char kNothing[] =
    "    %next = stablehlo.optimization_barrier %c : tensor<64xf32>";
const char kOldValueIsUsed[] =
    R"(    %s = stablehlo.reverse %x, dims = [0] : tensor<64xf32>
    %next = stablehlo.subtract %c, %s : tensor<64xf32>)";

struct BranchCase {
  const char* first;
  const char* second;
  const char* after;
  bool is_in_place;
};
const BranchCase kBranchCases[] = {
    {kSame, kUpdate, kNothing, true},
    {kUpdate, kSame, kNothing, true},
    {kUpdate, kUpdateInALoop, kNothing, true},
    {kUpdateInALoop, kUpdate, kNothing, true},
    {kSame, kUpdateInALoop, kNothing, true},
    {kSame, kOldValueInALoop, kNothing, false},
    {kOldValueInALoop, kUpdate, kNothing, false},
    {kSame, kUpdate, kOldValueIsUsed, false},
    {kUpdate, kSame, kOldValueIsUsed, false},
};

TEST(InPlace, ABranchInALoopUpdatesWhatTheLoopCarries) {
  for (const BranchCase& branch : kBranchCases) {
    const std::string text = BranchLoop(
        absl::StrCat(branch.first, ", ", branch.second), branch.after);
    ASSERT_TRUE(Verifies(text)) << text;
    const auto executable = CompileOnCpu(text);
    ASSERT_NE(executable, nullptr);
    const std::string dump = executable->ToString({false});
    // A counter that starts again is copied.
    EXPECT_EQ(absl::StrContains(dump, "copied=0") ||
                  absl::StrContains(dump, "copied=4"),
              branch.is_in_place)
        << text << dump;
    for (const int32_t rounds : {0, 1, 2, 7}) {
      EXPECT_EQ(Disagreement(text,
                             {Literal::Scalar<int32_t>(rounds),
                              SmallValues(Shape(ElementType::kF32, {64}), 3)},
                             0),
                "")
          << text;
    }
  }
}

const char kUsedLater[] = R"(
func.func @main(%x: tensor<6xf32>, %i: tensor<4x1xi32>, %u: tensor<4xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %a = stablehlo.add %x, %x : tensor<6xf32>
  %d = "stablehlo.scatter"(%a, %i, %u) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      stablehlo.return %q : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
      : (tensor<6xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<6xf32>
  %r = stablehlo.reverse %a, dims = [0] : tensor<6xf32>
  %s = stablehlo.multiply %d, %r : tensor<6xf32>
  return %s, %d : tensor<6xf32>, tensor<6xf32>
})";

const char kTwice[] = R"(
func.func @main(%x: tensor<6xf32>, %i: tensor<6x1xi32>) -> tensor<6xf32> {
  %a = stablehlo.add %x, %x : tensor<6xf32>
  %d = "stablehlo.scatter"(%a, %i, %a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
      : (tensor<6xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<6xf32>
  %s = stablehlo.multiply %d, %x : tensor<6xf32>
  return %s : tensor<6xf32>
})";

TEST(InPlace, AnOperandThatIsStillNeededIsCopied) {
  for (const char* text : {kUsedLater, kTwice}) {
    ASSERT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << text;
  }
}

}  // namespace
}  // namespace lockstep::internal
