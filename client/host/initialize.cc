#include "client/host/initialize.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "client/host/coordinator_start.h"
#include "client/host/failure_events.h"
#include "client/host/host_session.h"
#include "client/host/launcher/environment.h"
#include "client/host/local_share.h"
#include "client/host/preemption.h"
#include "client/host/preemption_signal.h"
#include "client/host/resolved_options.h"
#include "client/process/cluster_credentials.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/callback_scope.h"
#include "runtime/worker/host_address.h"
#include "runtime/worker/local_control_plane.h"
#include "runtime/worker/session/coordinator_session.h"

namespace lockstep {

using internal::AgreementRecord;
using internal::CallbackScope;
using internal::CallRequest;
using internal::ControlPlane;
using internal::Credentials;
using internal::EnsureCoordinator;
using internal::FactsOfThisProcess;
using internal::FindCredentials;
using internal::FindHostAddress;
using internal::FindMeetingPlace;
using internal::HostAddress;
using internal::HostView;
using internal::LocalControlPlane;
using internal::LocalFacts;
using internal::LogError;
using internal::LogInfo;
using internal::LogWarning;
using internal::MakeCoordinatorSession;
using internal::MeetingKey;
using internal::OfLauncher;
using internal::PreemptionSignal;
using internal::ProcessVariable;
using internal::ResolvedOptions;
using internal::ResolveOptions;
using internal::SecurityOf;
using internal::SessionOptions;
using internal::StatusLine;
using internal::TakeLocalShare;
using internal::WaitOptions;

namespace {

// Of all calls of SyncHosts.
constexpr uint64_t kSyncDigest = 2;

std::unique_ptr<ControlPlane> MakeControlPlane(const ResolvedOptions& options,
                                               Credentials credentials) {
  if (options.coordinator_address.empty()) {
    return std::make_unique<LocalControlPlane>();
  }
  SessionOptions session;
  session.credentials = std::move(credentials);
  session.address = options.coordinator_address;
  session.join_deadline = options.join_deadline;
  session.preemption_deadline = options.preemption_deadline;
  return MakeCoordinatorSession(std::move(session));
}

absl::StatusOr<std::shared_ptr<HostView>> Join(const ResolvedOptions& options) {
  Credentials credentials;
  if (!options.coordinator_address.empty()) {
    // Before anything is said to anybody.
    ASSIGN_OR_RETURN(credentials, FindCredentials(SecurityOf(options),
                                                  options.coordinator_address));
  }
  internal::Worker::Options worker;
  worker.backend = options.backend;
  worker.platform = options.platform;
  worker.reduction_mode = options.reduction_mode;
  worker.cache_directory = options.cache_directory;
  worker.local_device_count = options.local_device_count;
  worker.local_devices = options.local_devices;
  worker.info.name = options.host_name;
  worker.info.pid = getpid();
  worker.info.requested_rank = options.requested_rank;
  worker.info.expected_hosts = options.expected_hosts;
  worker.info.network_group = options.network_group;
  worker.info.cluster_id = options.cluster_id;
  worker.observer = &internal::FailureEvents::Get();
  RETURN_IF_ERROR(TakeLocalShare(options, worker));
  if (!options.coordinator_address.empty()) {
    ASSIGN_OR_RETURN(
        const HostAddress address,
        FindHostAddress(options.coordinator_address, options.interface,
                        absl::Now() + options.join_deadline));
    worker.network_interface = address.interface;
    RETURN_IF_ERROR(EnsureCoordinator(options));
  }
  ASSIGN_OR_RETURN(auto joined,
                   internal::Worker::Create(
                       std::move(worker),
                       MakeControlPlane(options, std::move(credentials))));
  return std::make_shared<HostView>(std::move(joined));
}

// The session of this process. Never destroyed: other threads may use it while
// the process ends.
class HostSession {
 public:
  static HostSession& Get() {
    static HostSession& session = *new HostSession;
    return session;
  }

  absl::Status Initialize(const InitializeOptions& options) {
    absl::MutexLock lock(&mutex_);
    if (view_ != nullptr && !used_by_.empty()) {
      return absl::FailedPreconditionError(absl::StrCat(
          "Initialize must come before the first use of a device, but ",
          used_by_, " was called already"));
    }
    if (view_ != nullptr) {
      return absl::FailedPreconditionError(
          absl::StrCat("Initialize was called already, for ", address_,
                       "; call Shutdown before another one"));
    }
    return Start(options);
  }

  absl::Status Shutdown() {
    RETURN_IF_ERROR(CallbackScope::CheckOutside());
    std::shared_ptr<HostView> view;
    {
      // Ends without the lock, which its thread may want.
      std::unique_ptr<PreemptionSignal> signal;
      absl::MutexLock lock(&mutex_);
      signal = std::move(signal_);
      view = std::move(view_);
      view_ = nullptr;
      used_by_.clear();
      is_shut_down_ = is_shut_down_ || view != nullptr;
    }
    return view == nullptr ? absl::OkStatus() : view->worker().Shutdown();
  }

  absl::StatusOr<std::shared_ptr<HostView>> Use(absl::string_view user) {
    absl::MutexLock lock(&mutex_);
    ASSIGN_OR_RETURN(const auto view, PresentView(user));
    if (view != nullptr) return view;
    RETURN_IF_ERROR(Start({}));
    used_by_ = std::string(user);
    return view_;
  }

  // Null: there is no cluster.
  absl::StatusOr<std::shared_ptr<HostView>> Present(absl::string_view user) {
    absl::MutexLock lock(&mutex_);
    return PresentView(user);
  }

  absl::Status TakePreemptionSignal() {
    absl::MutexLock lock(&mutex_);
    if (view_ == nullptr || signal_ != nullptr || preemption_signal_ == 0) {
      return absl::OkStatus();
    }
    const auto on_signal = [] {
      LogWarning("a signal says that this host is to be taken away");
      const absl::Status noticed = notice_preemption();
      if (!noticed.ok()) LogWarning(StatusLine(noticed));
      return noticed.ok();
    };
    ASSIGN_OR_RETURN(signal_,
                     PreemptionSignal::Take(preemption_signal_, on_signal));
    return absl::OkStatus();
  }

  void ReachStep(bool saves) {
    absl::MutexLock lock(&mutex_);
    if (signal_ != nullptr) signal_->Reach(saves);
  }

 private:
  absl::StatusOr<std::shared_ptr<HostView>> PresentView(
      absl::string_view user) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (view_ != nullptr || !is_shut_down_) return view_;
    return absl::FailedPreconditionError(
        absl::StrCat(user, " was called after Shutdown"));
  }

  // The lock is held while hosts come together: whoever uses devices meanwhile
  // has to wait for the same.
  absl::Status Start(const InitializeOptions& options)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    // Until all have joined: others read what this host publishes.
    const LocalFacts facts = FactsOfThisProcess();
    ASSIGN_OR_RETURN(ResolvedOptions resolved,
                     ResolveOptions(options, ProcessVariable, facts));
    for (const std::string& line : resolved.ignored) LogInfo(line);
    RETURN_IF_ERROR(OfLauncher(resolved, FindMeetingPlace(facts, resolved)));
    const auto joined = Join(resolved);
    if (!joined.ok()) return OfLauncher(resolved, joined.status());
    view_ = *joined;
    address_ =
        resolved.coordinator_address.empty()
            ? "a cluster of one"
            : absl::StrCat("the cluster at ", resolved.coordinator_address);
    if (resolved.is_address_of_launcher) {
      absl::StrAppend(&address_, " (by ", resolved.launcher, ")");
    }
    is_shut_down_ = false;
    preemption_signal_ = resolved.preemption_signal;
    ShutDownAtExit();
    const World world = view_->world();
    LogInfo(absl::StrCat("joined ", address_, " as host ",
                         view_->host_id().value(), " (", resolved.host_name,
                         ") of ", world.host_count(), ", ",
                         world.local(view_->host_id()).size(), " of ",
                         world.device_count(), " devices"));
    return absl::OkStatus();
  }

  // A process that fails ends without a goodbye, so that others hear of it.
  static void ShutDownAtExit() {
    static const int registered = on_exit(
        [](int status, void*) {
          if (status == 0) Get().Shutdown().IgnoreError();
        },
        nullptr);
    (void)registered;
  }

  absl::Mutex mutex_;
  std::shared_ptr<HostView> view_ ABSL_GUARDED_BY(mutex_);
  std::string address_ ABSL_GUARDED_BY(mutex_);
  // The call that made the cluster by itself; "": Initialize did.
  std::string used_by_ ABSL_GUARDED_BY(mutex_);
  bool is_shut_down_ ABSL_GUARDED_BY(mutex_) = false;
  int preemption_signal_ ABSL_GUARDED_BY(mutex_) = 0;
  std::unique_ptr<PreemptionSignal> signal_ ABSL_GUARDED_BY(mutex_);
};

std::shared_ptr<HostView> ViewOrNull(absl::string_view user) {
  auto view = HostSession::Get().Use(user);
  if (view.ok()) return *std::move(view);
  LogError(absl::StrCat(user, ": ", StatusLine(view.status())));
  return nullptr;
}

}  // namespace

namespace internal {

absl::StatusOr<std::shared_ptr<HostView>> HostSessionView(
    absl::string_view user) {
  return HostSession::Get().Use(user);
}

absl::StatusOr<std::shared_ptr<HostView>> PresentHostView(
    absl::string_view user) {
  return HostSession::Get().Present(user);
}

absl::Status TakePreemptionSignal() {
  return HostSession::Get().TakePreemptionSignal();
}

void ReachStep(bool saves) { HostSession::Get().ReachStep(saves); }

}  // namespace internal

absl::Status Initialize(const InitializeOptions& options) {
  return HostSession::Get().Initialize(options);
}

absl::Status Shutdown() { return HostSession::Get().Shutdown(); }

std::vector<Device> devices() {
  const auto view = ViewOrNull("devices");
  if (view == nullptr) return {};
  std::vector<Device> all = view->world().devices();
  std::sort(all.begin(), all.end(),
            [](const Device& a, const Device& b) { return a.id < b.id; });
  return all;
}

std::vector<Device> local_devices() {
  const auto view = ViewOrNull("local_devices");
  if (view == nullptr) return {};
  return view->world().local(view->host_id());
}

int device_count() { return static_cast<int>(devices().size()); }

int local_device_count() { return static_cast<int>(local_devices().size()); }

int host_count() {
  const auto view = ViewOrNull("host_count");
  return view == nullptr ? 0 : view->world().host_count();
}

int host_id() {
  const auto view = ViewOrNull("host_id");
  return view == nullptr ? -1 : view->host_id().value();
}

absl::Status SyncHosts(absl::string_view name, absl::Duration deadline) {
  ASSIGN_OR_RETURN(const auto view, HostSession::Get().Use("SyncHosts"));
  const absl::Time end = absl::Now() + deadline;
  CallRequest request;
  request.restores_order = true;
  // The agreement compares the names.
  request.description = {kSyncDigest, absl::StrCat("SyncHosts '", name, "'")};
  internal::Worker& worker = view->worker();
  ASSIGN_OR_RETURN(const auto call, worker.BeginCall(std::move(request)));
  // In the call: launches that are not done in time make it fail, and a call
  // that fails has its place too.
  if (absl::Status idle = worker.Synchronize(end); !idle.ok()) {
    worker.FailCall(*call, idle);
    return idle;
  }
  AgreementRecord record;
  record.call = call->place();
  record.epoch = call->epoch();
  record.key = MeetingKey(record.call);
  record.program = "SyncHosts";
  record.participants = call->participants();
  record.fields = {{"name", std::string(name)}};
  WaitOptions wait;
  wait.timeout = std::max(end - absl::Now(), absl::Milliseconds(1));
  const absl::Status agreed = worker.control_plane().Agree(record, wait);
  if (!agreed.ok()) {
    worker.FailCall(*call, agreed);
    return agreed;
  }
  call->RestoreOrder();
  return absl::OkStatus();
}

}  // namespace lockstep
