// What runs in the memory of an operand that nothing needs any more.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
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
