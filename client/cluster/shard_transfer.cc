#include "client/cluster/shard_transfer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "proto/channel.h"
#include "proto/convert.h"
#include "proto/grpc_status.h"
#include "proto/lockstep/worker.grpc.pb.h"
#include "runtime/base/status.h"
#include "runtime/worker/daemon/shard_assembler.h"

namespace lockstep::internal {
namespace {

bool WriteShard(grpc::ClientWriter<proto::ShardChunk>& writer,
                const ShardTransfer::Shard& shard) {
  proto::ShardChunk chunk;
  proto::ShardChunk::Header* header = chunk.mutable_header();
  *header->mutable_array() = ToProto(shard.array);
  header->set_device(shard.device.value());
  const Shape& shape = shard.value.shape();
  header->set_element_type(static_cast<uint32_t>(shape.element_type()));
  for (int64_t dim : shape.dims()) header->add_dims(dim);
  for (GlobalDeviceId device : shard.other_devices) {
    header->add_other_devices(device.value());
  }
  const char* data = reinterpret_cast<const char*>(shard.value.bytes());
  int64_t left = shape.byte_size();
  do {
    const int64_t size = std::min(left, kShardChunkBytes);
    // Not set_data, which makes a string that it then copies.
    chunk.mutable_data()->assign(data, static_cast<size_t>(size));
    if (!writer.Write(chunk)) return false;
    chunk.clear_header();
    data += size;
    left -= size;
  } while (left > 0);
  return true;
}

class GrpcShardTransfer : public ShardTransfer {
 public:
  GrpcShardTransfer(const std::string& address, const Credentials& credentials,
                    const HostRef& host,
                    std::shared_ptr<CancellationToken> lost,
                    absl::Duration verdict_time)
      : address_(address),
        host_(host),
        verdict_time_(verdict_time),
        lost_(std::move(lost)),
        stub_(OpenWorkerStub(address, credentials)) {}

  absl::Status Put(absl::Span<const Shard> shards) override {
    grpc::ClientContext context;
    const auto registration = lost_->OnCancel([&] { context.TryCancel(); });
    proto::PutShardsReply reply;
    auto writer = stub_->PutShards(&context, &reply);
    for (const Shard& shard : shards) {
      if (!WriteShard(*writer, shard)) break;
    }
    writer->WritesDone();
    return StatusOf(writer->Finish());
  }

  absl::StatusOr<std::vector<Literal>> Fetch(absl::Span<const Shard> shards,
                                             CancellationToken& cancellation,
                                             absl::Time deadline) override {
    proto::FetchShardsRequest request;
    request.set_incarnation(host_.incarnation.value());
    for (const Shard& shard : shards) {
      auto* message = request.add_shards();
      *message->mutable_array() = ToProto(shard.array);
      message->set_device(shard.device.value());
    }
    grpc::ClientContext context;
    if (deadline < absl::InfiniteFuture()) {
      context.set_deadline(absl::ToChronoTime(deadline));
    }
    const auto lost = lost_->OnCancel([&] { context.TryCancel(); });
    const auto given_up = cancellation.OnCancel([&] { context.TryCancel(); });
    auto reader = stub_->FetchShards(&context, request);
    ShardAssembler assembler;
    absl::Status malformed;
    proto::ShardChunk chunk;
    while (malformed.ok() && reader->Read(&chunk)) {
      malformed = assembler.Add(chunk);
    }
    if (!malformed.ok()) context.TryCancel();
    const grpc::Status finished = reader->Finish();
    RETURN_IF_ERROR(malformed);
    if (IsUnreachable(finished)) AwaitVerdict(cancellation);
    if (!finished.ok()) RETURN_IF_ERROR(cancellation.status());
    RETURN_IF_ERROR(StatusOf(finished));
    return Values(shards, assembler);
  }

  absl::Status Call(
      absl::FunctionRef<grpc::Status(proto::Worker::Stub& stub,
                                     grpc::ClientContext& context)>
          call) override {
    grpc::ClientContext context;
    const auto lost = lost_->OnCancel([&] { context.TryCancel(); });
    const grpc::Status finished = call(*stub_, context);
    if (IsUnreachable(finished)) {
      CancellationToken nothing;
      AwaitVerdict(nothing);
    }
    return StatusOf(finished);
  }

 private:
  absl::StatusOr<std::vector<Literal>> Values(absl::Span<const Shard> shards,
                                              ShardAssembler& assembler) const {
    ASSIGN_OR_RETURN(std::vector<ReceivedShard> received, assembler.Finish());
    if (received.size() != shards.size()) {
      return absl::InternalError(
          absl::StrCat(ToString(host_), " sent ", received.size(),
                       " shards, expected ", shards.size()));
    }
    std::vector<Literal> values;
    for (ReceivedShard& shard : received) {
      values.push_back(std::move(shard.value));
    }
    return values;
  }

  // Of the connection, not an error that the host sent.
  static bool IsUnreachable(const grpc::Status& status) {
    return status.error_code() == grpc::StatusCode::UNAVAILABLE &&
           status.error_details().empty();
  }

  // A broken connection is noticed here before the coordinator says what became
  // of the host and of the launch, which is what the user has to know.
  void AwaitVerdict(CancellationToken& cancellation) const {
    absl::Mutex mutex;
    bool has_come = false;
    const auto notice = [&] {
      absl::MutexLock lock(&mutex);
      has_come = true;
    };
    const auto lost = lost_->OnCancel(notice);
    const auto failed = cancellation.OnCancel(notice);
    absl::MutexLock lock(&mutex);
    mutex.AwaitWithTimeout(absl::Condition(&has_come), verdict_time_);
  }

  absl::Status StatusOf(const grpc::Status& status) const {
    if (status.ok()) return absl::OkStatus();
    RETURN_IF_ERROR(lost_->status());
    if (IsUnreachable(status)) {
      return absl::UnavailableError(
          absl::StrCat(ToString(host_), " at ", address_,
                       " cannot be reached: ", status.error_message()));
    }
    return FromGrpcStatus(status);
  }

  const std::string address_;
  const HostRef host_;
  const absl::Duration verdict_time_;
  const std::shared_ptr<CancellationToken> lost_;
  const std::unique_ptr<proto::Worker::Stub> stub_;
};

}  // namespace

std::unique_ptr<proto::Worker::Stub> OpenWorkerStub(
    const std::string& address, const Credentials& credentials) {
  ChannelOptions options;
  options.has_keepalive = true;
  options.reconnects_soon = true;
  return proto::Worker::NewStub(OpenChannel(address, credentials, options));
}

std::unique_ptr<ShardTransfer> ShardTransfer::Create(
    const std::string& address, const Credentials& credentials,
    const HostRef& host, std::shared_ptr<CancellationToken> lost,
    absl::Duration verdict_time) {
  return std::make_unique<GrpcShardTransfer>(address, credentials, host,
                                             std::move(lost), verdict_time);
}

}  // namespace lockstep::internal
