// The targets of JAX before 0.5, which are configured by operands and have
// results for work space, compute what those with "_ffi" do.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/ops/custom_calls/lapack/lapack_testing.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kBatch = 2, kRows = 4, kColumns = 3;

// How an old target differs from the call of the other one.
struct OldForm {
  std::vector<std::string> scalars;  // "1 : i32": dense<1> : tensor<i32>
  std::vector<Shape> results;
  // Of these, which the others are; -1: not compared.
  std::vector<int> places;
};

template <typename T>
class OldFormsTest : public LapackTest<T> {
 protected:
  using Base = LapackTest<T>;

  static Shape Matrices(int64_t m, int64_t n) {
    return Base::ShapeOf(Base::Type(), {kBatch}, {m, n});
  }
  static Shape Vectors(ElementType type, int64_t n) {
    return Base::ShapeOf(type, {kBatch}, {n});
  }
  static Shape Infos() { return Shape(ElementType::kS32, {kBatch}); }
  static Shape Work(ElementType type) { return Shape(type, {7}); }

  static std::string OldText(const CallSpec& call, const OldForm& old) {
    std::vector<Shape> operands;
    std::string constants, names;
    for (size_t i = 0; i < old.scalars.size(); ++i) {
      const std::vector<std::string> parts =
          absl::StrSplit(old.scalars[i], " : ");
      absl::StrAppend(&constants, "  %c", i, " = stablehlo.constant dense<",
                      parts[0], "> : tensor<", parts[1], ">\n");
      absl::StrAppend(&names, "%c", i, ", ");
      operands.push_back(Shape(*ParseStablehloName(parts[1]), {}));
    }
    CallSpec spec = call;
    spec.target = std::string(absl::StripSuffix(call.target, "_ffi"));
    spec.results = old.results;
    operands.insert(operands.end(), call.operands.begin(), call.operands.end());
    std::vector<std::string> types, given;
    for (const Shape& shape : operands) types.push_back(shape.ToString());
    for (const Shape& shape : call.operands) given.push_back(shape.ToString());
    return absl::StrReplaceAll(
        CallText(spec),
        {{") {\n", absl::StrCat(") {\n", constants)},
         {absl::StrCat("@", spec.target, "("),
          absl::StrCat("@", spec.target, "(", names)},
         {LayoutsText(call.operands, 1), LayoutsText(operands, 1)},
         {absl::StrCat(": (", absl::StrJoin(given, ", ")),
          absl::StrCat(": (", absl::StrJoin(types, ", "))}});
  }

  static void ExpectSame(const CallSpec& call, const OldForm& old,
                         const std::vector<Literal>& operands) {
    SCOPED_TRACE(call.target);
    const auto expected = RunCall(call, operands);
    ASSERT_TRUE(expected.ok()) << expected.status();
    const std::string text = OldText(call, old);
    const auto module = ParseAndVerify(text, "t.mlir");
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
    const auto found = Evaluate(**module, operands);
    ASSERT_TRUE(found.ok()) << found.status() << "\n" << text;
    for (size_t i = 0; i < old.places.size(); ++i) {
      if (old.places[i] < 0) continue;
      EXPECT_EQ((*found)[i], (*expected)[old.places[i]]) << "result " << i;
    }
  }
};
TYPED_TEST_SUITE(OldFormsTest, LapackTypes);

TYPED_TEST(OldFormsTest, FactorizationsAreTheSame) {
  const Literal tall = this->DrawOf({kBatch}, {kRows, kColumns});
  const Shape a = tall.shape();
  const Shape taus = this->Vectors(this->Type(), kColumns);
  const Shape pivots = this->Vectors(ElementType::kS32, kColumns);
  const Shape info = this->Infos();
  Literal positive(this->Matrices(kColumns, kColumns));
  for (int64_t i = 0; i < kBatch; ++i) {
    const Matrix b = this->DrawMatrix(kColumns, kColumns);
    this->Put(b * Adjoint(b), positive, i);
  }
  this->ExpectSame(
      {.target = this->Target("potrf"),
       .operands = {positive.shape()},
       .results = {positive.shape(), info},
       .config = "uplo = 85 : ui8",
       .batch_rank = 1},
      {{"0 : i32", "2 : i32", "3 : i32"}, {positive.shape(), info}, {0, 1}},
      {positive});
  this->ExpectSame(
      {.target = this->Target("getrf"),
       .operands = {a},
       .results = {a, pivots, info},
       .config = "",
       .batch_rank = 1},
      {{"2 : i32", "4 : i32", "3 : i32"}, {a, pivots, info}, {0, 1, 2}},
      {tall});
  this->ExpectSame({.target = this->Target("geqrf"),
                    .operands = {a},
                    .results = {a, taus},
                    .config = "",
                    .batch_rank = 1},
                   {{"2 : i32", "4 : i32", "3 : i32", "7 : i32"},
                    {a, taus, info, this->Work(this->Type())},
                    {0, 1, -1, -1}},
                   {tall});
  this->ExpectSame({.target = this->Target("orgqr", "ungqr"),
                    .operands = {a, taus},
                    .results = {a},
                    .config = "",
                    .batch_rank = 1},
                   {{"2 : i32", "4 : i32", "3 : i32", "3 : i32", "7 : i32"},
                    {a, info, this->Work(this->Type())},
                    {0, -1, -1}},
                   {tall, this->DrawOf({kBatch}, {kColumns})});
}

TYPED_TEST(OldFormsTest, SingularValuesAreTheSame) {
  const Literal tall = this->DrawOf({kBatch}, {kRows, kColumns});
  const Shape a = tall.shape();
  const Shape s = this->Vectors(this->RealType(), kColumns);
  const Shape vt = this->Matrices(kColumns, kColumns);
  struct Mode {
    char letter;
    std::string is_full, has_vectors;
    int64_t columns;
  };
  for (const Mode& mode :
       {Mode{'A', "1", "1", kRows}, Mode{'S', "0", "1", kColumns},
        Mode{'N', "1", "0", kRows}, Mode{'N', "0", "0", kColumns}}) {
    const Shape u = this->Matrices(kRows, mode.columns);
    this->ExpectSame({.target = this->Target("gesdd"),
                      .operands = {a},
                      .results = {a, s, u, vt, this->Infos()},
                      .config = absl::StrCat(
                          "mode = ", static_cast<int>(mode.letter), " : ui8"),
                      .batch_rank = 1},
                     {{absl::StrCat(mode.is_full, " : i32"),
                       absl::StrCat(mode.has_vectors, " : i32"), "2 : i32",
                       "4 : i32", "3 : i32", "7 : i32"},
                      {a, s, u, vt, this->Infos(),
                       this->Work(ElementType::kS32), this->Work(this->Type())},
                      {0, 1, 2, 3, 4, -1, -1}},
                     {tall});
  }
}

TYPED_TEST(OldFormsTest, EigenvaluesAreTheSame) {
  constexpr bool kIsComplex = LapackTest<TypeParam>::kIsComplex;
  const Literal square = this->DrawOf({kBatch}, {kRows, kRows});
  const Shape a = square.shape();
  const Shape w = this->Vectors(this->Type(), kRows);
  const Shape real_w = this->Vectors(this->RealType(), kRows);
  const Shape v = this->ShapeOf(this->ComplexType(), {kBatch}, {kRows, kRows});
  const Shape info = this->Infos();
  const Shape work = this->Work(this->RealType());
  this->ExpectSame({.target = this->Target("syevd", "heevd"),
                    .operands = {a},
                    .results = {a, real_w, info},
                    .config = "mode = 86 : ui8, uplo = 76 : ui8",
                    .batch_rank = 1},
                   {{"1 : i32", "2 : i32", "4 : i32"},
                    {a, real_w, info, work, this->Work(ElementType::kS32)},
                    {0, 1, 2, -1, -1}},
                   {square});
  const std::vector<std::string> scalars = {"2 : i32", "4 : i32", "86 : ui8",
                                            "86 : ui8"};
  const std::string both = "compute_left = 86 : ui8, compute_right = 86 : ui8";
  if (kIsComplex) {
    this->ExpectSame(
        {.target = this->Target("geev"),
         .operands = {a},
         .results = {w, v, v, info},
         .config = both,
         .batch_rank = 1},
        {scalars, {work, work, w, v, v, info}, {-1, -1, 0, 1, 2, 3}}, {square});
  } else {
    this->ExpectSame({.target = this->Target("geev"),
                      .operands = {a},
                      .results = {w, w, v, v, info},
                      .config = both,
                      .batch_rank = 1},
                     {scalars,
                      {work, work, work, w, w, v, v, info},
                      {-1, -1, -1, 0, 1, 2, 3, 4}},
                     {square});
  }
  const std::vector<std::string> unsorted = {"2 : i32", "4 : i32", "86 : ui8",
                                             "78 : ui8"};
  const std::string schur = "mode = 86 : ui8, sort = 78 : ui8";
  if (kIsComplex) {
    this->ExpectSame(
        {.target = this->Target("gees"),
         .operands = {a},
         .results = {a, a, w, info, info},
         .config = schur,
         .batch_rank = 1},
        {unsorted, {a, work, w, a, info, info}, {0, -1, 2, 1, 3, 4}}, {square});
  } else {
    this->ExpectSame({.target = this->Target("gees"),
                      .operands = {a},
                      .results = {a, a, w, w, info, info},
                      .config = schur,
                      .batch_rank = 1},
                     {unsorted, {a, w, w, a, info, info}, {0, 2, 3, 1, 4, 5}},
                     {square});
  }
}

TYPED_TEST(OldFormsTest, ReductionsToSimplerMatricesAreTheSame) {
  const Literal square = this->DrawOf({kBatch}, {kRows, kRows});
  const Shape a = square.shape();
  const Shape taus = this->Vectors(this->Type(), kRows - 1);
  const Shape d = this->Vectors(this->RealType(), kRows);
  const Shape e = this->Vectors(this->RealType(), kRows - 1);
  this->ExpectSame(
      {.target = this->Target("gehrd"),
       .operands = {a},
       .results = {a, taus, this->Infos()},
       .config = "high = 4 : i32, low = 1 : i32",
       .batch_rank = 1},
      {{"4 : i32", "1 : i32", "4 : i32", "4 : i32", "2 : i32", "7 : i32"},
       {a, taus, this->Infos(), this->Work(this->Type())},
       {0, 1, 2, -1}},
      {square});
  this->ExpectSame({.target = this->Target("sytrd", "hetrd"),
                    .operands = {a},
                    .results = {a, d, e, taus, this->Infos()},
                    .config = "uplo = 76 : ui8",
                    .batch_rank = 1},
                   {{"4 : i32", "1 : i32", "4 : i32", "2 : i32", "7 : i32"},
                    {a, d, e, taus, this->Infos(), this->Work(this->Type())},
                    {0, 1, 2, 3, 4, -1}},
                   {square});
}

// alpha comes before the matrices.
TYPED_TEST(OldFormsTest, TriangularSolvesAreTheSame) {
  const std::string letter =
      this->Target("trsm").substr(std::string("lapack_").size(), 1);
  const std::string one =
      LapackTest<TypeParam>::kIsComplex ? "(2.0, 0.0)" : "2.0";
  Literal a = this->DrawOf({}, {kRows, kRows});
  for (int64_t i = 0; i < kRows; ++i) {
    a.template mutable_data<TypeParam>()[i * (kRows + 1)] = 3;
  }
  const Literal b = this->DrawOf({}, {kRows, kColumns});
  Literal alpha(Shape(this->Type(), {}));
  alpha.template mutable_data<TypeParam>()[0] = 2;
  const auto expected = RunCall(
      {.target = this->Target("trsm"),
       .operands = {a.shape(), b.shape(), alpha.shape()},
       .results = {b.shape()},
       .config = "diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, "
                 "uplo = 85 : ui8"},
      {a, b, alpha});
  ASSERT_TRUE(expected.ok()) << expected.status();
  std::vector<Shape> operands(7, Shape(ElementType::kS32, {}));
  operands.insert(operands.end(), {alpha.shape(), a.shape(), b.shape()});
  std::vector<std::string> types;
  for (const Shape& shape : operands) types.push_back(shape.ToString());
  const std::string text = absl::StrCat(
      "func.func @main(%a: ", a.shape().ToString(),
      ", %b: ", b.shape().ToString(), ") -> ", b.shape().ToString(),
      " {\n  %0 = stablehlo.constant dense<0> : tensor<i32>\n  %1 = "
      "stablehlo.constant dense<1> : tensor<i32>\n  %2 = stablehlo.constant "
      "dense<2> : tensor<i32>\n  %alpha = stablehlo.constant dense<",
      one, "> : ", alpha.shape().ToString(),
      "\n  %x = stablehlo.custom_call @blas_", letter,
      "trsm(%1, %0, %2, %0, %1, %1, %1, %alpha, %a, %b) {api_version = 2 : "
      "i32, operand_layouts = ",
      LayoutsText(operands, 0),
      ", result_layouts = ", LayoutsText({b.shape()}, 0), "} : (",
      absl::StrJoin(types, ", "), ") -> ", b.shape().ToString(),
      "\n  return %x : ", b.shape().ToString(), "\n}\n");
  const auto module = ParseAndVerify(text, "t.mlir");
  ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
  const auto found = Evaluate(**module, {a, b});
  ASSERT_TRUE(found.ok()) << found.status() << "\n" << text;
  EXPECT_EQ((*found)[0], (*expected)[0]);
}

}  // namespace
}  // namespace lockstep::internal
