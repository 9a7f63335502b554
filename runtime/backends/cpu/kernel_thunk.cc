#include "runtime/backends/cpu/kernel_thunk.h"

#include <utility>

#include "absl/container/inlined_vector.h"

namespace lockstep {

KernelThunk::KernelThunk(std::string name, std::string location,
                         std::shared_ptr<const Kernel> kernel,
                         const std::vector<TensorSlice>& buffers, size_t inputs)
    : Thunk(std::move(name), std::move(location)), kernel_(std::move(kernel)) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    uses_.push_back(i < inputs ? BufferUse::Read(buffers[i].slice)
                               : BufferUse::Write(buffers[i].slice));
  }
}

absl::Status KernelThunk::Execute(ExecuteContext& context) const {
  absl::InlinedVector<char*, 16> addresses;
  for (const BufferUse& use : uses_) {
    addresses.push_back(
        reinterpret_cast<char*>(context.buffers.Address(use.slice)));
  }
  kernel_->Run(addresses.data(), 0, kernel_->count());
  return absl::OkStatus();
}

}  // namespace lockstep
