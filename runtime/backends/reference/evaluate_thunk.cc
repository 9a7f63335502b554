#include "runtime/backends/reference/evaluate_thunk.h"

#include <utility>

#include "runtime/backends/reference/thunk_place.h"
#include "runtime/interpreter/region_evaluator.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {

EvaluateThunk::EvaluateThunk(const Module& module, KernelRequest request)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      module_(module),
      request_(std::move(request)) {}

std::vector<BufferUse> EvaluateThunk::buffer_uses() const {
  std::vector<BufferUse> uses;
  for (const TensorSlice& operand : request_.operands) {
    uses.push_back(BufferUse::Read(operand.slice));
  }
  for (const KernelRequest::CapturedValue& capture : request_.captures) {
    uses.push_back(BufferUse::Read(capture.tensor.slice));
  }
  for (const TensorSlice& result : request_.results) {
    uses.push_back(BufferUse::Write(result.slice));
  }
  return uses;
}

absl::Status EvaluateThunk::ExecuteOnHost(HostContext& context) const {
  std::vector<LiteralView> operands;
  operands.reserve(request_.operands.size());
  for (const TensorSlice& operand : request_.operands) {
    operands.push_back(context.buffers.View(operand));
  }
  std::vector<MutableLiteralView> results;
  results.reserve(request_.results.size());
  for (const TensorSlice& result : request_.results) {
    results.push_back(context.buffers.MutableView(result));
  }
  ThunkPlace place(context);
  RegionEvaluator evaluator(&module_, place);
  for (const KernelRequest::CapturedValue& capture : request_.captures) {
    evaluator.Bind(capture.value, context.buffers.View(capture.tensor));
  }
  return request_.op->def()->evaluate()(evaluator, *request_.op, operands,
                                        results);
}

}  // namespace lockstep::internal
