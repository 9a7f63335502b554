#include "runtime/worker/daemon/shard_service.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "proto/convert.h"
#include "proto/grpc_status.h"
#include "proto/refusing_reactor.h"
#include "proto/server.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/base/status.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/worker/daemon/array_stream.h"
#include "runtime/worker/daemon/shard_assembler.h"

namespace lockstep::internal {
namespace {

// How often a waiting call looks whether its client is still there.
constexpr absl::Duration kClientCheck = absl::Milliseconds(200);

proto::ShardChunk HeaderOf(const proto::FetchShardsRequest::Shard& shard,
                           const Shape& shape) {
  proto::ShardChunk chunk;
  proto::ShardChunk::Header* header = chunk.mutable_header();
  *header->mutable_array() = shard.array();
  header->set_device(shard.device());
  header->set_element_type(static_cast<uint32_t>(shape.element_type()));
  for (int64_t dim : shape.dims()) header->add_dims(dim);
  return chunk;
}

// `numbers`: of the memory that arrays have.
proto::ShardList::Array ToProto(
    const ArrayStore::Content& content,
    absl::flat_hash_map<const BufferStorage*, uint64_t>& numbers) {
  proto::ShardList::Array message;
  *message.mutable_handle() = ToProto(content.array);
  message.set_state(!content.is_there     ? proto::ShardList::PENDING
                    : content.status.ok() ? proto::ShardList::READY
                                          : proto::ShardList::FAILED);
  message.set_error(std::string(content.status.message()));
  for (const auto& shard : content.shards) {
    message.add_devices(shard->device().value());
    message.add_memory(
        numbers.try_emplace(shard->identity(), numbers.size()).first->second);
  }
  if (content.shards.empty()) return message;
  const Shape& shape = content.shards[0]->shape();
  message.set_element_type(static_cast<uint32_t>(shape.element_type()));
  for (int64_t dim : shape.dims()) message.add_dims(dim);
  return message;
}

}  // namespace

absl::Status ShardService::AwaitDevices(grpc::ServerContext& context) {
  while (true) {
    if (context.IsCancelled()) {
      return absl::CancelledError("the client is gone");
    }
    absl::Status status = placement_.AwaitDevices(absl::Now() + kClientCheck);
    if (!absl::IsDeadlineExceeded(status)) return status;
  }
}

void ShardService::Close(const absl::Status& status) {
  closing_.Cancel(status);
  placement_.Close(status);
}

grpc::ServerBidiReactor<proto::ArrayRequest, proto::ArrayEvents>*
ShardService::WatchArrays(grpc::CallbackServerContext* context) {
  absl::Status admitted = Admit(admission_, "Worker/WatchArrays", *context);
  if (!admitted.ok()) {
    return new RefusingReactor<
        grpc::ServerBidiReactor<proto::ArrayRequest, proto::ArrayEvents>>(
        admitted);
  }
  return new ArrayStream(&arrays_, &placement_, &feed_, incarnation_);
}

grpc::Status ShardService::ListShards(grpc::ServerContext* context,
                                      const proto::ListShardsRequest*,
                                      proto::ShardList* reply) {
  absl::Status admitted = Admit(admission_, "Worker/ListShards", *context);
  if (!admitted.ok()) return ToGrpcStatus(admitted);
  absl::flat_hash_map<const BufferStorage*, uint64_t> numbers;
  for (const ArrayStore::Content& content : arrays_.List()) {
    *reply->add_arrays() = ToProto(content, numbers);
  }
  for (const auto& [id, device] : placement_.devices()) {
    proto::ShardList::Device* next = reply->add_devices();
    next->set_id(id.value());
    next->set_bytes_in_use(device->statistics().in_use);
    next->set_bytes(device->info().memory_bytes);
  }
  return grpc::Status::OK;
}

grpc::Status ShardService::OpenCheckpoint(
    grpc::ServerContext* context, const proto::OpenCheckpointRequest* request,
    proto::OpenCheckpointReply* reply) {
  absl::Status admitted = Admit(admission_, "Worker/OpenCheckpoint", *context);
  if (!admitted.ok()) return ToGrpcStatus(admitted);
  auto opened = checkpoints_.Open(*request);
  if (!opened.ok()) return ToGrpcStatus(opened.status());
  *reply = *std::move(opened);
  return grpc::Status::OK;
}

grpc::Status ShardService::SaveShards(
    grpc::ServerContext* context, const proto::SaveShardsRequest* request,
    grpc::ServerWriter<proto::SaveShardsReply>* writer) {
  absl::Status admitted = Admit(admission_, "Worker/SaveShards", *context);
  if (!admitted.ok()) return ToGrpcStatus(admitted);
  absl::Status alive = CheckIncarnation(request->incarnation());
  if (!alive.ok()) return ToGrpcStatus(alive);
  return ToGrpcStatus(Save(*context, *request, *writer));
}

absl::Status ShardService::Save(
    grpc::ServerContext& context, const proto::SaveShardsRequest& request,
    grpc::ServerWriter<proto::SaveShardsReply>& writer) {
  const auto find = [&](const ClientHandle& array, GlobalDeviceId device) {
    return AwaitReady(context, array, device);
  };
  const auto on_copied = [&] {
    proto::SaveShardsReply copied;
    copied.set_is_copied(true);
    writer.Write(copied);  // that the client is gone shows at the end
  };
  const auto is_gone = [&context] { return context.IsCancelled(); };
  ASSIGN_OR_RETURN(std::string manifest,
                   checkpoints_.Save(request, find, on_copied, is_gone));
  proto::SaveShardsReply reply;
  reply.set_manifest(manifest);
  if (!context.IsCancelled() && writer.Write(reply)) return absl::OkStatus();
  proto::CommitCheckpointRequest unused;
  unused.set_folder(request.folder());
  unused.set_manifest(std::move(manifest));
  unused.set_is_given_up(true);
  RETURN_IF_ERROR(checkpoints_.Commit(unused, is_gone));
  return absl::CancelledError("the client is gone");
}

grpc::Status ShardService::CommitCheckpoint(
    grpc::ServerContext* context, const proto::CommitCheckpointRequest* request,
    proto::CommitCheckpointReply* reply) {
  absl::Status admitted =
      Admit(admission_, "Worker/CommitCheckpoint", *context);
  if (!admitted.ok()) return ToGrpcStatus(admitted);
  return ToGrpcStatus(checkpoints_.Commit(
      *request, [context] { return context->IsCancelled(); }));
}

grpc::Status ShardService::RestoreShards(
    grpc::ServerContext* context, const proto::RestoreShardsRequest* request,
    proto::RestoreShardsReply* reply) {
  absl::Status admitted = Admit(admission_, "Worker/RestoreShards", *context);
  if (!admitted.ok()) return ToGrpcStatus(admitted);
  absl::Status alive = CheckIncarnation(request->incarnation());
  if (alive.ok()) alive = AwaitDevices(*context);
  if (!alive.ok()) return ToGrpcStatus(alive);
  return ToGrpcStatus(checkpoints_.Restore(
      *request, [context] { return context->IsCancelled(); }));
}

grpc::Status ShardService::PutShards(
    grpc::ServerContext* context, grpc::ServerReader<proto::ShardChunk>* reader,
    proto::PutShardsReply* reply) {
  absl::Status admitted = Admit(admission_, "Worker/PutShards", *context);
  if (!admitted.ok()) return ToGrpcStatus(admitted);
  ShardAssembler assembler;
  proto::ShardChunk chunk;
  while (reader->Read(&chunk)) {
    absl::Status status = assembler.Add(chunk);
    if (!status.ok()) return ToGrpcStatus(status);
  }
  auto shards = assembler.Finish();
  if (!shards.ok()) return ToGrpcStatus(shards.status());
  absl::Status joined = AwaitDevices(*context);
  if (!joined.ok()) return ToGrpcStatus(joined);
  std::vector<ArrayPlacement::PlacedValue> values;
  for (ReceivedShard& shard : *shards) {
    values.push_back(
        {shard.array, std::move(shard.devices), std::move(shard.value)});
  }
  return ToGrpcStatus(placement_.Put(std::move(values)));
}

grpc::Status ShardService::FetchShards(
    grpc::ServerContext* context, const proto::FetchShardsRequest* request,
    grpc::ServerWriter<proto::ShardChunk>* writer) {
  absl::Status admitted = Admit(admission_, "Worker/FetchShards", *context);
  if (!admitted.ok()) return ToGrpcStatus(admitted);
  absl::Status alive = CheckIncarnation(request->incarnation());
  if (!alive.ok()) return ToGrpcStatus(alive);
  return ToGrpcStatus(Fetch(*context, *request, *writer));
}

absl::Status ShardService::CheckIncarnation(uint64_t expected) const {
  if (expected == incarnation_.value()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("expected incarnation ", ToString(Incarnation(expected)),
                   ", found ", ToString(incarnation_),
                   ": the worker has been replaced, its arrays are gone"));
}

absl::Status ShardService::Fetch(
    grpc::ServerContext& context, const proto::FetchShardsRequest& request,
    grpc::ServerWriter<proto::ShardChunk>& writer) {
  const auto count = static_cast<size_t>(request.shards_size());
  std::vector<PendingTensor> values(count);
  const auto begin = [&](size_t i) -> absl::StatusOr<int64_t> {
    const auto& shard = request.shards(static_cast<int>(i));
    ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer,
                     AwaitReady(context, FromProto(shard.array()),
                                GlobalDeviceId(shard.device())));
    ASSIGN_OR_RETURN(values[i], BeginReadOnHost(*buffer));
    return values[i].copied == nullptr ? 0 : buffer->shape().byte_size();
  };
  const auto end = [&](size_t i) -> absl::Status {
    const PendingTensor pending = std::exchange(values[i], {});
    ASSIGN_OR_RETURN(const HostTensor value, pending.Await());
    return Write(request.shards(static_cast<int>(i)), value, writer);
  };
  return ReadAhead(count, begin, end);
}

absl::Status ShardService::Write(
    const proto::FetchShardsRequest::Shard& shard, const HostTensor& value,
    grpc::ServerWriter<proto::ShardChunk>& writer) {
  const char* data = reinterpret_cast<const char*>(value.view.bytes());
  int64_t left = value.view.shape().byte_size();
  proto::ShardChunk chunk = HeaderOf(shard, value.view.shape());
  do {
    const int64_t size = std::min(left, kShardChunkBytes);
    // Not set_data, which makes a string that it then copies.
    chunk.mutable_data()->assign(data, static_cast<size_t>(size));
    if (!writer.Write(chunk)) return absl::CancelledError("the client is gone");
    chunk.clear_header();
    data += size;
    left -= size;
  } while (left > 0);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Buffer>> ShardService::AwaitReady(
    grpc::ServerContext& context, const ClientHandle& array,
    GlobalDeviceId device) {
  std::shared_ptr<Buffer> buffer;
  while (true) {
    if (context.IsCancelled()) {
      return absl::CancelledError("the client is gone");
    }
    RETURN_IF_ERROR(closing_.status());
    const absl::Time deadline = absl::Now() + kClientCheck;
    if (buffer == nullptr) {
      auto found = arrays_.Await(array, device, deadline, &closing_);
      if (absl::IsDeadlineExceeded(found.status())) continue;
      ASSIGN_OR_RETURN(buffer, std::move(found));
    }
    absl::Status status = buffer->Await(deadline);
    if (status.ok()) return buffer;
    if (!absl::IsDeadlineExceeded(status) || buffer->is_ready()) return status;
  }
}

}  // namespace lockstep::internal
