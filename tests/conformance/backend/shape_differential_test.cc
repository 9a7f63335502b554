#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

// Sizes at which kernels change: whole packs of 16 bytes and not, rows of a few
// threads, of a warp, of a block, that registers hold and that they do not, few
// rows that are cut into slices, tiles that are full and that are not.
struct ShapeCase {
  const char* name;
  const char* types;  // that T stands for
  int64_t ulps;
  // A, B, C: sizes.
  const char* text;
  std::vector<const char*> sizes;  // "A,B,C"
};

const char kSumOfAll[] = R"(
func.func @main(%x: tensor<AxT>, %z: tensor<T>) -> (tensor<T>, tensor<T>) {
  %zero = stablehlo.constant dense<ZERO> : tensor<T>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<AxT>, tensor<T>) -> tensor<T>
  %m = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
      : (tensor<AxT>, tensor<T>) -> tensor<T>
  return %s, %m : tensor<T>, tensor<T>
})";
const char kMaximaOfRows[] = R"(
func.func @main(%x: tensor<AxBxT>, %y: tensor<AxBxT>, %z: tensor<T>) -> tensor<AxT> {
  %p = stablehlo.maximum %x, %y : tensor<AxBxT>
  %m = stablehlo.reduce(%p init: %z) applies stablehlo.maximum across dimensions = [1]
      : (tensor<AxBxT>, tensor<T>) -> tensor<AxT>
  return %m : tensor<AxT>
})";
const char kArgumentsOfMaxima[] = R"(
func.func @main(%x: tensor<AxBxT>) -> (tensor<AxT>, tensor<Axi32>) {
  %i = stablehlo.iota dim = 1 : tensor<AxBxi32>
  %low = stablehlo.constant dense<LOW> : tensor<T>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%x, %i, %low, %zero) ({
  ^bb0(%a: tensor<T>, %b: tensor<i32>, %c: tensor<T>, %d: tensor<i32>):
    %p = stablehlo.compare GE, %a, %c : (tensor<T>, tensor<T>) -> tensor<i1>
    %v = stablehlo.select %p, %a, %c : tensor<i1>, tensor<T>
    %w = stablehlo.select %p, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<T>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<AxBxT>, tensor<AxBxi32>, tensor<T>, tensor<i32>)
      -> (tensor<AxT>, tensor<Axi32>)
  return %r#0, %r#1 : tensor<AxT>, tensor<Axi32>
})";
const char kSumsOfOuterAndInner[] = R"(
func.func @main(%x: tensor<AxBxCxT>) -> (tensor<BxT>, tensor<BxT>) {
  %zero = stablehlo.constant dense<ZERO> : tensor<T>
  %q = stablehlo.multiply %x, %x : tensor<AxBxCxT>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 2]
      : (tensor<AxBxCxT>, tensor<T>) -> tensor<BxT>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [0, 2]
      : (tensor<AxBxCxT>, tensor<T>) -> tensor<BxT>
  return %s, %t : tensor<BxT>, tensor<BxT>
})";
const char kSumsOfColumns[] = R"(
func.func @main(%x: tensor<AxBxT>, %y: tensor<BxT>, %z: tensor<T>) -> tensor<BxT> {
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
      : (tensor<AxBxT>, tensor<T>) -> tensor<BxT>
  %r = stablehlo.add %s, %y : tensor<BxT>
  return %r : tensor<BxT>
})";
const char kSoftmax[] = R"(
func.func @main(%x: tensor<AxBxT>) -> tensor<AxBxT> {
  %low = stablehlo.constant dense<-100.0> : tensor<T>
  %zero = stablehlo.constant dense<0.0> : tensor<T>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<AxBxT>, tensor<T>) -> tensor<AxT>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<AxT>) -> tensor<AxBxT>
  %s = stablehlo.subtract %x, %mb : tensor<AxBxT>
  %e = stablehlo.exponential %s : tensor<AxBxT>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<AxBxT>, tensor<T>) -> tensor<AxT>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<AxT>) -> tensor<AxBxT>
  %r = stablehlo.divide %e, %tb : tensor<AxBxT>
  return %r : tensor<AxBxT>
})";
const char kNorm[] = R"(
func.func @main(%x: tensor<AxBxT>, %g: tensor<BxT>) -> (tensor<AxBxT>, tensor<AxT>) {
  %zero = stablehlo.constant dense<0.0> : tensor<T>
  %one = stablehlo.constant dense<1.0> : tensor<AxT>
  %m = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<AxBxT>, tensor<T>) -> tensor<AxT>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<AxT>) -> tensor<AxBxT>
  %c = stablehlo.subtract %x, %mb : tensor<AxBxT>
  %q = stablehlo.multiply %x, %x : tensor<AxBxT>
  %d = stablehlo.subtract %q, %mb : tensor<AxBxT>
  %v = stablehlo.reduce(%d init: %zero) applies stablehlo.maximum across dimensions = [1]
      : (tensor<AxBxT>, tensor<T>) -> tensor<AxT>
  %w = stablehlo.add %v, %one : tensor<AxT>
  %i = stablehlo.rsqrt %w : tensor<AxT>
  %ib = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<AxT>) -> tensor<AxBxT>
  %gb = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<BxT>) -> tensor<AxBxT>
  %y = stablehlo.multiply %c, %ib : tensor<AxBxT>
  %r = stablehlo.multiply %y, %gb : tensor<AxBxT>
  return %r, %i : tensor<AxBxT>, tensor<AxT>
})";
const char kBroadcasts[] = R"(
func.func @main(%x: tensor<AxBxT>, %r: tensor<BxT>, %c: tensor<AxT>, %p: tensor<AxBxi1>)
    -> (tensor<AxBxT>, tensor<AxBxi8>) {
  %rb = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<BxT>) -> tensor<AxBxT>
  %cb = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<AxT>) -> tensor<AxBxT>
  %s = stablehlo.add %x, %rb : tensor<AxBxT>
  %t = stablehlo.multiply %s, %cb : tensor<AxBxT>
  %u = stablehlo.select %p, %t, %x : tensor<AxBxi1>, tensor<AxBxT>
  %v = stablehlo.convert %p : (tensor<AxBxi1>) -> tensor<AxBxi8>
  return %u, %v : tensor<AxBxT>, tensor<AxBxi8>
})";
// Pieces that begin where whole packs do, and not.
const char kSlices[] = R"(
func.func @main(%x: tensor<AxBxT>) -> tensor<AxCxT> {
  %a = stablehlo.slice %x [0:A, 16:END16] : (tensor<AxBxT>) -> tensor<AxCxT>
  %b = stablehlo.slice %x [0:A, 1:END1] : (tensor<AxBxT>) -> tensor<AxCxT>
  %r = stablehlo.add %a, %b : tensor<AxCxT>
  return %r : tensor<AxCxT>
})";
const char kTranspose[] = R"(
func.func @main(%x: tensor<AxBxT>) -> tensor<BxAxT> {
  %r = stablehlo.transpose %x, dims = [1, 0] : (tensor<AxBxT>) -> tensor<BxAxT>
  return %r : tensor<BxAxT>
})";
const char kTransposeOfBatches[] = R"(
func.func @main(%x: tensor<AxBxCxT>) -> (tensor<AxCxBxT>, tensor<CxAxBxT>) {
  %r = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<AxBxCxT>) -> tensor<AxCxBxT>
  %s = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<AxBxCxT>) -> tensor<CxAxBxT>
  return %r, %s : tensor<AxCxBxT>, tensor<CxAxBxT>
})";
const char kSumOfTransposes[] = R"(
func.func @main(%x: tensor<AxBxT>, %y: tensor<AxBxT>, %w: tensor<BxAxT>, %c: tensor<AxT>)
    -> (tensor<BxAxT>, tensor<BxAxi1>) {
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<AxBxT>) -> tensor<BxAxT>
  %yt = stablehlo.transpose %y, dims = [1, 0] : (tensor<AxBxT>) -> tensor<BxAxT>
  %cb = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<AxT>) -> tensor<BxAxT>
  %s = stablehlo.add %xt, %yt : tensor<BxAxT>
  %t = stablehlo.multiply %s, %w : tensor<BxAxT>
  %u = stablehlo.add %t, %cb : tensor<BxAxT>
  %p = stablehlo.compare LT, %u, %w : (tensor<BxAxT>, tensor<BxAxT>) -> tensor<BxAxi1>
  return %u, %p : tensor<BxAxT>, tensor<BxAxi1>
})";

const ShapeCase kCases[] = {
    {"SumOfAll",
     "f32,bf16,i8,i1,complex<f32>",
     0,
     kSumOfAll,
     {"0", "1", "3", "64", "8191", "40000", "70000", "70001"}},
    {"SumOfAllOfOtherTypes", "f16,f64,i32", 0, kSumOfAll, {"7", "140000"}},
    {"MaximaOfRows",
     "f32,bf16,i8",
     0,
     kMaximaOfRows,
     {"1,1", "5,8", "300,4", "9,100", "3,1028", "3,1031", "2,40000", "40,17000",
      "3,0"}},
    // Elements are equal often: it matters which one is first.
    {"ArgumentsOfMaxima",
     "i32",
     0,
     kArgumentsOfMaxima,
     {"3,128", "3,4097", "1,16384", "2,40001"}},
    {"SumsOfOuterAndInner",
     "f32,bf16",
     0,
     kSumsOfOuterAndInner,
     {"3,5,4", "2,3,129", "40,3,1024", "700,2,36"}},
    {"SumsOfColumns",
     "f32,bf16,i8,complex<f32>",
     0,
     kSumsOfColumns,
     {"3,9", "100,33", "2000,8", "9001,40", "300,1000"}},
    // The oracle adds in order, and long rows of it not so well.
    {"Softmax",
     "f32,bf16",
     2048,
     kSoftmax,
     {"1,1", "3,3", "70,8", "9,12", "3,100", "2,1000", "2,1024", "2,1028",
      "1,4097", "1,20000", "1,33000", "1,40001"}},
    {"SoftmaxOfOtherTypes", "f16,f64", 2048, kSoftmax, {"3,16", "2,2048"}},
    {"Norm",
     "f32,bf16,f64",
     64,
     kNorm,
     {"2,3", "33,16", "3,1000", "1,8192", "1,36864"}},
    {"Broadcasts",
     "f32,bf16,i8,complex<f32>,f64",
     0,
     kBroadcasts,
     {"3,5", "64,128", "50,102", "100,1001", "2,2049", "1,2051"}},
    {"Slices",
     "f32,bf16,i8",
     0,
     kSlices,
     {"64,80,64", "64,85,64", "1,4200,4184", "1,4201,4182", "9,600,501"}},
    {"Transpose",
     "f32,bf16,i8,i1,f64,complex<f64>",
     0,
     kTranspose,
     {"64,64", "72,136", "65,130", "1000,8", "8,1000", "2052,4", "100,41"}},
    {"TransposeOfBatches",
     "f32,bf16",
     0,
     kTransposeOfBatches,
     {"3,64,72", "2,33,70", "8,24,40", "5,1,1000"}},
    {"SumOfTransposes",
     "f32,bf16,f64",
     0,
     kSumOfTransposes,
     {"64,80", "65,80", "67,71"}},
};

// The text for one type and "A,B,C".
std::string TextOf(const char* text, absl::string_view type,
                   absl::string_view size) {
  std::vector<std::string> sizes = absl::StrSplit(size, ',');
  sizes.resize(3, "0");
  const int64_t c = std::stoll(sizes[2]);
  const std::string zero = type == "i1"                  ? "false"
                           : absl::StartsWith(type, "c") ? "(0.0, 0.0)"
                           : absl::StartsWith(type, "i") ? "0"
                                                         : "0.0";
  // Sizes stand before an x or within the brackets of a slice.
  return absl::StrReplaceAll(
      text, {{"ZERO", zero},
             {"LOW", "-100"},
             {"END16", absl::StrCat(16 + c)},
             {"END1", absl::StrCat(1 + c)},
             {"[0:A,", absl::StrCat("[0:", sizes[0], ",")},
             {"<Ax", absl::StrCat("<", sizes[0], "x")},
             {"<Bx", absl::StrCat("<", sizes[1], "x")},
             {"<Cx", absl::StrCat("<", sizes[2], "x")},
             {"<AxBx", absl::StrCat("<", sizes[0], "x", sizes[1], "x")},
             {"<AxCx", absl::StrCat("<", sizes[0], "x", sizes[2], "x")},
             {"<BxAx", absl::StrCat("<", sizes[1], "x", sizes[0], "x")},
             {"<AxBxCx",
              absl::StrCat("<", sizes[0], "x", sizes[1], "x", sizes[2], "x")},
             {"<AxCxBx",
              absl::StrCat("<", sizes[0], "x", sizes[2], "x", sizes[1], "x")},
             {"<CxAxBx",
              absl::StrCat("<", sizes[2], "x", sizes[0], "x", sizes[1], "x")}});
}
std::string WithType(std::string text, absl::string_view type) {
  return absl::StrReplaceAll(text, {{"xT>", absl::StrCat("x", type, ">")},
                                    {"<T>", absl::StrCat("<", type, ">")}});
}

class ShapeDifferentialTest : public ::testing::TestWithParam<ShapeCase> {};
INSTANTIATE_TEST_SUITE_P(Shapes, ShapeDifferentialTest,
                         ::testing::ValuesIn(kCases), [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_P(ShapeDifferentialTest, AgreesForAllSizes) {
  for (const absl::string_view type : absl::StrSplit(GetParam().types, ',')) {
    for (const char* size : GetParam().sizes) {
      const std::string text =
          WithType(TextOf(GetParam().text, type, size), type);
      ASSERT_TRUE(Verifies(text)) << text;
      EXPECT_EQ(DisagreementOn(text, false, GetParam().ulps,
                               /*is_optimized=*/true),
                "")
          << type << " " << size;
    }
  }
}

// Values of which no two sums in another order are alike.
Literal Fractions(const Shape& shape) {
  Literal literal(shape);
  uint32_t state = 1;
  for (float& x : literal.mutable_data<float>()) {
    state = state * 1664525 + 1013904223;
    x = static_cast<float>(state >> 8) * 0x1p-24f;
  }
  return literal;
}

TEST(ShapeDifferentialTest, SumsInSlicesAreTheSameEachTime) {
  const std::string all = WithType(TextOf(kSumOfAll, "f32", "70000"), "f32");
  const std::string columns =
      WithType(TextOf(kSumsOfColumns, "f32", "9001,40"), "f32");
  const Literal zero = Fractions(Shape(ElementType::kF32, {}));
  const std::vector<std::pair<std::string, std::vector<Literal>>> programs = {
      {all, {Fractions(Shape(ElementType::kF32, {70000})), zero}},
      {columns,
       {Fractions(Shape(ElementType::kF32, {9001, 40})),
        Fractions(Shape(ElementType::kF32, {40})), zero}}};
  for (const auto& [text, arguments] : programs) {
    const auto first = RunOnBoth(text, arguments, /*is_optimized=*/true);
    ASSERT_TRUE(first.ok()) << first.status();
    for (int i = 0; i < 3; ++i) {
      const auto again = RunOnBoth(text, arguments, /*is_optimized=*/true);
      ASSERT_TRUE(again.ok()) << again.status();
      for (size_t k = 0; k < first->cpu.size(); ++k) {
        EXPECT_EQ(std::memcmp(again->cpu[k].bytes(), first->cpu[k].bytes(),
                              first->cpu[k].shape().byte_size()),
                  0);
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
