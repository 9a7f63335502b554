#include "runtime/worker/daemon/array_stream.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/base/status.h"
#include "runtime/cluster/process_memory.h"
#include "runtime/types/canonical_elements.h"
#include "runtime/worker/daemon/shard_assembler.h"

namespace lockstep::internal {
namespace {

// Shards up to here travel in the reply.
constexpr int64_t kInlineBytes = int64_t{64} << 10;

// Files of one client that are not put yet. It has one for each thread that
// puts.
constexpr size_t kMaxFiles = 64;

}  // namespace

ArrayStream::ArrayStream(ArrayStore* arrays, ArrayPlacement* placement,
                         ArrayFeed* feed, Incarnation incarnation)
    : arrays_(*arrays),
      placement_(*placement),
      feed_(*feed),
      incarnation_(incarnation),
      writes_(this) {
  StartRead(&request_);
}

void ArrayStream::OnReadDone(bool ok) {
  absl::Status status = absl::CancelledError("the client is gone");
  if (ok) status = Handle();
  if (status.ok()) {
    request_.Clear();
    StartRead(&request_);
    return;
  }
  std::shared_ptr<Link> link;
  {
    absl::MutexLock lock(&mutex_);
    link = std::move(link_);
  }
  if (link != nullptr) {
    link->Detach();
    feed_.Close(client_, link.get());
  }
  writes_.End(ok ? status : absl::OkStatus());
}

void ArrayStream::OnCancel() {
  std::shared_ptr<Link> link;
  {
    absl::MutexLock lock(&mutex_);
    link = link_;
  }
  if (link != nullptr) link->Detach();
  writes_.End(absl::CancelledError("the client is gone"));
}

absl::Status ArrayStream::Handle() {
  if (request_.has_hello()) return Open(request_.hello());
  if (client_ == ClientId()) {
    return absl::InvalidArgumentError(
        "expected a hello as the first message of a client");
  }
  std::shared_ptr<Link> link;
  {
    absl::MutexLock lock(&mutex_);
    link = link_;
  }
  if (request_.has_read()) link->Read(request_.read());
  if (request_.request_case() == proto::ArrayRequest::kRelease) {
    link->Release(request_.release());
  }
  if (request_.has_allocate()) link->Allocate(request_.allocate());
  if (request_.has_put()) link->Put(std::move(*request_.mutable_put()));
  return absl::OkStatus();
}

absl::Status ArrayStream::Open(const proto::ArrayRequest::Hello& hello) {
  if (client_ != ClientId() || hello.client() <= 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected one hello of a client, found client ",
                     hello.client(), client_ == ClientId() ? "" : " again"));
  }
  if (hello.incarnation() != incarnation_.value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "expected incarnation ", ToString(Incarnation(hello.incarnation())),
        ", found ", ToString(incarnation_),
        ": the worker has been replaced, its arrays are gone"));
  }
  client_ = ClientId(hello.client());
  auto link = std::make_shared<Link>(this, client_);
  {
    absl::MutexLock lock(&mutex_);
    link_ = link;
  }
  const MemoryAccess access = OfferMemory();
  proto::ArrayEvents events;
  events.mutable_hello()->set_pid(access.pid);
  events.mutable_hello()->set_token_address(access.token_address);
  events.mutable_hello()->set_token(access.token);
  writes_.Send(std::move(events));
  feed_.Open(client_, std::move(link));
  return absl::OkStatus();
}

void ArrayStream::Link::Send(proto::ArrayEvents events) {
  absl::MutexLock lock(&mutex_);
  if (stream_ != nullptr) stream_->writes_.Send(std::move(events));
}

void ArrayStream::Link::Detach() {
  absl::flat_hash_map<uint64_t, LentMemory> lent;
  absl::flat_hash_map<uint64_t, MemoryFile> files;
  absl::MutexLock lock(&mutex_);
  stream_ = nullptr;
  lent.swap(lent_);
  files.swap(files_);
}

void ArrayStream::Link::Read(const proto::ArrayRequest::Read& read) {
  arrays_.WhenThere({client_, read.array()},
                    [link = shared_from_this(), read](const absl::Status& s) {
                      link->Answer(read, s);
                    });
}

void ArrayStream::Link::Release(uint64_t read) {
  LentMemory released;
  absl::MutexLock lock(&mutex_);
  auto it = lent_.find(read);
  if (it == lent_.end() || stream_ == nullptr) return;
  released = std::move(it->second);
  lent_.erase(it);
  proto::ArrayEvents events;
  events.add_released(read);
  stream_->writes_.Send(std::move(events));
}

void ArrayStream::Link::Answer(const proto::ArrayRequest::Read& read,
                               const absl::Status& status) {
  proto::ArrayEvents::ReadReply reply;
  LentMemory lent;
  absl::Status filled = status.ok() ? Fill(read, reply, lent) : status;
  if (!filled.ok()) {
    reply.clear_shards();
    *reply.mutable_error() = ToProto(filled);
  } else if (!lent.empty()) {
    absl::MutexLock lock(&mutex_);
    if (stream_ == nullptr) return;
    lent_[read.id()] = std::move(lent);
  }
  reply.set_id(read.id());
  feed_.Reply(client_, *this, std::move(reply));
}

absl::Status ArrayStream::Link::Fill(const proto::ArrayRequest::Read& read,
                                     proto::ArrayEvents::ReadReply& reply,
                                     LentMemory& lent) {
  for (int32_t device : read.devices()) {
    ASSIGN_OR_RETURN(
        std::shared_ptr<Buffer> buffer,
        arrays_.Find({client_, read.array()}, GlobalDeviceId(device)));
    auto* shard = reply.add_shards();
    const int64_t size = buffer->shape().byte_size();
    ASSIGN_OR_RETURN(std::shared_ptr<DeviceMemory> memory, buffer->Memory());
    // As in ArrayFeed: no waiting for the device here.
    const bool is_readable = memory->address().host_accessible();
    if (is_readable && size <= kInlineBytes) {
      ASSIGN_OR_RETURN(const Literal value, FetchLiteral(*buffer));
      shard->set_data(value.bytes(), size);
    } else if (is_readable && read.by_memory()) {
      shard->set_address(
          reinterpret_cast<uintptr_t>(memory->address().host_bytes()));
      shard->set_size(size);
      lent.push_back(std::move(memory));
    } else {
      shard->set_is_large(true);
    }
  }
  return absl::OkStatus();
}

void ArrayStream::Link::AnswerPut(proto::ArrayEvents::PutReply reply,
                                  const absl::Status& status) {
  if (!status.ok()) *reply.mutable_error() = ToProto(status);
  proto::ArrayEvents events;
  *events.add_puts() = std::move(reply);
  Send(std::move(events));
}

absl::Status ArrayStream::Link::MakeFile(
    const proto::ArrayRequest::Allocate& allocate,
    proto::ArrayEvents::PutReply& reply) {
  ASSIGN_OR_RETURN(MemoryFile file, MemoryFile::Create(allocate.bytes()));
  const MemoryFileAccess access = file.access();
  reply.set_file_descriptor(access.descriptor);
  reply.set_token(access.token);
  absl::MutexLock lock(&mutex_);
  if (files_.size() >= kMaxFiles) {
    return absl::ResourceExhaustedError(
        absl::StrCat("expected at most ", kMaxFiles, " files at a time"));
  }
  if (stream_ != nullptr) {
    files_.insert_or_assign(allocate.id(), std::move(file));
  }
  return absl::OkStatus();
}

void ArrayStream::Link::Allocate(
    const proto::ArrayRequest::Allocate& allocate) {
  proto::ArrayEvents::PutReply reply;
  reply.set_id(allocate.id());
  const absl::Status made = MakeFile(allocate, reply);
  AnswerPut(std::move(reply), made);
}

void ArrayStream::Link::Put(proto::ArrayRequest::Put put) {
  placement_.WhenDevicesKnown([link = shared_from_this(), put = std::move(put)](
                                  const absl::Status& known) {
    proto::ArrayEvents::PutReply reply;
    reply.set_id(put.id());
    link->AnswerPut(std::move(reply),
                    known.ok() ? link->PutOnDevices(put) : known);
  });
}

absl::StatusOr<std::optional<MemoryFile>> ArrayStream::Link::TakeFile(
    uint64_t id) {
  if (id == 0) return std::nullopt;
  absl::MutexLock lock(&mutex_);
  auto file = files_.extract(id);
  if (file.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a file that was allocated, found ", id));
  }
  return std::move(file.mapped());
}

absl::Status ArrayStream::Link::PutOnDevices(
    const proto::ArrayRequest::Put& put) {
  ASSIGN_OR_RETURN(const std::optional<MemoryFile> file, TakeFile(put.file()));
  std::shared_ptr<std::byte> bytes;
  if (file.has_value()) {
    ASSIGN_OR_RETURN(bytes, file->Map());
  }
  const int64_t size = file.has_value() ? file->size() : 0;
  std::vector<ArrayPlacement::PlacedValue> values;
  for (const auto& shard : put.shards()) {
    ASSIGN_OR_RETURN(const Shape shape,
                     ShardShape(shard.element_type(), shard.dims()));
    ASSIGN_OR_RETURN(std::vector<GlobalDeviceId> devices,
                     ShardDevices(shard.devices()));
    ArrayPlacement::PlacedValue value{
        {client_, put.array()}, std::move(devices), HostTensor()};
    MutableLiteralView view;
    if (shard.value_case() == proto::ArrayRequest::Put::Shard::kOffset) {
      if (shard.offset() < 0 || shard.offset() % kShardAlignment != 0 ||
          shard.offset() > size || shape.byte_size() > size - shard.offset()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "shard of ", shape.ToString(), ": expected ", shape.byte_size(),
            " bytes in a file of ", size, ", found offset ", shard.offset()));
      }
      view = MutableLiteralView(shape, bytes.get() + shard.offset());
      value.value = HostTensor{view, bytes};
    } else {
      if (static_cast<int64_t>(shard.data().size()) != shape.byte_size()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "shard of ", shape.ToString(), ": expected ", shape.byte_size(),
            " bytes, found ", shard.data().size()));
      }
      ASSIGN_OR_RETURN(Literal literal, Literal::Allocate(shape));
      std::copy_n(reinterpret_cast<const std::byte*>(shard.data().data()),
                  shard.data().size(), literal.mutable_bytes());
      view = literal.mutable_view();
      value.value = std::move(literal);
    }
    CanonicalizeElements(view);
    values.push_back(std::move(value));
  }
  return placement_.Put(std::move(values));
}

}  // namespace lockstep::internal
