#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly_forms.h"
#include "runtime/ops/evaluation.h"
#include "runtime/ops/operand_checks.h"

namespace lockstep {
namespace {

// An i1 is one bit, though a byte in memory.
int64_t BitWidth(ElementType type) {
  return type == ElementType::kPred ? 1 : 8 * ByteSize(type);
}

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

// The lowest bit of each byte comes first.
void PackBits(const LiteralView& bits, const MutableLiteralView& bytes) {
  const auto source = bits.data<bool>();
  std::memset(bytes.bytes(), 0, bytes.byte_span().size());
  for (size_t i = 0; i < source.size(); ++i) {
    bytes.bytes()[i / 8] |= static_cast<std::byte>(source[i]) << (i % 8);
  }
}

void UnpackBits(const LiteralView& bytes, const MutableLiteralView& bits) {
  const auto target = bits.data<bool>();
  for (size_t i = 0; i < target.size(); ++i) {
    target[i] =
        (bytes.bytes()[i / 8] >> (i % 8) & std::byte{1}) != std::byte{0};
  }
}

// Little-endian memory holds the lowest part first, so the bytes stay.
absl::Status EvaluateBitcast(EvaluationContext&, const Op&,
                             absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results) {
  const bool from_bits =
      operands[0].shape().element_type() == ElementType::kPred;
  const bool to_bits = results[0].shape().element_type() == ElementType::kPred;
  if (from_bits && !to_bits) {
    PackBits(operands[0], results[0]);
  } else if (to_bits && !from_bits) {
    UnpackBits(operands[0], results[0]);
  } else {
    std::memcpy(results[0].bytes(), operands[0].bytes(),
                results[0].byte_span().size());
  }
  return absl::OkStatus();
}

// bitcast_convert: the same bits as another element type.
REGISTER_OP(OpDef("stablehlo.bitcast_convert", OpKind::kDataMovement)
                .Assembly(OperandsForm(1))
                .Verify(VerifyBitcast)
                .Evaluate(EvaluateBitcast));

}  // namespace
}  // namespace lockstep
