#include <string>

#include "gtest/gtest.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

// Whole programs, before and after the passes that fuse.
struct ProgramCase {
  const char* name;
  int64_t ulps;  // reductions of floats may be in another order
  const char* text;
};
const ProgramCase kCases[] = {
    {"Softmax", 64, R"(
func.func @main(%x: tensor<37x129xf32>) -> tensor<37x129xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<37x129xf32>, tensor<f32>) -> tensor<37xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<37xf32>) -> tensor<37x129xf32>
  %s = stablehlo.subtract %x, %mb : tensor<37x129xf32>
  %e = stablehlo.exponential %s : tensor<37x129xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<37x129xf32>, tensor<f32>) -> tensor<37xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<37xf32>) -> tensor<37x129xf32>
  %r = stablehlo.divide %e, %tb : tensor<37x129xf32>
  return %r : tensor<37x129xf32>
})"},
    {"NormOfRowsThroughReshapes", 64, R"(
func.func @main(%x: tensor<4x6x10xf32>, %g: tensor<10xf32>) -> (tensor<24x10xf32>, tensor<4x6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<4x6x1xf32>
  %q = stablehlo.multiply %x, %x : tensor<4x6x10xf32>
  %s = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<4x6x10xf32>, tensor<f32>) -> tensor<4x6xf32>
  %k = stablehlo.reshape %s : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
  %p = stablehlo.add %k, %one : tensor<4x6x1xf32>
  %i = stablehlo.rsqrt %p : tensor<4x6x1xf32>
  %ib = stablehlo.broadcast_in_dim %i, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x10xf32>
  %gb = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<10xf32>) -> tensor<4x6x10xf32>
  %y = stablehlo.multiply %x, %ib : tensor<4x6x10xf32>
  %z = stablehlo.multiply %y, %gb : tensor<4x6x10xf32>
  %r = stablehlo.reshape %z : (tensor<4x6x10xf32>) -> tensor<24x10xf32>
  return %r, %s : tensor<24x10xf32>, tensor<4x6xf32>
})"},
    {"HeadsAreMerged", 0, R"(
func.func @main(%x: tensor<2x3x5x8xf32>, %b: tensor<24xf32>) -> tensor<2x5x24xf32> {
  %t = stablehlo.transpose %x, dims = [0, 2, 1, 3] : (tensor<2x3x5x8xf32>) -> tensor<2x5x3x8xf32>
  %r = stablehlo.reshape %t : (tensor<2x5x3x8xf32>) -> tensor<2x5x24xf32>
  %c = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<24xf32>) -> tensor<2x5x24xf32>
  %s = stablehlo.add %r, %c : tensor<2x5x24xf32>
  return %s : tensor<2x5x24xf32>
})"},
    {"SeveralOutputs", 0, R"(
func.func @main(%p: tensor<33x7xf32>, %m: tensor<33x7xf32>, %g: tensor<33x7xf32>)
    -> (tensor<33x7xf32>, tensor<33x7xf32>) {
  %b = stablehlo.constant dense<0.5> : tensor<33x7xf32>
  %a = stablehlo.multiply %m, %b : tensor<33x7xf32>
  %c = stablehlo.add %a, %g : tensor<33x7xf32>
  %d = stablehlo.multiply %c, %b : tensor<33x7xf32>
  %e = stablehlo.subtract %p, %d : tensor<33x7xf32>
  return %e, %c : tensor<33x7xf32>, tensor<33x7xf32>
})"},
    {"LoopUpdatesSlicesInPlace", 0, R"(
func.func @main(%x: tensor<9x4xf32>) -> (tensor<9x4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %f0 = stablehlo.constant dense<0.0> : tensor<9x4xf32>
  %c0 = stablehlo.constant dense<1.0> : tensor<4xf32>
  %r:3 = stablehlo.while(%i = %zero, %out = %f0, %carry = %c0) : tensor<i32>, tensor<9x4xf32>, tensor<4xf32>
  cond {
    %t = stablehlo.compare LT, %i, %nine, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 4] : (tensor<9x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %flat = stablehlo.reshape %row : (tensor<1x4xf32>) -> tensor<4xf32>
    %next = stablehlo.add %carry, %flat : tensor<4xf32>
    %up = stablehlo.reshape %next : (tensor<4xf32>) -> tensor<1x4xf32>
    %new = stablehlo.dynamic_update_slice %out, %up, %i, %zero : (tensor<9x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<9x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %new, %next : tensor<i32>, tensor<9x4xf32>, tensor<4xf32>
  }
  return %r#1, %r#2 : tensor<9x4xf32>, tensor<4xf32>
})"},
    {"LoopSwapsWhatItCarries", 0, R"(
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<3xf32>, tensor<3xf32>
  cond {
    %t = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %s = stablehlo.add %a, %b : tensor<3xf32>
    %u = stablehlo.negate %a : tensor<3xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %s, %u : tensor<i32>, tensor<3xf32>, tensor<3xf32>
  }
  return %r#1, %r#2 : tensor<3xf32>, tensor<3xf32>
})"},
    {"UpdateOfWhatIsReadLater", 0, R"(
func.func @main(%x: tensor<6xf32>, %u: tensor<2xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %i = stablehlo.constant dense<3> : tensor<i32>
  %a = stablehlo.add %x, %x : tensor<6xf32>
  %d = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<6xf32>, tensor<2xf32>, tensor<i32>) -> tensor<6xf32>
  %r = stablehlo.reverse %a, dims = [0] : tensor<6xf32>
  %s = stablehlo.multiply %d, %r : tensor<6xf32>
  %n = stablehlo.negate %s : tensor<6xf32>
  %t = stablehlo.reverse %n, dims = [0] : tensor<6xf32>
  %q = stablehlo.add %n, %t : tensor<6xf32>
  return %q, %d : tensor<6xf32>, tensor<6xf32>
})"},
    {"GatherOfRows", 0, R"(
func.func @main(%x: tensor<7x5xf32>, %i: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  %r = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 5>} : (tensor<7x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
})"},
    {"GatherOfWindows", 0, R"(
func.func @main(%x: tensor<6x8xf32>, %i: tensor<2x4xi64>) -> tensor<3x4x2xf32> {
  %r = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [0, 2],
      start_index_map = [1, 0], index_vector_dim = 0>,
      slice_sizes = array<i64: 3, 2>} : (tensor<6x8xf32>, tensor<2x4xi64>) -> tensor<3x4x2xf32>
  return %r : tensor<3x4x2xf32>
})"},
    {"LargeReduceOfColumns", 64, R"(
func.func @main(%x: tensor<65x2100xbf16>, %z: tensor<bf16>) -> tensor<2100xbf16> {
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
      : (tensor<65x2100xbf16>, tensor<bf16>) -> tensor<2100xbf16>
  return %r : tensor<2100xbf16>
})"},
    {"LargeOutputsGoAroundTheCaches", 0, R"(
func.func @main(%x: tensor<8392709xf32>) -> tensor<8392709xf32> {
  %r = stablehlo.add %x, %x : tensor<8392709xf32>
  return %r : tensor<8392709xf32>
})"},
    {"LargeRowsAndColumnsGoAroundTheCaches", 0, R"(
func.func @main(%x: tensor<4112x2064xf32>) -> (tensor<4112x2064xf32>, tensor<2064x4112xf32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<4112x2064xf32>, tensor<f32>) -> tensor<4112xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<4112xf32>) -> tensor<4112x2064xf32>
  %s = stablehlo.subtract %x, %mb : tensor<4112x2064xf32>
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<4112x2064xf32>) -> tensor<2064x4112xf32>
  return %s, %t : tensor<4112x2064xf32>, tensor<2064x4112xf32>
})"},
    {"LargeTranspose", 0, R"(
func.func @main(%x: tensor<3x515x301xf32>) -> tensor<301x3x515xf32> {
  %r = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<3x515x301xf32>) -> tensor<301x3x515xf32>
  return %r : tensor<301x3x515xf32>
})"},
};

class ProgramDifferentialTest : public ::testing::TestWithParam<ProgramCase> {};
INSTANTIATE_TEST_SUITE_P(Programs, ProgramDifferentialTest,
                         ::testing::ValuesIn(kCases), [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_P(ProgramDifferentialTest, AgreesAsItIsWritten) {
  ASSERT_TRUE(Verifies(GetParam().text));
  EXPECT_EQ(DisagreementOn(GetParam().text, false, GetParam().ulps), "");
}

TEST_P(ProgramDifferentialTest, AgreesAfterTheOptimisationPasses) {
  EXPECT_EQ(DisagreementOn(GetParam().text, false, GetParam().ulps,
                           /*is_optimized=*/true),
            "");
}

}  // namespace
}  // namespace lockstep::internal
