#include "runtime/backends/cpu/thunks/kernel_thunk.h"

#include <algorithm>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "runtime/backends/cpu/threads/parallel_for.h"

namespace lockstep::internal {
namespace {

// Work below this is done before another thread has woken up.
constexpr int64_t kBytesPerPiece = int64_t{1} << 18;
constexpr int64_t kMaxPieces = 16;
// Long loops are cut at multiples of a vector.
constexpr int64_t kVector = 64;
constexpr int64_t kMinAligned = 1024;

}  // namespace

KernelThunk::KernelThunk(std::string name, std::string location,
                         std::shared_ptr<const Kernel> kernel,
                         const std::vector<TensorSlice>& buffers, size_t inputs)
    : HostThunk(std::move(name), std::move(location)),
      kernel_(std::move(kernel)) {
  int64_t bytes = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    uses_.push_back(i < inputs ? BufferUse::Read(buffers[i].slice)
                               : BufferUse::Write(buffers[i].slice));
    bytes += buffers[i].slice.size;
  }
  pieces_ = std::clamp<int64_t>(bytes / kBytesPerPiece, 1, kMaxPieces);
}

absl::Status KernelThunk::ExecuteOnHost(HostContext& context) const {
  absl::InlinedVector<char*, 16> addresses;
  for (const BufferUse& use : uses_) {
    addresses.push_back(
        reinterpret_cast<char*>(context.buffers.Address(use.slice)));
  }
  if (context.intra_op_threads == 1 || pieces_ == 1) {
    kernel_->Run(addresses.data(), 0, kernel_->count());
    return absl::OkStatus();
  }
  const int64_t count = kernel_->count();
  ParallelFor(context.intra_op_threads, pieces_, [&](int64_t piece) {
    const auto cut = [&](int64_t i) {
      const int64_t even = count / pieces_ * i + count % pieces_ * i / pieces_;
      if (i == pieces_ || count < pieces_ * kMinAligned) return even;
      return even / kVector * kVector;  // non-temporal loops rely on it
    };
    if (cut(piece) == cut(piece + 1)) return;
    kernel_->Run(addresses.data(), cut(piece), cut(piece + 1));
  });
  return absl::OkStatus();
}

}  // namespace lockstep::internal
