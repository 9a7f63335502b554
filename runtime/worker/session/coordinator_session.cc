#include "runtime/worker/session/coordinator_session.h"

#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "proto/convert.h"
#include "proto/convert_commands.h"
#include "proto/id_runs.h"
#include "proto/roster_codec.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"
#include "runtime/worker/session/connection.h"
#include "runtime/worker/session/pending_calls.h"
#include "runtime/worker/session/session_key_value_store.h"

namespace lockstep::internal {
namespace {

// So many commands are confirmed at a time; progress reports confirm the rest.
// A message for each would be sent while its launch runs. Far fewer than the
// coordinator lets be in flight.
constexpr int kConfirmedCommands = 32;

// Of names and values with their lengths; of no fields it is not empty either.
std::string DigestOf(const std::vector<AgreementRecord::Field>& fields) {
  std::string bytes;
  for (const AgreementRecord::Field& field : fields) {
    absl::StrAppend(&bytes, field.name.size(), ":", field.name,
                    field.value.size(), ":", field.value);
  }
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return absl::StrCat(absl::Hex(hash.high64, absl::kZeroPad16),
                      absl::Hex(hash.low64, absl::kZeroPad16));
}

class CoordinatorSession : public ControlPlane {
 public:
  explicit CoordinatorSession(SessionOptions options)
      : options_(std::move(options)),
        key_value_store_(
            [this](proto::WorkerMessage request, absl::Duration timeout) {
              return Call(std::move(request), {timeout, nullptr});
            }),
        pushes_("session-push", 1) {}

  ~CoordinatorSession() override {
    calls_.Close(absl::CancelledError("the session ends"));
    connection_.reset();
  }

  absl::StatusOr<Membership> Join(const WorkerInfo& self,
                                  ControlPlaneObserver* observer) override;
  absl::Status Ready(const WaitOptions& options) override {
    proto::WorkerMessage request;
    request.set_ready(true);
    return Call(std::move(request), options).status();
  }
  absl::StatusOr<AxisResolution> ResolveAxis(
      const AxisQuery& query, const WaitOptions& options) override {
    proto::WorkerMessage request;
    *request.mutable_resolve_axis() = ToProto(query);
    ASSIGN_OR_RETURN(proto::CoordinatorMessage reply,
                     Call(std::move(request), options));
    return FromProto(reply.axis());
  }
  absl::Status Agree(const AgreementRecord& record,
                     const WaitOptions& options) override {
    // The fields hold whole programs, which mostly are the same.
    AgreementRecord summary = record;
    summary.fields.clear();
    summary.digest = DigestOf(record.fields);
    proto::WorkerMessage request;
    *request.mutable_agree() = ToProto(summary);
    ASSIGN_OR_RETURN(const proto::CoordinatorMessage reply,
                     Call(std::move(request), options));
    if (!reply.fields_wanted()) return absl::OkStatus();
    proto::WorkerMessage whole;
    *whole.mutable_agree() = ToProto(record);
    return Call(std::move(whole), options).status();
  }
  absl::Status Barrier(absl::string_view name,
                       absl::Span<const HostId> participants,
                       const WaitOptions& options) override {
    proto::WorkerMessage request;
    request.mutable_barrier()->set_name(std::string(name));
    AppendHosts(participants,
                request.mutable_barrier()->mutable_participants());
    return Call(std::move(request), options).status();
  }
  absl::StatusOr<RollCallAnswer> CallRoll(const RollCall& call,
                                          const WaitOptions& options) override {
    proto::WorkerMessage request;
    request.mutable_call_roll()->set_name(call.name);
    AppendHosts(call.hosts, request.mutable_call_roll()->mutable_hosts());
    ASSIGN_OR_RETURN(const proto::CoordinatorMessage reply,
                     Call(std::move(request), options));
    RollCallAnswer answer;
    answer.number = reply.roll().number();
    answer.epoch = Epoch(reply.roll().epoch());
    for (const proto::HostRef& host : reply.roll().hosts()) {
      answer.hosts.push_back(FromProto(host));
    }
    return answer;
  }
  absl::Status NoticePreemption() override {
    if (connection_ == nullptr) {
      return absl::FailedPreconditionError("not joined");
    }
    RETURN_IF_ERROR(calls_.closed());
    proto::WorkerMessage message;
    message.mutable_preemption_notice();
    message.set_timeout_ms(
        absl::ToInt64Milliseconds(options_.preemption_deadline));
    Post(std::move(message));
    return absl::OkStatus();
  }
  KeyValueStore& key_value_store() override { return key_value_store_; }

  void SetProgressSource(std::function<ProgressReport()> source) override {
    absl::MutexLock lock(&progress_mutex_);
    progress_source_ = std::move(source);
  }
  void ReportLaunchFailure(const LaunchFailure& failure) override {
    proto::WorkerMessage message;
    *message.mutable_launch_failure() = ToProto(failure);
    Post(std::move(message));
  }
  void Busy(absl::string_view what, absl::Duration at_most) override {
    proto::WorkerMessage message;
    message.mutable_busy()->set_what(std::string(what));
    message.mutable_busy()->set_at_most_ms(absl::ToInt64Milliseconds(at_most));
    Post(std::move(message));
  }
  absl::Status AwaitCoordinator() override;
  absl::Status Leave(const WaitOptions& options) override;

 private:
  absl::StatusOr<proto::CoordinatorMessage> Call(proto::WorkerMessage request,
                                                 const WaitOptions& options);
  void Post(proto::WorkerMessage message);
  void OnMessage(proto::CoordinatorMessage message);
  void OnPush(const proto::CoordinatorMessage& message);
  void OnRoster(proto::RosterUpdate update);
  // Of `epoch` or later.
  absl::StatusOr<std::shared_ptr<const Roster>> AwaitRoster(Epoch epoch,
                                                            absl::Time limit);
  void TakeUp(const proto::Commands& messages);
  // On a thread of its own, after what was pushed before.
  void Push(std::function<void()> push);
  void OnConnected(bool is_connected, const absl::Status& why);
  void OnLost(const absl::Status& status);
  bool FillProgress(proto::WorkerMessage& message);
  void Notify(Notice notice);

  const SessionOptions options_;
  SessionKeyValueStore key_value_store_;
  PendingCalls calls_;
  ControlPlaneObserver* observer_ = nullptr;  // set once, by Join
  std::atomic<bool> has_joined_ = false;

  absl::Mutex mutex_;
  bool is_connected_ ABSL_GUARDED_BY(mutex_) = false;
  bool was_connected_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_leaving_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_lost_ ABSL_GUARDED_BY(mutex_) = false;
  std::shared_ptr<const Roster> roster_ ABSL_GUARDED_BY(mutex_);

  absl::Mutex progress_mutex_;
  std::function<ProgressReport()> progress_source_
      ABSL_GUARDED_BY(progress_mutex_);

  std::unique_ptr<Connection> connection_;
  std::atomic<int> queued_pushes_ = 0;
  std::atomic<int64_t> taken_ = 0;  // the latest command that was taken up
  int unconfirmed_ = 0;             // commands; of who takes them up
  ThreadPool pushes_;               // last: runs what the connection brought
};

absl::StatusOr<Membership> CoordinatorSession::Join(
    const WorkerInfo& self, ControlPlaneObserver* observer) {
  if (connection_ != nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("joined ", options_.address, " already"));
  }
  observer_ = observer;
  Connection::Callbacks callbacks;
  callbacks.on_message = [this](proto::CoordinatorMessage message) {
    OnMessage(std::move(message));
  };
  callbacks.on_connected = [this](bool is_connected, const absl::Status& why) {
    OnConnected(is_connected, why);
  };
  callbacks.on_lost = [this](const absl::Status& status) { OnLost(status); };
  callbacks.progress = [this](proto::WorkerMessage& message) {
    return FillProgress(message);
  };
  callbacks.roster_epoch = [this] {
    absl::MutexLock lock(&mutex_);
    return roster_ == nullptr ? Epoch() : roster_->epoch;
  };
  const absl::Time deadline = absl::Now() + options_.join_deadline;
  SessionOptions connection_options = options_;
  connection_options.coordinator_grace = options_.join_deadline;
  connection_ = std::make_unique<Connection>(
      connection_options, self.name, self.incarnation, std::move(callbacks));
  proto::WorkerMessage request;
  *request.mutable_join()->mutable_info() = ToProto(self);
  ASSIGN_OR_RETURN(proto::CoordinatorMessage reply,
                   Call(std::move(request), {options_.join_deadline, nullptr}));
  connection_->SetPatience(options_.coordinator_grace);
  has_joined_ = true;
  Membership membership;
  membership.host = HostId(reply.membership().host());
  ASSIGN_OR_RETURN(membership.roster,
                   AwaitRoster(Epoch(reply.membership().epoch()), deadline));
  if (membership.roster->Find(membership.host) == nullptr) {
    return absl::InternalError(
        absl::StrCat("membership: host ", membership.host.value(),
                     " is not in the roster that came with it"));
  }
  connection_->SetReportInterval(membership.roster->limits.report_interval);
  return membership;
}

absl::StatusOr<std::shared_ptr<const Roster>> CoordinatorSession::AwaitRoster(
    Epoch epoch, absl::Time limit) {
  const auto is_decided = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return (roster_ != nullptr && roster_->epoch >= epoch) || is_lost_;
  };
  absl::MutexLock lock(&mutex_);
  if (!mutex_.AwaitWithDeadline(absl::Condition(&is_decided), limit)) {
    return absl::DeadlineExceededError(absl::StrCat(
        "join: the roster of epoch ", epoch.value(), " did not come within ",
        absl::FormatDuration(options_.join_deadline)));
  }
  if (is_lost_) return calls_.closed();
  return roster_;
}

absl::StatusOr<proto::CoordinatorMessage> CoordinatorSession::Call(
    proto::WorkerMessage request, const WaitOptions& options) {
  if (connection_ == nullptr) {
    return absl::FailedPreconditionError("not joined");
  }
  ASSIGN_OR_RETURN(uint64_t id, calls_.Add());
  request.set_request_id(id);
  request.set_timeout_ms(
      std::min<int64_t>(absl::ToInt64Milliseconds(options.timeout),
                        absl::ToInt64Milliseconds(absl::Hours(24 * 365))));
  connection_->Send(std::move(request));
  auto reply = calls_.Await(id, options.cancellation);
  if (options.cancellation != nullptr && options.cancellation->is_cancelled()) {
    proto::WorkerMessage cancel;
    cancel.set_cancel(id);
    connection_->Send(std::move(cancel));
  }
  return reply;
}

void CoordinatorSession::Post(proto::WorkerMessage message) {
  if (connection_ != nullptr) connection_->Send(std::move(message));
}

void CoordinatorSession::OnMessage(proto::CoordinatorMessage message) {
  if (message.request_id() != 0) {
    // Whoever hears that its wait has failed goes on, perhaps with a launch
    // that was ended with it: what was pushed before must have been heard.
    // Nothing that runs as a push waits for a reply.
    if (message.has_error() && queued_pushes_.load() != 0) {
      return Push([this, message = std::move(message)]() mutable {
        calls_.Answer(std::move(message));
      });
    }
    calls_.Answer(std::move(message));
    return;
  }
  // Commands are short to take up, and handing them over takes longer than
  // that; only what was pushed before them must have been heard.
  if (message.has_commands() && queued_pushes_.load() == 0) {
    return OnPush(message);
  }
  Push([this, message = std::move(message)] { OnPush(message); });
}

void CoordinatorSession::Push(std::function<void()> push) {
  ++queued_pushes_;
  pushes_.Schedule([this, push = std::move(push)] {
    push();
    --queued_pushes_;
  });
}

void CoordinatorSession::OnPush(const proto::CoordinatorMessage& message) {
  switch (message.body_case()) {
    case proto::CoordinatorMessage::kRoster:
      OnRoster(message.roster());
      break;
    case proto::CoordinatorMessage::kFailure:
      observer_->OnFailure(FromProto(message.failure()));
      break;
    case proto::CoordinatorMessage::kNotice: {
      Notice notice;
      notice.message = message.notice().message();
      notice.kind = has_joined_.load() ? Notice::Kind::kHostNamed
                                       : Notice::Kind::kWaitingForHosts;
      if (message.notice().has_host()) {
        notice.host = FromProto(message.notice().host());
      }
      observer_->OnNotice(notice);
      break;
    }
    case proto::CoordinatorMessage::kCommands:
      TakeUp(message.commands());
      break;
    case proto::CoordinatorMessage::kCutLinks:
      observer_->OnCutLinks(FromProto(message.cut_links()));
      break;
    case proto::CoordinatorMessage::kPreemption: {
      proto::WorkerMessage answer;
      answer.mutable_preemption_answer()->set_agreement(message.preemption());
      answer.mutable_preemption_answer()->set_last_step(
          observer_->OnPreemption(message.preemption()));
      Post(std::move(answer));
      break;
    }
    case proto::CoordinatorMessage::kPreemptionOutcome:
      observer_->OnPreemptionOutcome(FromProto(message.preemption_outcome()));
      break;
    case proto::CoordinatorMessage::kShutdown:
      observer_->OnShutdown(message.shutdown());
      break;
    default:
      LogWarning("a push of the coordinator is not understood");
  }
}

void CoordinatorSession::OnRoster(proto::RosterUpdate update) {
  std::shared_ptr<const Roster> known;
  {
    absl::MutexLock lock(&mutex_);
    known = roster_;
  }
  auto roster = ApplyRosterUpdate(update, known);
  while (absl::IsFailedPrecondition(roster.status())) {
    auto fetched = connection_->FetchRoster();
    if (fetched.ok()) {
      *fetched->mutable_secrets() = update.secrets();
      roster = ApplyRosterUpdate(*fetched, known);
      break;
    }
    // The next stream brings the news again.
    if (!connection_->is_connected()) return;
    LogWarning(absl::StrCat("the roster could not be fetched: ",
                            StatusLine(fetched.status())));
    absl::SleepFor(options_.last_pause);
  }
  if (!roster.ok()) return LogWarning(StatusLine(roster.status()));
  if (*roster == known) return;
  {
    absl::MutexLock lock(&mutex_);
    roster_ = *roster;
  }
  // The first is what Join gives.
  if (known != nullptr) observer_->OnRoster(**roster);
}

void CoordinatorSession::TakeUp(const proto::Commands& messages) {
  int64_t last = 0;
  for (const proto::Command& message : messages.commands()) {
    if (auto command = FromProto(message); command.ok()) {
      observer_->OnCommand(*command);
    }
    last = message.sequence();
  }
  taken_.store(last);
  unconfirmed_ += messages.commands_size();
  if (unconfirmed_ < kConfirmedCommands) return;
  unconfirmed_ = 0;
  proto::WorkerMessage taken;
  taken.set_command_taken(last);
  Post(std::move(taken));
}

void CoordinatorSession::Notify(Notice notice) {
  Push([this, notice = std::move(notice)] { observer_->OnNotice(notice); });
}

void CoordinatorSession::OnConnected(bool is_connected,
                                     const absl::Status& why) {
  absl::MutexLock lock(&mutex_);
  is_connected_ = is_connected;
  if (is_leaving_) return;
  Notice notice;
  if (!is_connected) {
    notice.kind = Notice::Kind::kCoordinatorUnreachable;
    notice.message = absl::StrCat(
        "coordinator at ", options_.address, " cannot be reached since ",
        absl::FormatTime("%H:%M:%S", absl::Now(), absl::LocalTimeZone()), ": ",
        why.message());
  } else if (was_connected_) {
    notice.kind = Notice::Kind::kCoordinatorBack;
    notice.message =
        absl::StrCat("coordinator at ", options_.address, " is reached again");
  }
  was_connected_ = true;
  if (!notice.message.empty()) Notify(std::move(notice));
}

void CoordinatorSession::OnLost(const absl::Status& status) {
  calls_.Close(status);
  absl::MutexLock lock(&mutex_);
  is_lost_ = true;
  if (is_leaving_) return;
  Push([this, status] { observer_->OnCoordinatorLost(status); });
}

bool CoordinatorSession::FillProgress(proto::WorkerMessage& message) {
  absl::MutexLock lock(&progress_mutex_);
  *message.mutable_progress() =
      progress_source_ ? ToProto(progress_source_()) : proto::ProgressReport();
  message.set_command_taken(taken_.load());
  return true;
}

absl::Status CoordinatorSession::AwaitCoordinator() {
  auto is_decided = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return is_connected_ || !calls_.closed().ok();
  };
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&is_decided));
  return calls_.closed();
}

absl::Status CoordinatorSession::Leave(const WaitOptions& options) {
  {
    absl::MutexLock lock(&mutex_);
    if (is_leaving_ || connection_ == nullptr) return absl::OkStatus();
    is_leaving_ = true;
  }
  connection_->SetPatience(options_.leave_grace);
  // The last word on what was launched here: nobody shall think that a launch
  // is missing.
  proto::WorkerMessage report;
  FillProgress(report);
  Post(std::move(report));
  proto::WorkerMessage request;
  request.mutable_leave();
  absl::Status status = Call(std::move(request), options).status();
  calls_.Close(absl::FailedPreconditionError("left the cluster"));
  return status;
}

}  // namespace

std::unique_ptr<ControlPlane> MakeCoordinatorSession(SessionOptions options) {
  return std::make_unique<CoordinatorSession>(std::move(options));
}

}  // namespace lockstep::internal
