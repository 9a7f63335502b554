#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "tests/generator/op_families.h"

namespace lockstep::internal {
namespace {

// "array<i64: 1, 2>".
std::string Array(absl::Span<const int64_t> values) {
  const std::string list = List(values);
  if (values.empty()) return "array<i64>";
  return absl::StrCat("array<i64: ", list.substr(1, list.size() - 2), ">");
}

std::vector<int64_t> DimsFrom(int64_t begin, int64_t end) {
  std::vector<int64_t> dims;
  for (int64_t i = begin; i < end; ++i) dims.push_back(i);
  return dims;
}

Dims WithFirst(const Shape& shape, int64_t size) {
  Dims dims(shape.dims().begin(), shape.dims().end());
  dims[0] = size;
  return dims;
}

bool HasRows(const GeneratedValue& value) {
  return value.shape.rank() > 0 && value.shape.dim(0) > 0;
}

const std::vector<ElementType> kIndexTypes = {
    ElementType::kS32, ElementType::kS32, ElementType::kS64, ElementType::kU8};

}  // namespace

void AddDynamicSlice(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  if (a.shape.rank() == 0) return;
  const Shape index(builder.entropy().Any(kIndexTypes), {});
  std::vector<GeneratedValue> operands = {a};
  Dims sizes;
  for (int64_t size : a.shape.dims()) {
    operands.push_back(builder.Like(index));
    sizes.push_back(builder.Below(static_cast<int>(size) + 1));
  }
  const Shape window(a.type(), sizes);
  if (builder.OneIn(2)) {
    builder.Define(
        window, a,
        absl::StrCat("stablehlo.dynamic_slice ", Names(operands),
                     ", sizes = ", List(sizes), Types(operands, window)));
    return;
  }
  const GeneratedValue update = builder.Like(window);
  operands.insert(operands.begin() + 1, update);
  builder.Define(a.shape, Merged(a, update),
                 absl::StrCat("stablehlo.dynamic_update_slice ",
                              Names(operands), Types(operands, a.shape)));
}

// Rows by number.
void AddGather(ProgramBuilder& builder) {
  const GeneratedValue a =
      builder.AnyThat(HasRows, Shape(ElementType::kS32, {3, 2}));
  const int64_t count = 1 + builder.Below(5);
  const Shape result(a.type(), WithFirst(a.shape, count));
  if (result.element_count() > builder.max_elements()) return;
  const GeneratedValue rows =
      builder.Like(Shape(builder.entropy().Any(kIndexTypes), {count}));
  builder.Define(
      result, a,
      absl::StrCat(
          absl::Substitute(
              "\"stablehlo.gather\"($0) <{dimension_numbers = "
              "#stablehlo.gather<offset_dims = $1, collapsed_slice_dims = [0], "
              "start_index_map = [0], index_vector_dim = 1>, slice_sizes = "
              "$2}>",
              Names({a, rows}), List(DimsFrom(1, a.shape.rank())),
              Array(WithFirst(a.shape, 1))),
          Types({a, rows}, result)));
}

// Into rows by number, some of them twice or nowhere.
void AddScatter(ProgramBuilder& builder) {
  const GeneratedValue a =
      builder.AnyThat(HasRows, Shape(ElementType::kS32, {3, 2}));
  const int64_t count = 1 + builder.Below(5);
  const Shape of_updates(a.type(), WithFirst(a.shape, count));
  if (of_updates.element_count() > builder.max_elements()) return;
  const GeneratedValue updates = builder.Like(of_updates);
  const GeneratedValue rows =
      builder.Like(Shape(builder.entropy().Any(kIndexTypes), {count}));
  GeneratedValue like = Merged(a, updates);
  const double sum = a.bound + static_cast<double>(count) * updates.bound;
  std::string op;
  if (a.is_pred()) {
    op = builder.OneIn(2) ? "or" : "and";
  } else if (builder.OneIn(2) && Fits(a.type(), sum, like.is_exact)) {
    op = "add";
    like.bound = sum;
  } else if (!IsComplex(a.type())) {
    op = builder.OneIn(2) ? "maximum" : "minimum";
  } else {
    return;
  }
  const std::string scalar = Shape(a.type(), {}).ToString();
  builder.Define(
      a.shape, like,
      absl::StrCat(
          absl::Substitute(
              "\"stablehlo.scatter\"($0) <{scatter_dimension_numbers = "
              "#stablehlo.scatter<update_window_dims = $1, "
              "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
              "index_vector_dim = 1>}> ({\n"
              "  ^bb0(%x: $2, %y: $2):\n"
              "    %z = stablehlo.$3 %x, %y : $2\n"
              "    stablehlo.return %z : $2\n  })",
              Names({a, rows, updates}), List(DimsFrom(1, a.shape.rank())),
              scalar, op),
          Types({a, rows, updates}, a.shape)));
}

// Keys, and values that go with them. NaN has no place in an order, and zeros
// of either sign are equal.
void AddSort(ProgramBuilder& builder) {
  const auto fits = [](const GeneratedValue& value) {
    return value.shape.rank() > 0 && value.is_exact && !value.has_special &&
           !IsComplex(value.type()) && !value.is_pred();
  };
  const GeneratedValue keys =
      builder.AnyThat(fits, Shape(ElementType::kS32, {5}));
  const GeneratedValue others =
      builder.Like(Shape(builder.DrawType(), keys.shape.dims()));
  const std::string key = Shape(keys.type(), {}).ToString();
  const std::string other = Shape(others.type(), {}).ToString();
  const std::string name = builder.NewName();
  builder.Append(absl::StrCat(
      absl::Substitute(
          "  $0:2 = \"stablehlo.sort\"($1) <{dimension = $2 : i64, is_stable = "
          "true}> ({\n"
          "  ^bb0(%x: $3, %y: $3, %p: $4, %q: $4):\n"
          "    %z = stablehlo.compare $5, %x, %y : ($3, $3) -> tensor<i1>\n"
          "    stablehlo.return %z : tensor<i1>\n  })",
          name, Names({keys, others}),
          builder.Below(static_cast<int>(keys.shape.rank())), key, other,
          builder.OneIn(2) ? "LT" : "GT"),
      " : (", keys.shape.ToString(), ", ", others.shape.ToString(), ") -> (",
      keys.shape.ToString(), ", ", others.shape.ToString(), ")\n"));
  GeneratedValue sorted = keys;
  sorted.name = name + "#0";
  builder.Add(sorted);
  sorted = others;
  sorted.name = name + "#1";
  builder.Add(sorted);
}

}  // namespace lockstep::internal
