#include "client/cluster/connection.h"

#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "client/cluster/command_stream.h"
#include "client/cluster/roster_fetch.h"
#include "client/cluster/token_table.h"
#include "proto/channel.h"
#include "proto/convert.h"
#include "proto/convert_arrays.h"
#include "proto/convert_commands.h"
#include "proto/grpc_status.h"
#include "proto/lockstep/coordinator.grpc.pb.h"
#include "proto/roster_codec.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

// The coordinator answers calls about arrays within 30 s.
constexpr absl::Duration kCallDeadline = absl::Seconds(60);

// Within it a client has heard of a host that is in another life.
constexpr absl::Duration kRosterPatience = absl::Seconds(5);

// Of this process alone, so the hash may be anything.
uint64_t LivesOf(const Roster& roster) {
  std::vector<Incarnation> lives;
  for (const Member& member : roster.members) {
    lives.push_back(member.host.incarnation);
  }
  return absl::HashOf(lives);
}

bool HasLives(const Roster& roster,
              const absl::flat_hash_set<Incarnation>& lives) {
  return static_cast<size_t>(
             absl::c_count_if(roster.members, [&](const Member& member) {
               return lives.contains(member.host.incarnation);
             })) == lives.size();
}

class GrpcClusterConnection : public ClusterConnection {
 public:
  explicit GrpcClusterConnection(Options options)
      : options_(std::move(options)),
        stub_(proto::Coordinator::NewStub(
            OpenChannel(options_.address, options_.credentials,
                        {.has_keepalive = true, .is_for_control = true}))) {
    if (options_.on_notice) notices_.emplace("notices", 1);
  }

  absl::Status Start() {
    CommandStream::Callbacks callbacks;
    callbacks.on_event = [this](const proto::ClientEvent& event) {
      Handle(event);
    };
    callbacks.on_end = [this](const absl::Status& status) { OnEnd(status); };
    stream_.emplace(stub_.get(), options_.name, std::move(callbacks));
    return AwaitCluster();
  }

  const Credentials& credentials() const override {
    return options_.credentials;
  }

  std::shared_ptr<const Roster> roster() const override {
    absl::MutexLock lock(&mutex_);
    return roster_;
  }
  ClientId client() const override {
    absl::MutexLock lock(&mutex_);
    return client_;
  }
  bool uses_memory() const override { return options_.uses_memory; }

  bool IsLost(Incarnation incarnation) const override {
    absl::MutexLock lock(&mutex_);
    return lost_lives_.contains(incarnation);
  }
  uint64_t lives() const override {
    absl::MutexLock lock(&mutex_);
    return lives_;
  }

  ClientHandle NewHandle() override {
    absl::MutexLock lock(&mutex_);
    return {client_, ++last_handle_};
  }

  void Submit(Command command) override { stream_->Submit(std::move(command)); }

  absl::Status NameArray(const ArrayNaming& naming) override {
    proto::NameArrayRequest request;
    request.set_name(naming.name);
    *request.mutable_handle() = ToProto(naming.handle);
    *request.mutable_array() = ToProto(naming.array);
    request.set_replaces(naming.replaces);
    for (Incarnation life : naming.lives) request.add_lives(life.value());
    return Call(&proto::Coordinator::Stub::NameArray, request).status();
  }
  absl::StatusOr<NamedArray> FindArray(const std::string& name,
                                       ArrayHandle handle) override {
    proto::FindArrayRequest request;
    request.set_name(name);
    *request.mutable_handle() = ToProto(handle);
    ASSIGN_OR_RETURN(const proto::NamedArray reply,
                     Call(&proto::Coordinator::Stub::FindArray, request));
    ASSIGN_OR_RETURN(NamedArray found, FromProto(reply));
    // The roster with these lives comes by the stream, which may be later than
    // the answer.
    const absl::flat_hash_set<Incarnation> lives(found.lives.begin(),
                                                 found.lives.end());
    absl::MutexLock lock(&mutex_);
    const auto is_known = [&]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      return !lost_.ok() || HasLives(*roster_, lives);
    };
    mutex_.AwaitWithTimeout(absl::Condition(&is_known), kRosterPatience);
    return found;
  }
  absl::Status RemoveArray(const std::string& name) override {
    proto::RemoveArrayRequest request;
    request.set_name(name);
    return Call(&proto::Coordinator::Stub::RemoveArray, request).status();
  }
  absl::StatusOr<std::vector<NamedArray>> NamedArrays() override {
    ASSIGN_OR_RETURN(const proto::ArrayList reply,
                     Call(&proto::Coordinator::Stub::ListArrays,
                          proto::ListArraysRequest()));
    std::vector<NamedArray> arrays;
    for (const proto::ArrayList::Name& name : reply.names()) {
      ASSIGN_OR_RETURN(arrays.emplace_back(), FromProto(name.array()));
    }
    return arrays;
  }

  ArrayTable& arrays() override { return arrays_; }

  std::shared_ptr<CancellationToken> WatchHost(
      Incarnation incarnation) override {
    return hosts_.Watch(incarnation);
  }

 private:
  absl::Status AwaitCluster() {
    const absl::Time deadline = absl::Now() + options_.connect_deadline;
    absl::MutexLock lock(&mutex_);
    const auto is_settled = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return roster_ != nullptr || !lost_.ok();
    };
    mutex_.AwaitWithDeadline(absl::Condition(&is_settled), deadline);
    if (!lost_.ok()) return lost_;
    if (roster_ != nullptr) return absl::OkStatus();
    if (client_ == ClientId()) {
      return absl::UnavailableError(absl::StrCat(
          "the coordinator at ", options_.address, " did not answer within ",
          absl::FormatDuration(options_.connect_deadline)));
    }
    return absl::DeadlineExceededError(absl::StrCat(
        "the cluster at ", options_.address, " was not complete after ",
        absl::FormatDuration(options_.connect_deadline), ": ", last_notice_));
  }

  template <typename Request, typename Reply>
  absl::StatusOr<Reply> Call(grpc::Status (proto::Coordinator::Stub::*method)(
                                 grpc::ClientContext*, const Request&, Reply*),
                             const Request& request) {
    grpc::ClientContext context;
    context.set_deadline(absl::ToChronoTime(absl::Now() + kCallDeadline));
    Reply reply;
    const grpc::Status status = (*stub_.*method)(&context, request, &reply);
    if (status.ok()) return reply;
    {
      absl::MutexLock lock(&mutex_);
      RETURN_IF_ERROR(lost_);
    }
    const absl::Status error = FromGrpcStatus(status);
    const bool names_itself =
        !absl::IsUnavailable(error) && !absl::IsDeadlineExceeded(error);
    return names_itself ? error
                        : Annotate(error, absl::StrCat("the coordinator at ",
                                                       options_.address));
  }

  void OnEnd(absl::Status status) {
    bool is_known = false;
    {
      absl::MutexLock lock(&mutex_);
      is_known = client_ != ClientId();
    }
    if (!is_known) {
      status = ExplainFailure(options_.address, options_.credentials, status);
    }
    std::string why = std::string(status.message());
    absl::Status lost;
    {
      absl::MutexLock lock(&mutex_);
      if (!shutdown_reason_.empty()) why = shutdown_reason_;
      lost_ = absl::UnavailableError(
          absl::StrCat("the coordinator at ", options_.address,
                       roster_ != nullptr ? " is gone" : " cannot be reached",
                       why.empty() ? "" : ": ", why));
      if (!is_known && (absl::IsFailedPrecondition(status) ||
                        absl::IsPermissionDenied(status))) {
        lost_ = Annotate(status,
                         absl::StrCat("the coordinator at ", options_.address));
      }
      lost = lost_;
    }
    hosts_.CancelAll(lost);
    arrays_.FailAll(lost);
  }

  void Handle(const proto::ClientEvent& event) {
    switch (event.event_case()) {
      case proto::ClientEvent::kOpened: {
        absl::MutexLock lock(&mutex_);
        client_ = ClientId(event.opened().client());
        break;
      }
      case proto::ClientEvent::kRoster:
        TakeRoster(event.roster());
        break;
      case proto::ClientEvent::kLaunchFailed: {
        const LaunchProgram launch = FromProto(event.launch_failed().launch());
        const absl::Status status = FromProto(event.launch_failed().status());
        for (const ArrayHandle& result : launch.results) {
          arrays_.Fail(result.number, status);
        }
        if (launch.profile.has_value()) {
          arrays_.Fail(launch.profile->array.number, status);
        }
        break;
      }
      case proto::ClientEvent::kFailure: {
        const Failure failure = FromProto(event.failure());
        if (failure.launch.has_value()) break;
        {
          absl::MutexLock lock(&mutex_);
          lost_lives_.insert(failure.origin.incarnation);
        }
        hosts_.Cancel(failure.origin.incarnation, failure.ToStatus());
        arrays_.LoseHost(failure.origin.incarnation, failure.ToStatus());
        break;
      }
      case proto::ClientEvent::kNotice: {
        Tell(event.notice().message());
        absl::MutexLock lock(&mutex_);
        last_notice_ = event.notice().message();
        break;
      }
      case proto::ClientEvent::kShutdown: {
        absl::MutexLock lock(&mutex_);
        shutdown_reason_ = event.shutdown();
        break;
      }
      case proto::ClientEvent::kCommandsPlaced:
      case proto::ClientEvent::EVENT_NOT_SET:
        break;
    }
  }

  // What the user does with a line may take any time, and wait for anything.
  void Tell(const std::string& line) {
    if (!options_.on_notice) return;
    notices_->Schedule([this, line] { options_.on_notice(line); });
  }

  void TakeRoster(const proto::RosterUpdate& update) {
    auto roster = ApplyRosterUpdate(update, this->roster());
    if (absl::IsFailedPrecondition(roster.status())) return fetch_.Start();
    if (!roster.ok()) return LogWarning(StatusLine(roster.status()));
    absl::MutexLock lock(&mutex_);
    if (roster_ != nullptr && roster_->epoch >= (*roster)->epoch) return;
    roster_ = *std::move(roster);
    lives_ = LivesOf(*roster_);
    // Of those that are gone nobody asks any more.
    absl::erase_if(lost_lives_, [this](Incarnation life)
                                    ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
                                      return !HasLives(*roster_, {life});
                                    });
  }

  const Options options_;
  const std::unique_ptr<proto::Coordinator::Stub> stub_;
  ArrayTable arrays_;
  TokenTable<Incarnation> hosts_;

  mutable absl::Mutex mutex_;
  ClientId client_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Roster> roster_ ABSL_GUARDED_BY(mutex_);
  uint64_t lives_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_set<Incarnation> lost_lives_ ABSL_GUARDED_BY(mutex_);
  std::string last_notice_ ABSL_GUARDED_BY(mutex_);
  std::string shutdown_reason_ ABSL_GUARDED_BY(mutex_);
  absl::Status lost_ ABSL_GUARDED_BY(mutex_);
  int64_t last_handle_ ABSL_GUARDED_BY(mutex_) = 0;
  std::optional<ThreadPool> notices_;  // with on_notice
  // Last: these call back, and the stream starts fetches.
  RosterFetch fetch_{stub_.get(),
                     [this](absl::StatusOr<proto::RosterUpdate> update) {
                       if (update.ok()) return TakeRoster(*update);
                       LogWarning(absl::StrCat("the roster was not fetched: ",
                                               StatusLine(update.status())));
                     }};
  std::optional<CommandStream> stream_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ClusterConnection>> ClusterConnection::Open(
    Options options) {
  auto connection = std::make_unique<GrpcClusterConnection>(std::move(options));
  RETURN_IF_ERROR(connection->Start());
  return connection;
}

}  // namespace lockstep::internal
