#include "runtime/backends/cpu/thunks/loop_thunk.h"

#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "runtime/executable/profile_recorder.h"

namespace lockstep::internal {

LoopThunk::LoopThunk(std::string location, std::shared_ptr<const Kernel> kernel,
                     std::vector<BufferSlice> blocks,
                     std::vector<BufferUse> uses,
                     std::vector<std::unique_ptr<HostThunk>> calls,
                     std::string details)
    : HostThunk("while", std::move(location)),
      kernel_(std::move(kernel)),
      blocks_(std::move(blocks)),
      uses_(std::move(uses)),
      calls_(std::move(calls)),
      details_(std::move(details)) {
  // How often its own kernels run is not known.
  SetWork({.bytes = 0});
}

std::vector<const Thunk*> LoopThunk::called() const {
  std::vector<const Thunk*> called;
  for (const auto& call : calls_) called.push_back(call.get());
  return called;
}

std::string LoopThunk::Details() const {
  std::string details = details_;
  for (size_t i = 0; i < calls_.size(); ++i) {
    absl::StrAppend(&details, i == 0 ? ", calls=" : "+", calls_[i]->kind());
  }
  return details;
}

int32_t LoopThunk::Call(void* run, int32_t call) {
  auto& [thunk, context, status] = *static_cast<Run*>(run);
  status = context.cancellation->status();
  if (status.ok() && call >= 0) {
    const HostThunk& called = *thunk.calls_[static_cast<size_t>(call)];
    const ProfiledExecution execution(context.profile, called);
    status = called.ExecuteOnHost(context);
  }
  context.progress->CountThunk();
  return status.ok() ? 0 : 1;
}

absl::Status LoopThunk::ExecuteOnHost(HostContext& context) const {
  Run run = {*this, context, absl::OkStatus()};
  absl::InlinedVector<char*, 16> buffers;
  for (const BufferSlice& block : blocks_) {
    buffers.push_back(reinterpret_cast<char*>(context.buffers.Address(block)));
  }
  buffers.push_back(reinterpret_cast<char*>(&run));
  const LoopCallback callback = &Call;
  buffers.push_back(reinterpret_cast<char*>(callback));
  kernel_->Run(buffers.data(), 0, 1);
  return run.status;
}

}  // namespace lockstep::internal
