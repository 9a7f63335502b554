#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

// The body of a function of %a and %b that gives %r; T is the element type.
struct MovementCase {
  const char* name;
  const char* a;
  const char* b;
  const char* result;
  const char* body;
};
const MovementCase kCases[] = {
    {"Transpose3", "3x5x7", "1", "7x3x5",
     "%r = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<3x5x7xT>) -> "
     "tensor<7x3x5xT>"},
    {"TransposeMatrix", "65x130", "1", "130x65",
     "%r = stablehlo.transpose %a, dims = [1, 0] : (tensor<65x130xT>) -> "
     "tensor<130x65xT>"},
    {"TransposeTilesAndRests", "2x197x266", "1", "2x266x197",
     "%r = stablehlo.transpose %a, dims = [0, 2, 1] : (tensor<2x197x266xT>) "
     "-> tensor<2x266x197xT>"},
    {"BroadcastRow", "5", "1", "3x5",
     "%r = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<5xT>) -> "
     "tensor<3x5xT>"},
    {"BroadcastOne", "1x4", "1", "6x4x3",
     "%r = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<1x4xT>) -> "
     "tensor<6x4x3xT>"},
    {"SliceWithStride", "9x11", "1", "4x3",
     "%r = stablehlo.slice %a [1:9:2, 2:11:3] : (tensor<9x11xT>) -> "
     "tensor<4x3xT>"},
    {"Reverse", "4x6", "1", "4x6",
     "%r = stablehlo.reverse %a, dims = [0, 1] : tensor<4x6xT>"},
    {"ReshapeSplits", "12x5", "1", "3x4x5",
     "%r = stablehlo.reshape %a : (tensor<12x5xT>) -> tensor<3x4x5xT>"},
    {"ReshapeOddly", "4x9", "1", "6x6",
     "%r = stablehlo.reshape %a : (tensor<4x9xT>) -> tensor<6x6xT>"},
    {"Concatenate", "3x4", "3x5", "3x13",
     "%r = stablehlo.concatenate %a, %b, %a, dim = 1 : (tensor<3x4xT>, "
     "tensor<3x5xT>, tensor<3x4xT>) -> tensor<3x13xT>"},
    {"ConcatenateByTurns", "37x3x1", "37x3x1", "37x3x2",
     "%r = stablehlo.concatenate %a, %b, dim = 2 : (tensor<37x3x1xT>, "
     "tensor<37x3x1xT>) -> tensor<37x3x2xT>"},
    {"ConcatenateEmpty", "0x4", "2x4", "4x4",
     "%r = stablehlo.concatenate %b, %a, %b, dim = 0 : (tensor<2x4xT>, "
     "tensor<0x4xT>, tensor<2x4xT>) -> tensor<4x4xT>"},
    {"PadInterior", "3x4", "", "8x8",
     "%r = stablehlo.pad %a, %b, low = [1, -1], high = [2, 2], interior = [1, "
     "1] : (tensor<3x4xT>, tensor<T>) -> tensor<8x8xT>"},
    {"PadNegative", "6x7", "", "4x4",
     "%r = stablehlo.pad %a, %b, low = [-1, -2], high = [-1, -1], interior = "
     "[0, 0] : (tensor<6x7xT>, tensor<T>) -> tensor<4x4xT>"},
    {"Select", "4x5", "4x5", "4x5",
     "%p = stablehlo.iota dim = 1 : tensor<4x5xi32>\n"
     "%c = stablehlo.constant dense<2> : tensor<4x5xi32>\n"
     "%q = stablehlo.compare LT, %p, %c : (tensor<4x5xi32>, tensor<4x5xi32>) "
     "-> tensor<4x5xi1>\n"
     "%r = stablehlo.select %q, %a, %b : tensor<4x5xi1>, tensor<4x5xT>"},
    {"ReduceRows", "7x33", "", "7",
     "%r = stablehlo.reduce(%a init: %b) applies stablehlo.add across "
     "dimensions = [1] : (tensor<7x33xT>, tensor<T>) -> tensor<7xT>"},
    {"ReduceColumns", "33x70", "", "70",
     "%r = stablehlo.reduce(%a init: %b) applies stablehlo.maximum across "
     "dimensions = [0] : (tensor<33x70xT>, tensor<T>) -> tensor<70xT>"},
    {"ReduceOutside", "5x6x7", "", "6",
     "%r = stablehlo.reduce(%a init: %b) applies stablehlo.add across "
     "dimensions = [0, 2] : (tensor<5x6x7xT>, tensor<T>) -> tensor<6xT>"},
    {"ReduceAll", "130x70", "", "",
     "%r = stablehlo.reduce(%a init: %b) applies stablehlo.minimum across "
     "dimensions = [0, 1] : (tensor<130x70xT>, tensor<T>) -> tensor<T>"},
    {"ReduceWithBody", "6x9", "", "6",
     "%r = \"stablehlo.reduce\"(%a, %b) ({\n^bb0(%x: tensor<T>, %y: "
     "tensor<T>):\n%s = stablehlo.add %y, %y : tensor<T>\n%z = stablehlo.add "
     "%x, %s : tensor<T>\nstablehlo.return %z : tensor<T>}) {dimensions = "
     "array<i64: 1>} : (tensor<6x9xT>, tensor<T>) -> tensor<6xT>"},
    {"DotPlain", "17x9", "9x21", "17x21",
     "%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : "
     "(tensor<17x9xT>, tensor<9x21xT>) -> tensor<17x21xT>"},
    {"DotTransposed", "9x17", "21x9", "17x21",
     "%r = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1] : "
     "(tensor<9x17xT>, tensor<21x9xT>) -> tensor<17x21xT>"},
    {"DotAttention", "2x19x3x8", "2x23x3x8", "2x3x19x23",
     "%r = stablehlo.dot_general %a, %b, batching_dims = [0, 2] x [0, 2], "
     "contracting_dims = [3] x [3] : (tensor<2x19x3x8xT>, "
     "tensor<2x23x3x8xT>) -> tensor<2x3x19x23xT>"},
    {"DotTwoContracted", "4x5x6", "6x5x40", "4x40",
     "%r = stablehlo.dot_general %a, %b, contracting_dims = [1, 2] x [1, 0] : "
     "(tensor<4x5x6xT>, tensor<6x5x40xT>) -> tensor<4x40xT>"},
    {"DotVector", "64", "64x50", "50",
     "%r = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : "
     "(tensor<64xT>, tensor<64x50xT>) -> tensor<50xT>"},
    {"DotTiny", "2x3", "3x2", "2x2",
     "%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : "
     "(tensor<2x3xT>, tensor<3x2xT>) -> tensor<2x2xT>"},
    {"DotFreeInTheMiddle", "3x40x5", "5x3x30", "3x40x30",
     "%r = stablehlo.dot_general %a, %b, batching_dims = [0] x [1], "
     "contracting_dims = [2] x [0] : (tensor<3x40x5xT>, tensor<5x3x30xT>) -> "
     "tensor<3x40x30xT>"},
};

std::string TensorOf(absl::string_view dims) {
  return absl::StrCat("tensor<", dims, dims.empty() ? "T>" : "xT>");
}

class MovementDifferentialTest : public ::testing::TestWithParam<MovementCase> {
};
INSTANTIATE_TEST_SUITE_P(Cases, MovementDifferentialTest,
                         ::testing::ValuesIn(kCases), [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_P(MovementDifferentialTest, EveryTypeAgreesExactly) {
  for (const char* type : {"i1", "i8", "i32", "ui64", "f16", "bf16", "f32",
                           "f64", "complex<f32>"}) {
    const MovementCase& row = GetParam();
    const std::string text = absl::StrReplaceAll(
        absl::StrCat("func.func @main(%a: ", TensorOf(row.a), ", %b: ",
                     TensorOf(row.b), ") -> ", TensorOf(row.result), " {\n",
                     row.body, "\nreturn %r : ", TensorOf(row.result), "\n}"),
        {{"xT>", absl::StrCat("x", type, ">")},
         {"<T>", absl::StrCat("<", type, ">")}});
    EXPECT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << text;
  }
}

}  // namespace
}  // namespace lockstep::internal
