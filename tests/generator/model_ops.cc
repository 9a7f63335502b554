#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/generator/op_families.h"

namespace lockstep::internal {
namespace {

// A tensor with rows whose functions stay bounded.
GeneratedValue AnyRows(ProgramBuilder& builder) {
  const auto fits = [](const GeneratedValue& value) {
    return value.type() == ElementType::kF32 && value.shape.rank() > 0 &&
           value.bound <= 64;
  };
  return builder.AnyThat(fits, Shape(ElementType::kF32, {4, 3}));
}

GeneratedValue Binary(ProgramBuilder& builder, absl::string_view op,
                      const GeneratedValue& a, const GeneratedValue& b,
                      double bound, bool rounds = false) {
  GeneratedValue like = Merged(a, b);
  like.bound = bound;
  like.is_exact = like.is_exact && !rounds;
  return builder.Define(a.shape, like,
                        absl::StrCat("stablehlo.", op, " ", Names({a, b}),
                                     " : ", a.shape.ToString()));
}

GeneratedValue Approximate(ProgramBuilder& builder, absl::string_view op,
                           const GeneratedValue& a, double bound) {
  GeneratedValue like = a;
  like.bound = bound;
  like.is_exact = false;
  return builder.Define(
      a.shape, like,
      absl::StrCat("stablehlo.", op, " ", a.name, " : ", a.shape.ToString()));
}

// Along the last dim.
GeneratedValue ReduceRows(ProgramBuilder& builder, absl::string_view op,
                          const GeneratedValue& a, int64_t init, double bound) {
  const std::vector<int64_t> last = {a.shape.rank() - 1};
  const GeneratedValue start = builder.Splat(Shape(a.type(), {}), init);
  GeneratedValue like = a;
  like.bound = bound;
  const Shape result(a.type(), Without(a.shape, last));
  return builder.Define(
      result, like,
      absl::StrCat("stablehlo.reduce(", a.name, " init: ", start.name,
                   ") applies stablehlo.", op, " across dimensions = ",
                   List(last), Types({a, start}, result)));
}

GeneratedValue BroadcastTo(ProgramBuilder& builder, const GeneratedValue& a,
                           const Shape& result,
                           const std::vector<int64_t>& positions) {
  return builder.Define(
      result, a,
      absl::StrCat("stablehlo.broadcast_in_dim ", a.name,
                   ", dims = ", List(positions), Types({a}, result)));
}

// A value per row in every element of it; as frameworks write it, through a
// dim of size 1, or at once.
GeneratedValue BackToRows(ProgramBuilder& builder, const GeneratedValue& row,
                          const Shape& shape, bool keeps_dim) {
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < row.shape.rank(); ++i) positions.push_back(i);
  if (!keeps_dim) return BroadcastTo(builder, row, shape, positions);
  Dims kept(row.shape.dims().begin(), row.shape.dims().end());
  kept.push_back(1);
  const GeneratedValue thin =
      BroadcastTo(builder, row, Shape(row.type(), kept), positions);
  positions.push_back(row.shape.rank());
  return BroadcastTo(builder, thin, shape, positions);
}

double RowSize(const GeneratedValue& value) {
  return static_cast<double>(value.shape.dims().back());
}

}  // namespace

void AddSoftmax(ProgramBuilder& builder) {
  const GeneratedValue x = AnyRows(builder);
  const bool keeps_dim = builder.OneIn(2);
  const GeneratedValue largest = ReduceRows(builder, "maximum", x, -1000, 1000);
  const GeneratedValue shifted =
      Binary(builder, "subtract", x,
             BackToRows(builder, largest, x.shape, keeps_dim), 2000);
  const GeneratedValue e = Approximate(builder, "exponential", shifted, 1);
  const GeneratedValue sum = ReduceRows(builder, "add", e, 0, RowSize(x) + 1);
  Binary(builder, "divide", e, BackToRows(builder, sum, x.shape, keeps_dim), 1);
}

void AddLayerNorm(ProgramBuilder& builder) {
  const GeneratedValue x = AnyRows(builder);
  const bool keeps_dim = builder.OneIn(2);
  const double size = RowSize(x) + 1;
  const GeneratedValue sum = ReduceRows(builder, "add", x, 0, x.bound * size);
  const GeneratedValue count =
      builder.Splat(sum.shape, std::max<int64_t>(x.shape.dims().back(), 1));
  const GeneratedValue mean =
      Binary(builder, "divide", sum, count, x.bound * 2, /*rounds=*/true);
  const GeneratedValue centred =
      Binary(builder, "subtract", x,
             BackToRows(builder, mean, x.shape, keeps_dim), x.bound * 3);
  const double square_bound = centred.bound * centred.bound;
  const GeneratedValue square =
      Binary(builder, "multiply", centred, centred, square_bound);
  const GeneratedValue variance =
      ReduceRows(builder, "add", square, 1, square_bound * size + 1);
  const GeneratedValue inverse = Approximate(builder, "rsqrt", variance, 1);
  Binary(builder, "multiply", centred,
         BackToRows(builder, inverse, x.shape, keeps_dim), centred.bound);
}

// parameter - step * gradient, the gradient a sum over a batch.
void AddParameterUpdate(ProgramBuilder& builder) {
  const auto fits = [](const GeneratedValue& value) {
    return value.is_float() && value.shape.rank() > 1;
  };
  const GeneratedValue gradients =
      builder.AnyThat(fits, Shape(ElementType::kF32, {4, 3}));
  const int64_t batch = gradients.shape.dim(0);
  const double sum = gradients.bound * static_cast<double>(batch + 1);
  const GeneratedValue parameter =
      builder.Like(Shape(gradients.type(), Without(gradients.shape, {0})));
  const bool is_exact = gradients.is_exact && parameter.is_exact;
  if (!Fits(gradients.type(), 2 * sum + parameter.bound, is_exact)) return;
  const GeneratedValue zero = builder.Splat(Shape(gradients.type(), {}), 0);
  GeneratedValue like = gradients;
  like.bound = sum;
  const GeneratedValue gradient = builder.Define(
      parameter.shape, like,
      absl::StrCat("stablehlo.reduce(", gradients.name, " init: ", zero.name,
                   ") applies stablehlo.add across dimensions = [0]",
                   Types({gradients, zero}, parameter.shape)));
  const GeneratedValue step = builder.Splat(parameter.shape, 2);
  const GeneratedValue scaled =
      Binary(builder, "multiply", gradient, step, 2 * sum);
  Binary(builder, "subtract", parameter, scaled, 2 * sum + parameter.bound);
}

}  // namespace lockstep::internal
