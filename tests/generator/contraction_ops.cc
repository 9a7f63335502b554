#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "tests/generator/op_families.h"

namespace lockstep::internal {

void AddReduce(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  const std::vector<int64_t> reduced = builder.DrawDimensions(a.shape);
  const double sum =
      (a.bound + 4) * static_cast<double>(CountAlong(a.shape, reduced) + 1);
  std::vector<std::string> ops;
  if (!IsComplex(a.type())) ops = {"maximum", "minimum"};
  if (a.is_float() || IsComplex(a.type())) {
    if (Fits(a.type(), sum, a.is_exact)) ops.insert(ops.end(), {"add", "add"});
  } else {
    ops.insert(ops.end(), {"add", "and", "or"});
    if (!a.is_pred()) ops.push_back("multiply");
  }
  if (ops.empty()) return;
  const std::string op = builder.entropy().Any(ops);
  const GeneratedValue init = builder.Constant(Shape(a.type(), {}));
  GeneratedValue like = a;
  like.bound = op == "add" ? sum : std::max(a.bound, init.bound);
  const Shape result(a.type(), Without(a.shape, reduced));
  builder.Define(result, like,
                 absl::StrCat("stablehlo.reduce(", a.name, " init: ", init.name,
                              ") applies stablehlo.", op,
                              " across dimensions = ", List(reduced),
                              Types({a, init}, result)));
}

// The largest element and where it is along some dim: a reduction of two
// tensors.
void AddArgMax(ProgramBuilder& builder) {
  const auto fits = [](const GeneratedValue& value) {
    return value.type() == ElementType::kF32 && value.shape.rank() > 0 &&
           value.is_exact && !value.has_special;
  };
  const GeneratedValue a =
      builder.AnyThat(fits, Shape(ElementType::kF32, {4, 3}));
  const int64_t dim = builder.Below(static_cast<int>(a.shape.rank()));
  const Shape place_shape(ElementType::kS32, a.shape.dims());
  const GeneratedValue places =
      builder.Define(place_shape, GeneratedValue(),
                     absl::StrCat("stablehlo.iota dim = ", dim, " : ",
                                  place_shape.ToString()));
  const GeneratedValue low =
      builder.Splat(Shape(ElementType::kF32, {}), -(1 << 22));
  const GeneratedValue zero = builder.Splat(Shape(ElementType::kS32, {}), 0);
  const Dims dims = Without(a.shape, {dim});
  GeneratedValue largest = a;
  largest.bound = std::max(a.bound, low.bound);
  largest.shape = Shape(ElementType::kF32, dims);
  GeneratedValue place;
  place.shape = Shape(ElementType::kS32, dims);
  const std::string name = builder.NewName();
  builder.Append(absl::StrCat(
      absl::Substitute(
          "  $0:2 = \"stablehlo.reduce\"($1) ({\n"
          "  ^bb0(%r0: tensor<f32>, %r1: tensor<i32>, %r2: tensor<f32>, "
          "%r3: tensor<i32>):\n"
          "    %r4 = stablehlo.compare GE, %r0, %r2 : (tensor<f32>, "
          "tensor<f32>) -> tensor<i1>\n"
          "    %r5 = stablehlo.select %r4, %r0, %r2 : tensor<i1>, "
          "tensor<f32>\n"
          "    %r6 = stablehlo.select %r4, %r1, %r3 : tensor<i1>, "
          "tensor<i32>\n"
          "    stablehlo.return %r5, %r6 : tensor<f32>, tensor<i32>\n",
          name, Names({a, places, low, zero})),
      absl::Substitute("  }) {dimensions = array<i64: $0>} : ($1, $2, "
                       "tensor<f32>, tensor<i32>) -> ($3, $4)\n",
                       dim, a.shape.ToString(), place_shape.ToString(),
                       largest.shape.ToString(), place.shape.ToString())));
  largest.name = name + "#0";
  place.name = name + "#1";
  builder.Add(largest);
  builder.Add(place);
}

// Of a matrix, or of a batch of them, with one that has a few columns.
void AddDot(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  if (a.shape.rank() < 1 || a.shape.rank() > 3) return;
  const int64_t batch = a.shape.rank() == 3 ? 1 : 0;
  const int64_t depth = a.shape.dim(batch);
  const int64_t columns = 1 + builder.Below(9);
  Dims rhs_dims;
  if (batch == 1) rhs_dims.push_back(a.shape.dim(0));
  rhs_dims.push_back(depth);
  rhs_dims.push_back(columns);
  const GeneratedValue b = builder.Like(Shape(a.type(), rhs_dims));
  GeneratedValue like = Merged(a, b);
  if (IsComplex(a.type()) && like.has_special) return;
  like.bound = 2 * a.bound * b.bound * static_cast<double>(depth + 1);
  if (!Fits(a.type(), like.bound, like.is_exact)) return;
  Dims dims = Without(a.shape, {batch});
  dims.push_back(columns);
  const Shape result(a.type(), dims);
  if (result.element_count() > builder.max_elements()) return;
  builder.Define(result, like,
                 absl::StrCat("stablehlo.dot_general ", Names({a, b}),
                              batch == 1 ? ", batching_dims = [0] x [0]" : "",
                              ", contracting_dims = [", batch, "] x [", batch,
                              "]", Types({a, b}, result)));
}

}  // namespace lockstep::internal
