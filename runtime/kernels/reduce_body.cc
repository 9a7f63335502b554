#include "runtime/kernels/reduce_body.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "absl/strings/string_view.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ir/op_def.h"
#include "runtime/kernels/kernel_graph.h"
#include "runtime/ops/reduction_body.h"

namespace lockstep::internal {
namespace {

template <typename T>
T ReadAs(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <typename T>
bool IsIdentity(absl::string_view op, T value) {
  using Limits = std::numeric_limits<T>;
  if (op == "stablehlo.add" || op == "stablehlo.or" || op == "stablehlo.xor") {
    return value == T(0);
  }
  if (op == "stablehlo.multiply") return value == T(1);
  if (op == "stablehlo.maximum") {
    return value ==
           (Limits::has_infinity ? -Limits::infinity() : Limits::lowest());
  }
  if (op == "stablehlo.minimum") {
    return value == (Limits::has_infinity ? Limits::infinity() : Limits::max());
  }
  if constexpr (std::is_same_v<T, bool>) return value;
  if constexpr (std::is_integral_v<T>) return value == static_cast<T>(-1);
  return false;
}

}  // namespace

ReduceBody::ReduceBody(const Op& op)
    : op_(op), is_single_op_(SingleOpBody(op.region()) != nullptr) {
  for (const auto& result : op.results()) {
    ElementType type = result->shape().element_type();
    const bool is_half =
        type == ElementType::kF16 || type == ElementType::kBF16;
    if (is_single_op_ && is_half) type = ElementType::kF32;
    types_.push_back(type);
  }
}

bool ReduceBody::is_commutative() const {
  return is_single_op_ && IsCommutative(SingleOpBody(op_.region())->name());
}

bool ReduceBody::has_identity_inits() const {
  if (!is_single_op_) return false;
  const absl::string_view body = SingleOpBody(op_.region())->name();
  const Attribute::Elements* init = SplatOf(op_.operand(count()));
  if (init == nullptr) return false;
  const std::byte* bytes = init->values->bytes();
  switch (init->shape.element_type()) {
    case ElementType::kPred:
      return IsIdentity<bool>(body == "stablehlo.add"        ? "stablehlo.or"
                              : body == "stablehlo.multiply" ? "stablehlo.and"
                                                             : body,
                              *bytes != std::byte{0});
    case ElementType::kF16:
      return IsIdentity<float>(body, static_cast<float>(ReadAs<F16>(bytes)));
    case ElementType::kBF16:
      return IsIdentity<float>(body, static_cast<float>(ReadAs<BF16>(bytes)));
    case ElementType::kF32:
      return IsIdentity<float>(body, ReadAs<float>(bytes));
    case ElementType::kF64:
      return IsIdentity<double>(body, ReadAs<double>(bytes));
    case ElementType::kS8:
      return IsIdentity<int8_t>(body, ReadAs<int8_t>(bytes));
    case ElementType::kS16:
      return IsIdentity<int16_t>(body, ReadAs<int16_t>(bytes));
    case ElementType::kS32:
      return IsIdentity<int32_t>(body, ReadAs<int32_t>(bytes));
    case ElementType::kS64:
      return IsIdentity<int64_t>(body, ReadAs<int64_t>(bytes));
    case ElementType::kU8:
      return IsIdentity<uint8_t>(body, ReadAs<uint8_t>(bytes));
    case ElementType::kU16:
      return IsIdentity<uint16_t>(body, ReadAs<uint16_t>(bytes));
    case ElementType::kU32:
      return IsIdentity<uint32_t>(body, ReadAs<uint32_t>(bytes));
    case ElementType::kU64:
      return IsIdentity<uint64_t>(body, ReadAs<uint64_t>(bytes));
    default:
      return false;
  }
}

std::vector<int> ReduceBody::Init(KernelCode& code,
                                  ElementEmitter& emitter) const {
  std::vector<int> accumulators;
  for (int i = 0; i < count(); ++i) {
    accumulators.push_back(code.scalar_builder().Convert(
        types_[i], emitter.Emit(op_.operand(count() + i), {})));
  }
  return accumulators;
}

std::vector<int> ReduceBody::Combine(KernelCode& code, ElementEmitter& emitter,
                                     const std::vector<int>& accumulators,
                                     const std::vector<int>& elements) const {
  ScalarBuilder& scalars = code.scalar_builder();
  std::vector<int> arguments = accumulators;
  for (int i = 0; i < count(); ++i) {
    arguments.push_back(scalars.Convert(types_[i], elements[i]));
  }
  if (!is_single_op_) return emitter.EmitRegion(op_.region(), arguments);
  const Op& body = *SingleOpBody(op_.region());
  code.set_reassociates(body.name() == "stablehlo.add" ||
                        body.name() == "stablehlo.multiply");
  const int result = body.def()->emit()(scalars, body, arguments);
  code.set_reassociates(false);
  return {result};
}

std::vector<int> ReduceBody::Finish(
    KernelCode& code, const std::vector<int>& accumulators) const {
  std::vector<int> results;
  for (int i = 0; i < count(); ++i) {
    results.push_back(code.scalar_builder().Convert(
        op_.result(i)->shape().element_type(), accumulators[i]));
  }
  return results;
}

}  // namespace lockstep::internal
