#include "runtime/backends/reference/evaluate_thunk.h"

#include <utility>

#include "runtime/backends/reference/thunk_place.h"
#include "runtime/interpreter/region_evaluator.h"
#include "runtime/ir/op_def.h"
#include "runtime/kernels/request_buffers.h"

namespace lockstep::internal {

EvaluateThunk::EvaluateThunk(const Module& module, KernelRequest request)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      module_(module),
      request_(std::move(request)) {}

std::vector<BufferUse> EvaluateThunk::buffer_uses() const {
  return BufferUsesOf(request_);
}

absl::Status EvaluateThunk::ExecuteOnHost(HostContext& context) const {
  const RequestViews views = ViewsOf(request_, context.buffers);
  ThunkPlace place(context);
  RegionEvaluator evaluator(&module_, place);
  for (const KernelRequest::CapturedValue& capture : request_.captures) {
    evaluator.Bind(capture.value, context.buffers.View(capture.tensor));
  }
  return request_.op->def()->evaluate()(evaluator, *request_.op, views.operands,
                                        views.results);
}

}  // namespace lockstep::internal
