#include "runtime/backends/step_request.h"

namespace lockstep::internal {

KernelRequest RequestOf(const Step& step, const MemoryLayout& layout) {
  const auto tensor = [&](TensorId id, const Value& value) {
    return TensorSlice{layout.slices[id], value.shape()};
  };
  KernelRequest request;
  request.op = step.op;
  for (size_t i = 0; i < step.operands.size(); ++i) {
    request.operands.push_back(
        tensor(step.operands[i], *step.op->operand(static_cast<int>(i))));
  }
  for (size_t i = 0; i < step.results.size(); ++i) {
    request.results.push_back(
        tensor(step.results[i], *step.op->result(static_cast<int>(i))));
  }
  for (const Capture& capture : step.captures) {
    request.captures.push_back(
        {capture.value, tensor(capture.tensor, *capture.value)});
  }
  if (!step.scratch.empty()) request.scratch = layout.slices[step.scratch[0]];
  return request;
}

}  // namespace lockstep::internal
