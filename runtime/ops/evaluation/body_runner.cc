#include "runtime/ops/evaluation/body_runner.h"

#include "absl/container/inlined_vector.h"

namespace lockstep::internal {

BodyRunner::BodyRunner(EvaluationContext& context, const Region& body)
    : context_(context),
      body_(body),
      elementwise_(ElementwiseRegion::Match(body)) {
  if (elementwise_.has_value()) runner_.emplace(*elementwise_);
}

absl::Status BodyRunner::Run(int64_t count,
                             absl::Span<const std::byte* const> arguments,
                             absl::Span<std::byte* const> results) {
  if (runner_.has_value()) return runner_->Run(count, arguments, results);
  for (int64_t i = 0; i < count; ++i) {
    const absl::Status status = RunOne(i, arguments, results);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status BodyRunner::RunOne(int64_t i,
                                absl::Span<const std::byte* const> arguments,
                                absl::Span<std::byte* const> results) {
  absl::InlinedVector<LiteralView, 4> inputs;
  for (size_t k = 0; k < arguments.size(); ++k) {
    const Shape& shape = body_.arguments()[k]->shape();
    inputs.emplace_back(shape, arguments[k] + i * shape.byte_size());
  }
  absl::InlinedVector<MutableLiteralView, 2> outputs;
  for (size_t k = 0; k < results.size(); ++k) {
    const Shape& shape =
        body_.terminator()->operand(static_cast<int>(k))->shape();
    outputs.emplace_back(shape, results[k] + i * shape.byte_size());
  }
  return context_.RunRegion(body_, inputs, outputs);
}

}  // namespace lockstep::internal
