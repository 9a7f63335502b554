#include "runtime/executable/host_thunk.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/quantity_text.h"
#include "runtime/base/scratch_memory.h"

namespace lockstep::internal {
namespace {

// Host memory for the slices that a thunk uses. Slices of one allocation keep
// their distances, since they may overlap.
class Copies {
 public:
  explicit Copies(const std::vector<BufferUse>& uses) {
    for (const BufferUse& use : uses) Include(use.slice);
  }

  // Of all blocks.
  int64_t bytes() const {
    int64_t sum = 0;
    for (const Block& block : blocks_) sum += block.end - block.begin;
    return sum;
  }
  // False when there is no memory.
  bool Allocate() {
    for (Block& block : blocks_) {
      auto memory = ScratchMemory::Allocate(block.end - block.begin);
      if (!memory.ok()) return false;
      block.memory = *std::move(memory);
    }
    return true;
  }
  HostBuffers buffers() const {
    HostBuffers buffers;
    for (const Block& block : blocks_) {
      buffers.Append(block.memory.data() - block.begin);
    }
    return buffers;
  }

 private:
  // The hull of what is used of an allocation.
  struct Block {
    int64_t begin = 0;
    int64_t end = 0;
    ScratchMemory memory;
  };

  void Include(const BufferSlice& slice) {
    if (static_cast<size_t>(slice.allocation) >= blocks_.size()) {
      blocks_.resize(slice.allocation + 1);
    }
    Block& block = blocks_[slice.allocation];
    const bool is_new = block.begin == block.end;
    block.begin = is_new ? slice.offset : std::min(block.begin, slice.offset);
    block.end = std::max(is_new ? 0 : block.end, slice.offset + slice.size);
  }

  std::vector<Block> blocks_;  // by allocation
};

}  // namespace

absl::Status HostThunk::ExecuteOnCopies(ExecuteContext& context) const {
  const std::vector<BufferUse> uses = buffer_uses();
  auto copies = std::make_shared<Copies>(uses);
  if (!copies->Allocate()) {
    return absl::ResourceExhaustedError(
        absl::StrCat(location(), ": ", kind(), " needs ",
                     BytesText(copies->bytes()), " of host memory"));
  }
  const HostBuffers buffers = copies->buffers();
  for (const BufferUse& use : uses) {
    if (use.access != BufferUse::Access::kRead || use.slice.size == 0) continue;
    context.queue->CopyToHost(*context.scope, buffers.Address(use.slice),
                              context.buffers.Address(use.slice));
  }
  context.queue->CallHost(*context.scope, [this, &context, buffers] {
    context.host.buffers = buffers;
    const absl::Status status = ExecuteOnHost(context.host);
    context.host.progress->CountThunk();
    return status;
  });
  for (const BufferUse& use : uses) {
    if (use.access != BufferUse::Access::kWrite || use.slice.size == 0) {
      continue;
    }
    context.queue->CopyFromHost(*context.scope,
                                context.buffers.Address(use.slice),
                                buffers.Address(use.slice));
  }
  // The copies are there until the queue is past them, also when the scope has
  // failed: calls are left out then, and what goes to the host may be on its
  // way.
  const std::shared_ptr<DeviceEvent> past =
      context.queue->Record(*context.scope);
  if (past != nullptr) {
    past->OnReady([copies = std::move(copies)](const absl::Status&) {});
  }
  return absl::OkStatus();
}

absl::Status AwaitOnHost(ExecuteContext& context, const BufferSlice& slice,
                         std::byte* to) {
  if (context.is_on_host) {
    std::memcpy(to, context.host.buffers.Address(slice),
                static_cast<size_t>(slice.size));
    return absl::OkStatus();
  }
  context.queue->CopyToHost(*context.scope, to, context.buffers.Address(slice));
  const std::shared_ptr<DeviceEvent> copied =
      context.queue->Record(*context.scope);
  return copied == nullptr ? absl::OkStatus() : copied->Await();
}

}  // namespace lockstep::internal
