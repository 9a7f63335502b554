#include "runtime/kernels/request_buffers.h"

namespace lockstep::internal {

std::vector<BufferUse> BufferUsesOf(const KernelRequest& request) {
  std::vector<BufferUse> uses;
  for (const TensorSlice& operand : request.operands) {
    uses.push_back(BufferUse::Read(operand.slice));
  }
  for (const KernelRequest::CapturedValue& capture : request.captures) {
    uses.push_back(BufferUse::Read(capture.tensor.slice));
  }
  for (const TensorSlice& result : request.results) {
    uses.push_back(BufferUse::Write(result.slice));
  }
  return uses;
}

RequestViews ViewsOf(const KernelRequest& request, const HostBuffers& buffers) {
  RequestViews views;
  views.operands.reserve(request.operands.size());
  for (const TensorSlice& operand : request.operands) {
    views.operands.push_back(buffers.View(operand));
  }
  views.results.reserve(request.results.size());
  for (const TensorSlice& result : request.results) {
    views.results.push_back(buffers.MutableView(result));
  }
  return views;
}

}  // namespace lockstep::internal
