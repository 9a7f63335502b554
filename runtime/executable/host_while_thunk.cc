#include "runtime/executable/host_while_thunk.h"

#include <cstddef>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/executable/host_thunk.h"

namespace lockstep::internal {

HostWhileThunk::HostWhileThunk(std::string location, ThunkSequence condition,
                               BufferSlice predicate, ThunkSequence body)
    : Thunk("while", std::move(location)),
      condition_(std::move(condition)),
      predicate_(predicate),
      body_(std::move(body)) {
  LOCKSTEP_CHECK(predicate.size == 1);
}

absl::Status HostWhileThunk::Execute(ExecuteContext& context) const {
  ++context.control_flow_depth;
  const absl::Cleanup leave = [&context] { --context.control_flow_depth; };
  while (true) {
    RETURN_IF_ERROR(context.host.cancellation->status());
    RETURN_IF_ERROR(condition_.Execute(context));
    std::byte predicate;
    RETURN_IF_ERROR(AwaitOnHost(context, predicate_, &predicate));
    if (predicate == std::byte{0}) break;
    RETURN_IF_ERROR(body_.Execute(context));
    context.host.progress->CountThunk();
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
