#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

// Geometries of scatter: T is the element type, I that of the indices. The
// indices are small integers, some of them outside, many of them equal.
struct ScatterCase {
  const char* name;
  const char* input;
  const char* indices;
  const char* updates;
  const char* numbers;
};
const ScatterCase kCases[] = {
    {"Elements", "5xT", "40x1xI", "40xT",
     "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
     "index_vector_dim = 1"},
    {"ElementsWithoutVectorDim", "5xT", "4x9xI", "4x9xT",
     "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
     "index_vector_dim = 2"},
    {"ElementsOfMatrix", "3x4xT", "50x2xI", "50xT",
     "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], "
     "index_vector_dim = 1"},
    {"ElementsSwappedMap", "3x4xT", "2x50xI", "50xT",
     "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], "
     "index_vector_dim = 0"},
    {"Rows", "4x19xT", "11x1xI", "11x19xT",
     "update_window_dims = [1], inserted_window_dims = [0], "
     "scatter_dims_to_operand_dims = [0], index_vector_dim = 1"},
    {"Planes", "4x3x5xT", "6x1xI", "6x3x5xT",
     "update_window_dims = [1, 2], inserted_window_dims = [0], "
     "scatter_dims_to_operand_dims = [0], index_vector_dim = 1"},
    {"PartsOfRows", "4x9xT", "7x2xI", "7x5xT",
     "update_window_dims = [1], inserted_window_dims = [0], "
     "scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1"},
    {"FirstPartsOfRows", "4x9xT", "7x1xI", "7x5xT",
     "update_window_dims = [1], inserted_window_dims = [0], "
     "scatter_dims_to_operand_dims = [0], index_vector_dim = 1"},
    {"WindowsPartlyOutside", "5x6xT", "9x2xI", "9x3x4xT",
     "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], "
     "index_vector_dim = 1"},
    {"BlocksOfRowsPartlyOutside", "5x6xT", "9x1xI", "9x3x6xT",
     "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0], "
     "index_vector_dim = 1"},
    {"WindowBeforePositions", "5x6xT", "9x1xI", "3x6x9xT",
     "update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0], "
     "index_vector_dim = 1"},
    {"Columns", "6x5xT", "7x1xI", "6x7xT",
     "update_window_dims = [0], inserted_window_dims = [1], "
     "scatter_dims_to_operand_dims = [1], index_vector_dim = 1"},
    {"OneWindow", "6x5xT", "2xI", "3x2xT",
     "update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], "
     "index_vector_dim = 0"},
    {"Batches", "3x4x2xT", "3x8x1xI", "3x8x2xT",
     "update_window_dims = [2], inserted_window_dims = [1], "
     "input_batching_dims = [0], scatter_indices_batching_dims = [0], "
     "scatter_dims_to_operand_dims = [1], index_vector_dim = 2"},
    {"TwoBatchDims", "2x5x3xT", "3x2x7x1xI", "3x2x7xT",
     "inserted_window_dims = [1], input_batching_dims = [0, 2], "
     "scatter_indices_batching_dims = [1, 0], "
     "scatter_dims_to_operand_dims = [1], index_vector_dim = 3"},
    {"RowsOfAMatrixOfRows", "3x4x17xT", "50x2xI", "50x17xT",
     "update_window_dims = [1], inserted_window_dims = [0, 1], "
     "scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1"},
    {"RowsByTwoDimsOfIndices", "5x16xT", "4x6x1xI", "4x6x16xT",
     "update_window_dims = [2], inserted_window_dims = [0], "
     "scatter_dims_to_operand_dims = [0], index_vector_dim = 2"},
    {"VectorBetweenDimsOfIndices", "3x4x5xT", "4x2x6xI", "4x6x5xT",
     "update_window_dims = [2], inserted_window_dims = [0, 1], "
     "scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1"},
    {"BatchesOfManyUpdates", "3x4x2xT", "3x20x1xI", "3x20x2xT",
     "update_window_dims = [2], inserted_window_dims = [1], "
     "input_batching_dims = [0], scatter_indices_batching_dims = [0], "
     "scatter_dims_to_operand_dims = [1], index_vector_dim = 2"},
    {"BatchesVectorFirst", "2x3x4xT", "2x2x9xI", "2x9xT",
     "inserted_window_dims = [1, 2], input_batching_dims = [0], "
     "scatter_indices_batching_dims = [0], "
     "scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 1"},
    {"WindowsOfSizeOne", "5x1xT", "8x2xI", "8x1xT",
     "update_window_dims = [1], inserted_window_dims = [0], "
     "scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1"},
    {"NoUpdates", "5xT", "0x1xI", "0xT",
     "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
     "index_vector_dim = 1"},
    {"EmptyInput", "0x3xT", "4x1xI", "4x3xT",
     "update_window_dims = [1], inserted_window_dims = [0], "
     "scatter_dims_to_operand_dims = [0], index_vector_dim = 1"},
};
const char* const kBodies[] = {
    "%s = stablehlo.add %a, %b : tensor<T>\n"
    "stablehlo.return %s : tensor<T>\n",
    "stablehlo.return %b : tensor<T>\n",
    // The order of the updates shows.
    "%t = stablehlo.add %b, %b : tensor<T>\n"
    "%s = stablehlo.maximum %a, %t : tensor<T>\n"
    "%v = stablehlo.add %s, %b : tensor<T>\n"
    "stablehlo.return %v : tensor<T>\n",
};

std::string TextOf(const ScatterCase& row, const char* body,
                   absl::string_view type, absl::string_view index) {
  const auto tensor = [](const char* dims) {
    return absl::StrCat("tensor<", dims, ">");
  };
  const std::string input = tensor(row.input);
  return absl::StrReplaceAll(
      absl::StrCat("func.func @main(%x: ", input, ", %i: ", tensor(row.indices),
                   ", %u: ", tensor(row.updates), ") -> ", input,
                   " {\n%r = \"stablehlo.scatter\"(%x, %i, %u) ({\n",
                   "^bb0(%a: tensor<T>, %b: tensor<T>):\n", body,
                   "}) {scatter_dimension_numbers = #stablehlo.scatter<",
                   row.numbers, ">} : (", input, ", ", tensor(row.indices),
                   ", ", tensor(row.updates), ") -> ", input,
                   "\nreturn %r : ", input, "\n}"),
      {{"xT>", absl::StrCat("x", type, ">")},
       {"<T>", absl::StrCat("<", type, ">")},
       {"xI>", absl::StrCat("x", index, ">")}});
}

class ScatterDifferentialTest : public ::testing::TestWithParam<ScatterCase> {};
INSTANTIATE_TEST_SUITE_P(Cases, ScatterDifferentialTest,
                         ::testing::ValuesIn(kCases), [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_P(ScatterDifferentialTest, EveryBodyAndTypeAgreesExactly) {
  for (const char* body : kBodies) {
    for (const char* type :
         {"i1", "i8", "ui32", "bf16", "f32", "f64", "complex<f64>"}) {
      const std::string text = TextOf(GetParam(), body, type, "i32");
      if (std::string(type) != "complex<f64>") {
        ASSERT_TRUE(Verifies(text)) << text;
      }
      EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << text;
    }
  }
}

TEST_P(ScatterDifferentialTest, EveryTypeOfIndexAgreesExactly) {
  for (const char* index :
       {"i8", "i16", "i64", "ui8", "ui16", "ui32", "ui64"}) {
    const std::string text = TextOf(GetParam(), kBodies[0], "i32", index);
    ASSERT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << text;
    EXPECT_EQ(DisagreementOn(text, /*tricky=*/true, 0), "") << text;
  }
}

TEST(ScatterDifferential, SeveralOperandsAreUpdatedTogether) {
  const std::string text = R"(
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xi8>, %i: tensor<30x1xi32>, %u: tensor<30x6xf32>, %v: tensor<30x6xi8>)
    -> (tensor<4x6xf32>, tensor<4x6xi8>) {
  %r:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i8>, %c: tensor<f32>, %d: tensor<i8>):
      %p = stablehlo.compare GT, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s = stablehlo.select %p, %a, %c : tensor<i1>, tensor<f32>
      %t = stablehlo.select %p, %b, %d : tensor<i1>, tensor<i8>
      stablehlo.return %s, %t : tensor<f32>, tensor<i8>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
      : (tensor<4x6xf32>, tensor<4x6xi8>, tensor<30x1xi32>, tensor<30x6xf32>, tensor<30x6xi8>)
      -> (tensor<4x6xf32>, tensor<4x6xi8>)
  return %r#0, %r#1 : tensor<4x6xf32>, tensor<4x6xi8>
})";
  ASSERT_TRUE(Verifies(text));
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "");
}

// More updates than are looked at together.
TEST(ScatterDifferential, ManyUpdates) {
  const std::string text = R"(
func.func @main(%x: tensor<5xi32>, %i: tensor<5000x1xi32>, %u: tensor<5000xi32>) -> tensor<5xi32> {
  %r = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.constant dense<3> : tensor<i32>
      %m = stablehlo.multiply %a, %c : tensor<i32>
      %s = stablehlo.add %m, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
      : (tensor<5xi32>, tensor<5000x1xi32>, tensor<5000xi32>) -> tensor<5xi32>
  return %r : tensor<5xi32>
})";
  ASSERT_TRUE(Verifies(text));
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "");
}

// So many bytes that threads share the rows.
TEST(ScatterDifferential, ManyLongRows) {
  const ScatterCase row = {
      "ManyLongRows", "13x300xT", "700x1xI", "700x300xT",
      "update_window_dims = [1], inserted_window_dims = [0], "
      "scatter_dims_to_operand_dims = [0], index_vector_dim = 1"};
  for (const char* body : kBodies) {
    EXPECT_EQ(DisagreementOn(TextOf(row, body, "f32", "i32"), false, 0), "");
  }
  const ScatterCase batches = {
      "ManyBatches", "6x13x70xT", "6x200x1xI", "6x200x70xT",
      "update_window_dims = [2], inserted_window_dims = [1], "
      "input_batching_dims = [0], scatter_indices_batching_dims = [0], "
      "scatter_dims_to_operand_dims = [1], index_vector_dim = 2"};
  for (const char* body : kBodies) {
    EXPECT_EQ(DisagreementOn(TextOf(batches, body, "f32", "i32"), false, 0),
              "");
  }
}

}  // namespace
}  // namespace lockstep::internal
