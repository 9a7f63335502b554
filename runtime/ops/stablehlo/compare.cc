#include <array>
#include <bit>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

constexpr std::pair<absl::string_view, ScalarComparison> kDirections[] = {
    {"EQ", ScalarComparison::kEq}, {"NE", ScalarComparison::kNe},
    {"GE", ScalarComparison::kGe}, {"GT", ScalarComparison::kGt},
    {"LE", ScalarComparison::kLe}, {"LT", ScalarComparison::kLt},
};

absl::StatusOr<ScalarComparison> DirectionOf(const Op& op) {
  ASSIGN_OR_RETURN(const std::string name,
                   op.EnumAttribute("comparison_direction"));
  for (const auto& [text, direction] : kDirections) {
    if (text == name) return direction;
  }
  return op.Error(absl::StrCat(
      "comparison_direction: expected EQ, NE, GE, GT, LE or LT, found ", name));
}

bool IsAnyFloat(ElementType type) {
  return IsFloat(type) || IsSmallFloat(type);
}

absl::string_view DefaultCompareType(ElementType type) {
  if (IsSignedInteger(type)) return "SIGNED";
  if (IsAnyFloat(type) || IsComplex(type)) return "FLOAT";
  return "UNSIGNED";
}

absl::StatusOr<std::string> CompareTypeOf(const Op& op) {
  if (op.attribute("compare_type") == nullptr) {
    return std::string(
        DefaultCompareType(op.operand(0)->shape().element_type()));
  }
  return op.EnumAttribute("compare_type");
}

// (C3) compare_type fits the element type; complex: EQ and NE only.
absl::Status CheckCompareType(const Op& op) {
  const ElementType type = op.operand(0)->shape().element_type();
  ASSIGN_OR_RETURN(const std::string found, CompareTypeOf(op));
  const absl::string_view expected = DefaultCompareType(type);
  if (found != expected && !(found == "TOTALORDER" && IsAnyFloat(type)) &&
      found != "NOTYPE") {
    return op.Error(absl::StrCat("compare_type: expected ", expected,
                                 IsAnyFloat(type) ? " or TOTALORDER" : "",
                                 " for ", StablehloName(type), ", found ",
                                 found));
  }
  ASSIGN_OR_RETURN(const ScalarComparison direction, DirectionOf(op));
  if (IsComplex(type) && direction != ScalarComparison::kEq &&
      direction != ScalarComparison::kNe) {
    return op.Error(absl::StrCat("comparison_direction: expected EQ or NE for ",
                                 StablehloName(type)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Type>> InferCompare(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 2));
  RETURN_IF_ERROR(CheckSameType(op, 0, 1));  // (C1), (C2)
  RETURN_IF_ERROR(CheckCompareType(op));
  return std::vector<Type>{
      Shape(ElementType::kPred, op.operand(0)->shape().dims())};
}

// Integers in the order of IEEE 754 totalOrder: sign and magnitude.
template <typename T>
auto TotalOrderKey(T value) {
  using Bits = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
  const Bits bits = std::bit_cast<Bits>(value);
  return bits < 0 ? static_cast<Bits>(~bits ^ std::numeric_limits<Bits>::min())
                  : bits;
}

template <typename T, typename F>
void CompareAll(const LiteralView& lhs, const LiteralView& rhs,
                const MutableLiteralView& result, bool is_total_order, F f) {
  using C = ComputeType<T>;
  const T* x = lhs.data<T>().data();
  const T* y = rhs.data<T>().data();
  bool* z = result.data<bool>().data();
  const int64_t n = lhs.shape().element_count();
  if constexpr (std::floating_point<C>) {
    if (is_total_order) {
      for (int64_t i = 0; i < n; ++i) {
        z[i] = f(TotalOrderKey(static_cast<C>(x[i])),
                 TotalOrderKey(static_cast<C>(y[i])));
      }
      return;
    }
  }
  for (int64_t i = 0; i < n; ++i) {
    z[i] = f(static_cast<C>(x[i]), static_cast<C>(y[i]));
  }
}

// Calls f with the function object of `direction`.
template <typename F>
void DispatchDirection(ScalarComparison direction, F f) {
  switch (direction) {
    case ScalarComparison::kEq:
      return f(std::equal_to<>());
    case ScalarComparison::kNe:
      return f(std::not_equal_to<>());
    case ScalarComparison::kGe:
      return f(std::greater_equal<>());
    case ScalarComparison::kGt:
      return f(std::greater<>());
    case ScalarComparison::kLe:
      return f(std::less_equal<>());
    case ScalarComparison::kLt:
      return f(std::less<>());
  }
}

absl::Status EvaluateCompare(EvaluationContext&, const Op& op,
                             absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const ScalarComparison direction, DirectionOf(op));
  ASSIGN_OR_RETURN(const std::string type, CompareTypeOf(op));
  return DispatchTypes<kAllTypes>(
      op, operands[0].shape().element_type(),
      [&]<typename T>(std::type_identity<T>) {
        DispatchDirection(direction, [&](auto f) {
          if constexpr (!kIsComplex<T> || requires(T x) { f(x, x); }) {
            CompareAll<T>(operands[0], operands[1], results[0],
                          type == "TOTALORDER", f);
          }
        });
      });
}

int EmitCompare(ScalarBuilder& builder, const Op& op,
                absl::Span<const int> operands) {
  return builder.Compare(*DirectionOf(op), *CompareTypeOf(op) == "TOTALORDER",
                         operands[0], operands[1]);
}

absl::Status ParseCompare(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(std::string direction, reader.ParseKeyword());
  state.attributes.Set(
      "comparison_direction",
      Attribute::Enum{"comparison_direction", std::move(direction)});
  RETURN_IF_ERROR(reader.Expect(","));
  RETURN_IF_ERROR(ParseOperands(reader, state, 2));
  if (reader.TryConsume(",")) {
    ASSIGN_OR_RETURN(std::string type, reader.ParseKeyword());
    state.attributes.Set("compare_type",
                         Attribute::Enum{"comparison_type", std::move(type)});
  }
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

void PrintCompare(const Op& op, AssemblyWriter& writer) {
  writer.Write(absl::StrCat(
      " ", op.EnumAttribute("comparison_direction").value_or("EQ"), ", "));
  writer.WriteOperands(op.operands());
  if (op.attribute("compare_type") != nullptr) {
    writer.Write(
        absl::StrCat(", ", op.EnumAttribute("compare_type").value_or("")));
  }
  writer.WriteAttributes(op.attributes(),
                         {"comparison_direction", "compare_type"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

// compare: element-wise comparison of lhs and rhs.
//   (I1, I2) lhs, rhs: tensors of one type. (I3) comparison_direction.
//   (I4) compare_type: by the element type when it is missing.
//   FLOAT: only NE holds for a NaN, -0 equals +0. TOTALORDER: -NaN < -inf < ..
//   < -0 < +0 < .. < inf < NaN.
REGISTER_OP(OpDef("stablehlo.compare", OpKind::kElementwise)
                .Assembly({ParseCompare, PrintCompare})
                .Infer(InferCompare)
                .Evaluate(EvaluateCompare)
                .Sharding(PointwiseSharding())
                .Emit(EmitCompare));

}  // namespace
}  // namespace lockstep::internal
