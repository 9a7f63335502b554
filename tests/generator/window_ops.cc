#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "tests/generator/op_families.h"

namespace lockstep::internal {
namespace {

struct DrawnWindow {
  std::vector<int64_t> sizes, strides;
  std::vector<std::string> padding;
  Dims result;
  int64_t count = 1;  // positions
};

DrawnWindow DrawWindow(ProgramBuilder& builder, const Shape& shape) {
  DrawnWindow window;
  for (int64_t size : shape.dims()) {
    window.sizes.push_back(1 + builder.Below(3));
    window.strides.push_back(1 + builder.Below(2));
    const int64_t low = builder.Below(2), high = builder.Below(2);
    window.padding.push_back(absl::StrCat("[", low, ", ", high, "]"));
    const int64_t room = low + size + high - window.sizes.back();
    window.result.push_back(room < 0 ? 0 : room / window.strides.back() + 1);
    window.count *= window.sizes.back();
  }
  return window;
}

std::string WindowText(const DrawnWindow& window) {
  return absl::Substitute(
      "padding = dense<[$0]> : tensor<$1x2xi64>, window_dimensions = "
      "array<i64: $2>, window_strides = array<i64: $3>",
      absl::StrJoin(window.padding, ", "), window.padding.size(),
      absl::StrJoin(window.sizes, ", "), absl::StrJoin(window.strides, ", "));
}

std::string Body(absl::string_view op, const std::string& scalar) {
  return absl::Substitute(
      "({\n  ^bb0(%x: $1, %y: $1):\n    %z = stablehlo.$0 %x, %y : $1\n"
      "    stablehlo.return %z : $1\n  }",
      op, scalar);
}

}  // namespace

void AddReduceWindow(ProgramBuilder& builder) {
  const auto has_dims = [](const GeneratedValue& value) {
    return value.shape.rank() > 0 && !IsComplex(value.type());
  };
  const GeneratedValue a =
      builder.AnyThat(has_dims, Shape(ElementType::kF32, {4, 3}));
  const DrawnWindow window = DrawWindow(builder, a.shape);
  const Shape result(a.type(), window.result);
  if (result.element_count() > builder.max_elements()) return;
  const double sum = (a.bound + 4) * static_cast<double>(window.count + 1);
  std::vector<std::string> ops = {"maximum", "minimum"};
  if (Fits(a.type(), sum, a.is_exact)) ops.insert(ops.end(), {"add", "add"});
  const std::string op = builder.entropy().Any(ops);
  const GeneratedValue init = builder.Constant(Shape(a.type(), {}));
  GeneratedValue like = a;
  like.bound = op == "add" ? sum : std::max(a.bound, init.bound);
  builder.Define(
      result, like,
      absl::StrCat("\"stablehlo.reduce_window\"(", Names({a, init}), ") <{",
                   WindowText(window), "}> ", Body(op, init.shape.ToString()),
                   ")", Types({a, init}, result)));
}

// The gradient of a pool. What is selected decides, so it is exact.
void AddSelectAndScatter(ProgramBuilder& builder) {
  const auto fits = [](const GeneratedValue& value) {
    return value.shape.rank() > 0 && value.is_exact && !value.has_special &&
           !IsComplex(value.type()) && !value.is_pred() &&
           value.shape.element_count() > 0;
  };
  const GeneratedValue a =
      builder.AnyThat(fits, Shape(ElementType::kF32, {4, 3}));
  const DrawnWindow window = DrawWindow(builder, a.shape);
  const GeneratedValue source = builder.Like(Shape(a.type(), window.result));
  GeneratedValue like = Merged(a, source);
  like.bound = 4 + source.bound * static_cast<double>(window.count);
  if (!Fits(a.type(), like.bound, like.is_exact)) return;
  const GeneratedValue init = builder.Constant(Shape(a.type(), {}));
  const std::string scalar = init.shape.ToString();
  builder.Define(
      a.shape, like,
      absl::StrCat(
          "\"stablehlo.select_and_scatter\"(", Names({a, source, init}), ") <{",
          WindowText(window), "}> ",
          absl::Substitute("({\n  ^bb0(%x: $0, %y: $0):\n"
                           "    %z = stablehlo.compare GE, %x, %y : ($0, $0) "
                           "-> tensor<i1>\n"
                           "    stablehlo.return %z : tensor<i1>\n  }, ",
                           scalar),
          Body("add", scalar).substr(1), ")",
          Types({a, source, init}, a.shape)));
}

}  // namespace lockstep::internal
