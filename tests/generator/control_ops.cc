#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "tests/generator/op_families.h"

namespace lockstep::internal {
namespace {

// What a branch returns: a value of this shape that its ops may have made.
GeneratedValue AddBranch(ProgramBuilder& builder, const Shape& shape) {
  const ProgramBuilder::Scope scope(builder);
  AddOps(builder, 1 + builder.Below(4));
  GeneratedValue end = builder.Like(shape);
  builder.Append(absl::StrCat("    stablehlo.return ", end.name, " : ",
                              shape.ToString(), "\n"));
  return end;
}

// An op with branches, of which `selector` chooses one.
void AddBranches(ProgramBuilder& builder, absl::string_view op,
                 const GeneratedValue& selector, int count) {
  const Shape shape = builder.Any().shape;
  const std::string name = builder.NewName();
  builder.Append(absl::StrCat("  ", name, " = \"stablehlo.", op, "\"(",
                              selector.name, ") ({\n"));
  GeneratedValue result;
  for (int i = 0; i < count; ++i) {
    if (i > 0) builder.Append("  }, {\n");
    result = Merged(result, AddBranch(builder, shape));
  }
  builder.Append(absl::StrCat("  })", Types({selector}, shape), "\n"));
  result.name = name;
  result.shape = shape;
  builder.Add(result);
}

}  // namespace

void AddIf(ProgramBuilder& builder) {
  if (builder.is_deep()) return;
  const GeneratedValue p = builder.Like(Shape(ElementType::kPred, {}));
  AddBranches(builder, "if", p, 2);
}

void AddCase(ProgramBuilder& builder) {
  if (builder.is_deep()) return;
  const GeneratedValue i = builder.Index();
  AddBranches(builder, "case", i, 1 + builder.Below(3));
}

// Up to four rounds. What is carried keeps its bound from round to round, and
// is approximate from the first if it is from any.
void AddWhile(ProgramBuilder& builder) {
  if (builder.is_deep()) return;
  const auto fits = [](const GeneratedValue& value) {
    return !IsComplex(value.type()) && !IsSmall(value.type());
  };
  const GeneratedValue a =
      builder.AnyThat(fits, Shape(ElementType::kF32, {4, 3}));
  const Shape count(ElementType::kS32, {});
  const GeneratedValue start = builder.Splat(count, builder.Below(3));
  const GeneratedValue end = builder.Splat(count, builder.Below(5));
  const GeneratedValue one = builder.Splat(count, 1);
  const std::string type = a.shape.ToString();
  const std::string name = builder.NewName();
  GeneratedValue carried = a;
  carried.name = absl::StrCat("%c", name.substr(1));
  carried.bound = std::max(a.bound, 4.0);
  carried.has_special = carried.has_special || a.is_float();
  GeneratedValue counter = start;
  counter.name = absl::StrCat("%i", name.substr(1));
  builder.Append(absl::Substitute(
      "  $0:2 = stablehlo.while($1 = $2, $3 = $4) : tensor<i32>, $5\n"
      "  cond {\n"
      "    %p = stablehlo.compare LT, $1, $6 : (tensor<i32>, tensor<i32>) -> "
      "tensor<i1>\n"
      "    stablehlo.return %p : tensor<i1>\n"
      "  } do {\n",
      name, counter.name, start.name, carried.name, a.name, type, end.name));
  {
    const ProgramBuilder::Scope scope(builder);
    builder.Add(counter);
    builder.Add(carried);
    AddOps(builder, 1 + builder.Below(6));
    GeneratedValue next = builder.Like(a.shape);
    if (carried.is_exact && !next.is_exact) next = carried;
    next = builder.Clamped(next, carried.bound);
    builder.Append(
        absl::Substitute("    %j = stablehlo.add $0, $1 : tensor<i32>\n"
                         "    stablehlo.return %j, $2 : tensor<i32>, $3\n  }\n",
                         counter.name, one.name, next.name, type));
  }
  carried.name = absl::StrCat(name, "#1");
  builder.Add(carried);
}

void AddCall(ProgramBuilder& builder) {
  if (builder.functions().empty()) return;
  const GeneratedFunction& callee = builder.entropy().Any(builder.functions());
  GeneratedValue argument = builder.ExactLike(callee.argument.shape);
  if (argument.bound > callee.argument.bound) {
    argument = builder.Clamped(argument, callee.argument.bound);
  }
  if (argument.bound > callee.argument.bound) return;
  builder.Define(callee.result.shape, callee.result,
                 absl::StrCat("func.call @", callee.name, "(", argument.name,
                              ")", Types({argument}, callee.result.shape)));
}

}  // namespace lockstep::internal
