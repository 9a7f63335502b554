#include "client/cluster/host_link.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/convert.h"
#include "proto/grpc_status.h"
#include "runtime/base/status.h"
#include "runtime/cluster/failure.h"
#include "runtime/cluster/machine.h"

namespace lockstep::internal {
namespace {

// How often waits look whether the host can be reached.
constexpr absl::Duration kReachableCheck = absl::Milliseconds(500);

// A worker on this machine says hello within milliseconds, unless it is held
// up; then an array is better on its way, if by another one.
constexpr absl::Duration kFirstHelloTime = absl::Seconds(1);

// The worker said no; asking again would not help.
bool IsRefusal(const absl::Status& status) {
  return absl::IsFailedPrecondition(status) ||
         absl::IsInvalidArgument(status) || absl::IsUnimplemented(status) ||
         absl::IsPermissionDenied(status) || absl::IsUnauthenticated(status);
}

bool IsLent(const proto::ArrayEvents::ReadReply& reply) {
  for (const auto& shard : reply.shards()) {
    if (shard.value_case() == proto::ArrayEvents::ReadReply::Shard::kAddress) {
      return true;
    }
  }
  return false;
}

bool IsOnThisMachine(const Member& member) {
  return !member.machine.empty() && member.machine == MachineId();
}

}  // namespace

std::shared_ptr<HostLink> HostLink::Open(Options options) {
  std::shared_ptr<HostLink> link(new HostLink(std::move(options)));
  absl::MutexLock lock(&link->mutex_);
  link->OpenStream();
  return link;
}

HostLink::HostLink(Options options)
    : options_(std::move(options)),
      stub_(OpenWorkerStub(options_.member.service_address,
                           options_.credentials)),
      transfer_(ShardTransfer::Create(
          options_.member.service_address, options_.credentials,
          options_.member.host, options_.lost, options_.verdict_time)),
      disconnected_since_(absl::Now()),
      on_lost_(options_.lost->OnCancel([this] {
        absl::MutexLock lock(&mutex_);
        CloseStream();
      })) {}

HostLink::~HostLink() {
  on_lost_.Reset();
  absl::MutexLock lock(&mutex_);
  CloseStream();
  const auto has_ended = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return stream_ == nullptr;
  };
  mutex_.Await(absl::Condition(&has_ended));
}

void HostLink::CloseStream() {
  is_closing_ = true;
  if (stream_ != nullptr) stream_->Cancel();
}

void HostLink::OpenStream() {
  if (is_closing_ || stream_ != nullptr) return;
  HostStream::Callbacks callbacks;
  callbacks.on_events = [this](const proto::ArrayEvents& events) {
    OnEvents(events);
  };
  callbacks.on_end = [this](const absl::Status& status) { OnEnd(status); };
  stream_ = HostStream::Open(stub_.get(), std::move(callbacks));
  is_greeted_ = false;
  proto::ArrayRequest hello;
  hello.mutable_hello()->set_client(options_.client.value());
  hello.mutable_hello()->set_incarnation(incarnation().value());
  stream_->Send(std::move(hello));
  for (const auto& [id, read] : reads_) SendRead(*read);
}

void HostLink::OnEnd(const absl::Status& status) {
  const bool is_refused = IsRefusal(status);
  if (is_refused) options_.arrays->LoseHost(incarnation(), status);
  absl::MutexLock lock(&mutex_);
  for (const auto& [id, read] : lent_) read->EndLoan(false);
  lent_.clear();
  for (const auto& [id, question] : questions_) question->is_over = true;
  questions_.clear();
  stream_ = nullptr;
  last_error_ = std::string(status.message());
  if (is_refused) {
    is_closing_ = true;
    refusal_ = status;
  }
  if (!is_greeted_) return;  // CheckReachable tries again
  disconnected_since_ = absl::Now();
  OpenStream();
}

absl::Status HostLink::CheckReachable() {
  absl::MutexLock lock(&mutex_);
  RETURN_IF_ERROR(refusal_);
  OpenStream();
  if (is_greeted_ ||
      absl::Now() - disconnected_since_ < options_.verdict_time) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(absl::StrCat(
      ToString(host()), " at ", options_.member.service_address,
      " cannot be reached", last_error_.empty() ? "" : ": ", last_error_));
}

void HostLink::OnHello(const proto::ArrayEvents::Hello& hello) {
  std::optional<ProcessMemory> memory;
  if (MayShareMemory()) {
    memory = ProcessMemory::Open(
        {hello.pid(), hello.token_address(), hello.token()});
  }
  absl::MutexLock lock(&mutex_);
  is_greeted_ = was_greeted_ = true;
  memory_ = std::move(memory);
}

void HostLink::OnEvents(const proto::ArrayEvents& events) {
  if (events.has_hello()) OnHello(events.hello());
  for (const auto& value : events.values()) {
    ArrayState::HostShards shards;
    for (int i = 0; i < std::min(value.devices_size(), value.shards_size());
         ++i) {
      shards.emplace_back(GlobalDeviceId(value.devices(i)), value.shards(i));
    }
    options_.arrays->SetShards(value.array(), incarnation(), std::move(shards));
  }
  for (int64_t array : events.ready()) {
    options_.arrays->SetReady(array, incarnation());
  }
  for (const auto& failed : events.failed()) {
    options_.arrays->Fail(failed.array(),
                          FailedOn(host(), FromProto(failed.status()), ""));
  }
  // Under the lock a read stays until it has been told. Holding one longer
  // could make this the end of the link, which waits for the end of this
  // thread's stream.
  for (const auto& reply : events.replies()) {
    bool is_awaited = false;
    {
      absl::MutexLock lock(&mutex_);
      auto it = reads_.find(reply.id());
      is_awaited = it != reads_.end();
      if (is_awaited) {
        Read* const read = it->second;
        reads_.erase(it);
        if (IsLent(reply)) lent_[reply.id()] = read;
        read->SetReply(reply);
      }
    }
    if (!is_awaited) Release(reply.id());
  }
  absl::MutexLock lock(&mutex_);
  for (const auto& reply : events.puts()) {
    auto question = questions_.extract(reply.id());
    if (question.empty()) continue;
    question.mapped()->is_over = true;
    question.mapped()->reply = reply;
  }
  for (uint64_t id : events.released()) {
    auto it = lent_.find(id);
    if (it == lent_.end()) continue;
    it->second->EndLoan(true);
    lent_.erase(it);
  }
}

std::shared_ptr<HostLink::Read> HostLink::StartRead(
    const ArrayHandle& array, std::vector<GlobalDeviceId> devices) {
  auto read =
      std::make_shared<Read>(shared_from_this(), array, std::move(devices));
  absl::MutexLock lock(&mutex_);
  read->id_ = ++last_id_;
  reads_[read->id_] = read.get();
  if (stream_ == nullptr) {
    OpenStream();  // asks for all reads
  } else {
    SendRead(*read);
  }
  return read;
}

void HostLink::SendRead(const Read& read) {
  proto::ArrayRequest request;
  auto* message = request.mutable_read();
  message->set_id(read.id_);
  message->set_array(read.array_.number);
  for (GlobalDeviceId device : read.devices_) {
    message->add_devices(device.value());
  }
  message->set_by_memory(memory_.has_value());
  stream_->Send(std::move(request));
}

void HostLink::Release(uint64_t read) {
  proto::ArrayRequest request;
  request.set_release(read);
  absl::MutexLock lock(&mutex_);
  if (stream_ != nullptr) stream_->Send(std::move(request));
}

void HostLink::Forget(uint64_t read) {
  absl::MutexLock lock(&mutex_);
  reads_.erase(read);
  lent_.erase(read);
}

std::shared_ptr<HostLink::Question> HostLink::Ask(proto::ArrayRequest request) {
  auto question = std::make_shared<Question>();
  absl::MutexLock lock(&mutex_);
  if (stream_ == nullptr || !is_greeted_) return nullptr;
  question->id = ++last_id_;
  if (request.has_allocate()) request.mutable_allocate()->set_id(question->id);
  if (request.has_put()) request.mutable_put()->set_id(question->id);
  questions_[question->id] = question;
  stream_->Send(std::move(request));
  return question;
}

absl::StatusOr<proto::ArrayEvents::PutReply> HostLink::AwaitReply(
    Question& question) {
  {
    // The end of a life, and a worker that is not heard of, end the stream.
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&question.is_over));
  }
  if (!question.reply.has_value()) {
    return Verdict(absl::UnavailableError(
        absl::StrCat(ToString(host()),
                     ": the connection broke while an array was brought")));
  }
  if (question.reply->has_error()) {
    return Annotate(FromProto(question.reply->error()), ToString(host()));
  }
  return *std::move(question.reply);
}

bool HostLink::MayShareMemory() const {
  return options_.uses_memory && IsOnThisMachine(options_.member);
}

std::optional<ProcessMemory> HostLink::memory() const {
  absl::MutexLock lock(&mutex_);
  return memory_;
}

std::optional<ProcessMemory> HostLink::AwaitMemory() const {
  if (!MayShareMemory()) return std::nullopt;
  // Without the wait a client's first array would go in chunks: it is put
  // right after the link has been opened, before the worker's hello has come.
  const auto is_decided = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return was_greeted_ || stream_ == nullptr;
  };
  absl::MutexLock lock(&mutex_);
  mutex_.AwaitWithTimeout(absl::Condition(&is_decided), kFirstHelloTime);
  return memory_;
}

HostLink::Read::~Read() {
  link_->Forget(id_);
  if (IsLent(reply_) && !is_released_) link_->Release(id_);
}

void HostLink::Read::SetReply(proto::ArrayEvents::ReadReply reply) {
  absl::MutexLock lock(&mutex_);
  reply_ = std::move(reply);
  is_answered_ = true;
}

void HostLink::Read::EndLoan(bool is_confirmed) {
  absl::MutexLock lock(&mutex_);
  loan_ = is_confirmed ? Loan::kConfirmed : Loan::kLost;
}

absl::Status HostLink::Read::Finish() {
  if (!IsLent(reply_)) return absl::OkStatus();
  is_released_ = true;
  link_->Release(id_);
  const auto has_ended = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return loan_ != Loan::kHeld;
  };
  {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&has_ended));
    if (loan_ == Loan::kConfirmed) return absl::OkStatus();
  }
  return link_->Verdict(absl::UnavailableError(
      absl::StrCat(ToString(link_->host()),
                   ": the connection broke while an array was read")));
}

absl::Status HostLink::Verdict(const absl::Status& otherwise) const {
  CancellationToken& lost = *options_.lost;
  absl::Mutex mutex;
  bool is_lost = false;
  const auto registration = lost.OnCancel([&] {
    absl::MutexLock lock(&mutex);
    is_lost = true;
  });
  absl::MutexLock lock(&mutex);
  mutex.AwaitWithTimeout(absl::Condition(&is_lost), options_.verdict_time);
  return is_lost ? lost.status() : otherwise;
}

absl::Status HostLink::Read::Await(CancellationToken& failure,
                                   absl::Time deadline) {
  CancellationToken& lost = *link_->options_.lost;
  // Locking makes the wait look again.
  const auto wake = [this] { absl::MutexLock lock(&mutex_); };
  const auto on_lost = lost.OnCancel(wake);
  const auto on_failure = failure.OnCancel(wake);
  const auto is_over = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return is_answered_ || lost.is_cancelled() || failure.is_cancelled();
  };
  bool is_answered = false;
  while (true) {
    const absl::Time check = absl::Now() + kReachableCheck;
    bool has_ended = false;
    {
      absl::MutexLock lock(&mutex_);
      has_ended = mutex_.AwaitWithDeadline(absl::Condition(&is_over),
                                           std::min(check, deadline));
      is_answered = is_answered_;
    }
    if (has_ended) break;
    if (deadline <= check) {
      return absl::DeadlineExceededError("the array is not computed yet");
    }
    RETURN_IF_ERROR(link_->CheckReachable());
  }
  if (is_answered && !reply_.has_error()) {
    if (reply_.shards_size() == static_cast<int>(devices_.size())) {
      return absl::OkStatus();
    }
    return absl::InternalError(
        absl::StrCat(ToString(link_->host()), " sent ", reply_.shards_size(),
                     " shards, expected ", devices_.size()));
  }
  RETURN_IF_ERROR(failure.status());
  if (is_answered) return FromProto(reply_.error());
  return lost.status();
}

bool HostLink::Read::is_large() const {
  for (const auto& shard : reply_.shards()) {
    if (shard.is_large()) return true;
  }
  return false;
}

absl::Status HostLink::Read::FetchLarge(CancellationToken& failure,
                                        absl::Time deadline) {
  std::vector<ShardTransfer::Shard> shards;
  for (size_t i = 0; i < devices_.size(); ++i) {
    shards.push_back({array_, devices_[i], {}});
  }
  ASSIGN_OR_RETURN(fetched_,
                   link_->transfer().Fetch(shards, failure, deadline));
  return absl::OkStatus();
}

absl::Status HostLink::Read::WrongSize(int64_t found, int64_t expected) const {
  return absl::InternalError(absl::StrCat(ToString(link_->host()),
                                          " has a shard of ", found,
                                          " bytes, expected ", expected));
}

absl::Status HostLink::Read::Copy(size_t i, int64_t size, int64_t offset,
                                  absl::Span<std::byte> to) const {
  const auto& shard = reply_.shards(static_cast<int>(i));
  if (shard.value_case() == proto::ArrayEvents::ReadReply::Shard::kAddress) {
    const auto memory = link_->memory();
    if (!memory.has_value()) {
      return absl::InternalError("memory was lent that cannot be read");
    }
    if (shard.size() != size) return WrongSize(shard.size(), size);
    const absl::Status read = memory->Read(shard.address() + offset, to);
    return read.ok() ? read : link_->Verdict(read);
  }
  const bool is_fetched = i < fetched_.size();
  const int64_t found = is_fetched ? fetched_[i].shape().byte_size()
                                   : static_cast<int64_t>(shard.data().size());
  if (found != size) return WrongSize(found, size);
  if (to.empty()) return absl::OkStatus();
  const void* from = is_fetched ? static_cast<const void*>(fetched_[i].bytes())
                                : static_cast<const void*>(shard.data().data());
  std::memcpy(to.data(), static_cast<const char*>(from) + offset, to.size());
  return absl::OkStatus();
}

}  // namespace lockstep::internal
