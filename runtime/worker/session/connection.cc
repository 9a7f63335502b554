#include "runtime/worker/session/connection.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/channel.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

// For one attempt to fetch a roster, which many may do at a time.
constexpr absl::Duration kFetchTime = absl::Seconds(60);

// The coordinator said no; asking again would not help.
bool IsRefusal(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kUnimplemented:
      return true;
    default:
      return false;
  }
}

}  // namespace

Connection::Connection(const SessionOptions& options, std::string worker_name,
                       Incarnation incarnation, Callbacks callbacks)
    : options_(options),
      worker_name_(std::move(worker_name)),
      incarnation_(incarnation),
      callbacks_(std::move(callbacks)),
      patience_(options.coordinator_grace),
      report_interval_(options.report_interval) {
  connector_ = std::thread([this] {
    SetThreadName("session-connect");
    ConnectLoop();
  });
  writer_ = std::thread([this] {
    SetThreadName("session-write");
    WriteLoop();
  });
}

Connection::~Connection() {
  {
    absl::MutexLock lock(&mutex_);
    is_stopping_ = true;
    if (opening_ != nullptr) opening_->Cancel();
  }
  connector_.join();
  writer_.join();
}

void Connection::Send(proto::WorkerMessage message) {
  absl::MutexLock lock(&mutex_);
  log_.Append(std::move(message));
}

void Connection::SetPatience(absl::Duration patience) {
  absl::MutexLock lock(&mutex_);
  patience_ = patience;
}

void Connection::SetReportInterval(absl::Duration interval) {
  absl::MutexLock lock(&mutex_);
  if (interval <= absl::ZeroDuration()) return;
  report_interval_ = interval;
  next_report_ = std::min(next_report_, absl::Now() + interval);
}

bool Connection::is_connected() const {
  absl::MutexLock lock(&mutex_);
  return stream_ != nullptr;
}

absl::StatusOr<proto::RosterUpdate> Connection::FetchRoster() {
  std::shared_ptr<CoordinatorStream> stream;
  {
    absl::MutexLock lock(&mutex_);
    stream = stream_;
  }
  if (stream == nullptr) {
    return absl::UnavailableError("the coordinator is not connected");
  }
  return stream->FetchRoster(absl::Now() + kFetchTime);
}

void Connection::ConnectLoop() {
  absl::Time broken_since = absl::Now();
  absl::Duration pause = options_.first_pause;
  while (true) {
    bool was_greeted = false;
    absl::Status status = RunStream(was_greeted);
    {
      absl::MutexLock lock(&mutex_);
      if (is_stopping_) return;
    }
    if (was_greeted) {
      broken_since = absl::Now();
      pause = options_.first_pause;
    } else if (!options_.open_stream) {
      status = ExplainFailure(options_.address, options_.credentials, status);
      if (IsRefusal(status)) {
        status = Annotate(
            status, absl::StrCat("the coordinator at ", options_.address));
      }
    }
    if (!ShouldRetry(status, broken_since)) {
      callbacks_.on_lost(IsRefusal(status) ? status
                                           : LostStatus(status, broken_since));
      return;
    }
    absl::MutexLock lock(&mutex_);
    if (mutex_.AwaitWithTimeout(absl::Condition(&is_stopping_), pause)) return;
    pause = std::min(pause * 2, options_.last_pause);
  }
}

bool Connection::ShouldRetry(const absl::Status& status,
                             absl::Time broken_since) {
  if (IsRefusal(status)) return false;
  absl::MutexLock lock(&mutex_);
  return absl::Now() - broken_since < patience_;
}

absl::Status Connection::LostStatus(const absl::Status& last,
                                    absl::Time since) const {
  return absl::UnavailableError(absl::StrCat(
      "coordinator at ", options_.address, " cannot be reached since ",
      absl::FormatTime("%H:%M:%S", since, absl::LocalTimeZone()), " (",
      absl::FormatDuration(absl::Trunc(absl::Now() - since, absl::Seconds(1))),
      " ago): ", last.message()));
}

absl::Status Connection::RunStream(bool& was_greeted) {
  std::shared_ptr<CoordinatorStream> stream =
      options_.open_stream
          ? options_.open_stream()
          : CoordinatorStream::Open(options_.address, options_.credentials);
  {
    absl::MutexLock lock(&mutex_);
    if (is_stopping_) stream->Cancel();
    opening_ = stream.get();
    sent_ = 0;
  }
  proto::CoordinatorMessage message;
  was_greeted = Greet(*stream, message);
  if (was_greeted) {
    TakeStream(stream);
    callbacks_.on_connected(true, absl::OkStatus());
    stream->Deliver([this](proto::CoordinatorMessage delivered) {
      Take(std::move(delivered));
    });
  }
  DropStream();
  absl::Status status = stream->Finish();
  if (status.ok()) status = absl::UnavailableError("it ended the stream");
  if (was_greeted) callbacks_.on_connected(false, status);
  return status;
}

void Connection::Take(proto::CoordinatorMessage message) {
  bool is_new = false;
  {
    absl::MutexLock lock(&mutex_);
    log_.Confirm(message.confirmed());
    is_new = received_.Take(message.sequence());
  }
  if (is_new && !message.confirmation()) {
    callbacks_.on_message(std::move(message));
  }
}

bool Connection::Greet(CoordinatorStream& stream,
                       proto::CoordinatorMessage& reply) {
  proto::WorkerMessage hello;
  hello.mutable_hello()->set_incarnation(incarnation_.value());
  hello.mutable_hello()->set_name(worker_name_);
  hello.mutable_hello()->set_roster_epoch(callbacks_.roster_epoch().value());
  {
    absl::MutexLock lock(&mutex_);
    hello.set_confirmed(received_.last());
  }
  if (!stream.Write(hello)) {
    // The reason comes with the end of the stream.
    while (stream.Read(&reply)) {
    }
    return false;
  }
  if (!stream.Read(&reply)) return false;
  if (reply.has_hello()) return true;
  stream.Cancel();
  while (stream.Read(&reply)) {
  }
  return false;
}

void Connection::TakeStream(std::shared_ptr<CoordinatorStream> stream) {
  absl::MutexLock lock(&mutex_);
  stream_ = std::move(stream);
  next_report_ = absl::Now();
}

void Connection::DropStream() {
  auto is_quiet = [this]()
                      ABSL_NO_THREAD_SAFETY_ANALYSIS { return !is_writing_; };
  // The stream has ended, and writes to it end by themselves. Cancelling it
  // here would put CANCELLED in the place of the coordinator's reason.
  absl::MutexLock lock(&mutex_);
  opening_ = nullptr;
  stream_ = nullptr;
  mutex_.Await(absl::Condition(&is_quiet));
}

void Connection::WriteLoop() {
  proto::WorkerMessage message;
  CoordinatorStream* stream = nullptr;
  while (NextMessage(message, stream)) {
    bool has_content = message.sequence() != 0 || callbacks_.progress(message);
    if (has_content && !stream->Write(message)) stream->Cancel();
    absl::MutexLock lock(&mutex_);
    is_writing_ = false;
  }
}

bool Connection::NextMessage(proto::WorkerMessage& message,
                             CoordinatorStream*& stream) {
  auto has_work = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return is_stopping_ || (stream_ != nullptr && log_.After(sent_) != nullptr);
  };
  // The deadline of the next report changes with the stream.
  auto has_stream = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return is_stopping_ || stream_ != nullptr;
  };
  absl::MutexLock lock(&mutex_);
  while (true) {
    mutex_.Await(absl::Condition(&has_stream));
    if (is_stopping_) return false;
    mutex_.AwaitWithDeadline(absl::Condition(&has_work), next_report_);
    if (is_stopping_) return false;
    if (stream_ == nullptr) continue;
    stream = stream_.get();
    const absl::Time now = absl::Now();
    const proto::WorkerMessage* next = log_.After(sent_);
    if (next == nullptr || now >= next_report_) {
      message.Clear();
      next_report_ = now + report_interval_;
    } else {
      message = *next;
      sent_ = message.sequence();
    }
    message.set_confirmed(received_.last());
    is_writing_ = true;
    return true;
  }
}

}  // namespace lockstep::internal
