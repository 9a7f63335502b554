#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/scalar_builder.h"

namespace lockstep::internal {
namespace {

// (C1) Equal widths: equal dims. Otherwise the tensor of the narrower type has
// one more dimension, of the ratio of the widths. (C2) Complex only to complex.
absl::Status VerifyBitcast(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  ASSIGN_OR_RETURN(const Shape result, DeclaredShape(op));
  const Shape& operand = op.operand(0)->shape();
  const int64_t from = BitWidth(operand.element_type());
  const int64_t to = BitWidth(result.element_type());
  Dims expected(operand.dims().begin(), operand.dims().end());
  bool fits =
      IsComplex(operand.element_type()) == IsComplex(result.element_type());
  if (from > to) {
    expected.push_back(from / to);
  } else if (from < to) {
    fits = fits && !expected.empty() && expected.back() == to / from;
    if (!expected.empty()) expected.pop_back();
  }
  if (fits && result.dims() == absl::MakeConstSpan(expected)) {
    return absl::OkStatus();
  }
  return op.Error(absl::StrCat("result: expected the bits of ",
                               operand.ToString(), ", found ",
                               result.ToString()));
}

// Where bit `bit` of all bits of a tensor is in memory: elements of fewer than
// 8 bits have a byte each. The lowest bit of an element comes first.
struct BitPlace {
  int64_t byte;
  int shift;
};
BitPlace PlaceOfBit(int64_t bit, int64_t width) {
  if (width >= 8) return {bit / 8, static_cast<int>(bit % 8)};
  return {bit / width, static_cast<int>(bit % width)};
}

// The unused high bits of a signed element repeat its sign.
void ExtendSigns(const MutableLiteralView& result) {
  const ElementType type = result.shape().element_type();
  if (BitWidth(type) >= 8 || !IsSignedInteger(type)) return;
  const int unused = static_cast<int>(8 - BitWidth(type));
  for (std::byte& byte : result.byte_span()) {
    const auto shifted = static_cast<int8_t>(byte << unused);
    byte = static_cast<std::byte>(shifted >> unused);
  }
}

void CopyBits(const LiteralView& operand, const MutableLiteralView& result) {
  const int64_t from = BitWidth(operand.shape().element_type());
  const int64_t to = BitWidth(result.shape().element_type());
  std::memset(result.bytes(), 0, result.byte_span().size());
  const int64_t count = operand.shape().element_count() * from;
  for (int64_t bit = 0; bit < count; ++bit) {
    const BitPlace source = PlaceOfBit(bit, from);
    const BitPlace target = PlaceOfBit(bit, to);
    const std::byte value =
        operand.bytes()[source.byte] >> source.shift & std::byte{1};
    result.bytes()[target.byte] |= value << target.shift;
  }
  ExtendSigns(result);
}

// Little-endian memory holds the lowest part first, so the bytes stay.
absl::Status EvaluateBitcast(EvaluationContext&, const Op&,
                             absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results) {
  if (BitWidth(operands[0].shape().element_type()) < 8 ||
      BitWidth(results[0].shape().element_type()) < 8) {
    CopyBits(operands[0], results[0]);
  } else {
    std::memcpy(results[0].bytes(), operands[0].bytes(),
                results[0].byte_span().size());
  }
  return absl::OkStatus();
}

// The dim that only one of the shapes has holds the parts of one element.
absl::StatusOr<OpShardingRule> BitcastRule(const Op& op,
                                           const ShardingRuleOptions&) {
  const Shape& operand = op.operand(0)->shape();
  const Shape& result = op.result()->shape();
  const int64_t rank = std::min(operand.rank(), result.rank());
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < rank; ++dim) {
    rule.Add(result.dim(dim)).Operand(0, dim).Result(0, dim);
  }
  if (operand.rank() > rank) {
    rule.Add(operand.dim(rank), FactorKind::kNeedReplication).Operand(0, rank);
  } else if (result.rank() > rank) {
    rule.Add(result.dim(rank), FactorKind::kNeedReplication).Result(0, rank);
  }
  return rule.Build();
}

// bitcast_convert: the same bits as another element type. Elementwise only
// between types of one width.
REGISTER_OP(
    OpDef("stablehlo.bitcast_convert", OpKind::kElementwise)
        .Assembly(OperandsForm(1))
        .Verify(VerifyBitcast)
        .Evaluate(EvaluateBitcast)
        .Sharding(BitcastRule)
        .Emit([](ScalarBuilder& b, const Op& op, absl::Span<const int> x) {
          return b.BitcastConvert(op.result()->shape().element_type(), x[0]);
        })
        .EmitWhen([](const Op& op) {
          return op.operand(0)->shape().dims() == op.result()->shape().dims();
        }));

}  // namespace
}  // namespace lockstep::internal
