#include "runtime/kernels/reduce_body.h"

#include "runtime/ir/op_def.h"
#include "runtime/ops/reduction_body.h"

namespace lockstep::internal {

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
