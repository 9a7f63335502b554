#include "client/cluster/host_put.h"

#include <utility>

#include "runtime/base/status.h"
#include "runtime/worker/daemon/shard_assembler.h"

namespace lockstep::internal {
namespace {

// Shards that have no more bytes, all together, travel in a message.
constexpr int64_t kInlineBytes = int64_t{64} << 10;

int64_t Aligned(int64_t bytes) {
  return (bytes + kShardAlignment - 1) / kShardAlignment * kShardAlignment;
}

int64_t BytesInFile(absl::Span<const ShardTransfer::Shard> shards) {
  int64_t bytes = 0;
  for (const auto& shard : shards) {
    bytes += Aligned(shard.value.shape().byte_size());
  }
  return bytes;
}

proto::ArrayRequest::Put::Shard* AddShard(const ShardTransfer::Shard& shard,
                                          proto::ArrayRequest::Put& put) {
  put.set_array(shard.array.number);
  auto* message = put.add_shards();
  message->add_devices(shard.device.value());
  for (GlobalDeviceId device : shard.other_devices) {
    message->add_devices(device.value());
  }
  const Shape& shape = shard.value.shape();
  message->set_element_type(static_cast<uint32_t>(shape.element_type()));
  for (int64_t dim : shape.dims()) message->add_dims(dim);
  return message;
}

}  // namespace

HostPut::HostPut(std::shared_ptr<HostLink> link,
                 std::vector<ShardTransfer::Shard> shards)
    : link_(std::move(link)),
      shards_(std::move(shards)),
      bytes_(BytesInFile(shards_)),
      question_(bytes_ <= kInlineBytes ? PutInMessage() : nullptr),
      is_large_(question_ == nullptr) {}

std::shared_ptr<HostLink::Question> HostPut::PutInMessage() {
  proto::ArrayRequest request;
  for (const ShardTransfer::Shard& shard : shards_) {
    AddShard(shard, *request.mutable_put())
        ->set_data(shard.value.bytes(), shard.value.shape().byte_size());
  }
  return link_->Ask(std::move(request));
}

absl::Status HostPut::Finish() {
  if (is_large_) {
    const auto memory = link_->AwaitMemory();
    if (memory.has_value()) question_ = PutInFile(*memory);
  }
  if (question_ == nullptr) return link_->transfer().Put(shards_);
  return link_->AwaitReply(*question_).status();
}

std::shared_ptr<HostLink::Question> HostPut::PutInFile(
    const ProcessMemory& memory) {
  proto::ArrayRequest request;
  request.mutable_allocate()->set_bytes(bytes_);
  const auto allocation = link_->Ask(std::move(request));
  if (allocation == nullptr) return nullptr;
  const auto reply = link_->AwaitReply(*allocation);
  if (!reply.ok()) return nullptr;
  request.mutable_put()->set_file(allocation->id);
  const bool is_filled =
      Fill({memory.pid(), reply->file_descriptor(), reply->token()},
           *request.mutable_put());
  if (!is_filled) request.mutable_put()->clear_shards();  // ends the file
  auto question = link_->Ask(std::move(request));
  return is_filled ? question : nullptr;
}

bool HostPut::Fill(const MemoryFileAccess& access,
                   proto::ArrayRequest::Put& put) const {
  auto file = ForeignMemoryFile::Open(access);
  if (!file.ok()) return false;
  int64_t offset = 0;
  for (const ShardTransfer::Shard& shard : shards_) {
    if (!file->Write(offset, shard.value.byte_span()).ok()) return false;
    AddShard(shard, put)->set_offset(offset);
    offset += Aligned(shard.value.shape().byte_size());
  }
  return true;
}

}  // namespace lockstep::internal
