// HostWorker: the places of calls among those of other hosts.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/callback_scope.h"
#include "runtime/cluster/shared_cause.h"
#include "runtime/worker/host_worker.h"

namespace lockstep::internal {
namespace {

// A command that was meant for an earlier life of one of `hosts`.
absl::Status StaleCommand(const CallTurn::Parts& parts,
                          const std::vector<HostRef>& hosts) {
  return absl::FailedPreconditionError(
      absl::StrCat(parts.request.description.text, " was submitted in epoch ",
                   parts.request.command->epoch.value(), ", but since epoch ",
                   parts.epoch.value(), " one of ", HostList(hosts),
                   " is there in another life"));
}

}  // namespace

absl::StatusOr<std::vector<HostRef>> HostWorker::HostsOf(
    const CallRequest& request) const {
  if (request.devices.has_value() && request.devices->empty()) {
    return absl::InvalidArgumentError("the list of devices is empty");
  }
  ASSIGN_OR_RETURN(std::vector<HostRef> hosts, cluster_.Hosts(request.devices));
  const bool takes_part =
      std::any_of(hosts.begin(), hosts.end(),
                  [&](const HostRef& host) { return host.id == host_id_; });
  if (takes_part) return hosts;
  // J-9; the others make their call without this host.
  return absl::FailedPreconditionError(
      absl::StrCat(cluster_.Name(host_id_),
                   " has no device among those of the call, which are on ",
                   HostList(hosts)));
}

absl::StatusOr<std::unique_ptr<CallTurn>> HostWorker::BeginCall(
    CallRequest request) {
  RETURN_IF_ERROR(CallbackScope::CheckOutside());
  RETURN_IF_ERROR(CheckRunning());
  CallTurn::Parts parts;
  absl::StatusOr<std::vector<HostRef>> hosts;
  {
    absl::MutexLock lock(&mutex_);
    hosts = HostsOf(request);
    if (hosts.ok()) {
      for (const HostRef& host : *hosts) parts.participants.push_back(host.id);
      parts.epoch = cluster_.EpochOf(parts.participants);
    }
  }
  if (!hosts.ok()) {
    const std::string text = request.description.text;
    FailUnplaced(std::move(request), hosts.status());
    return Annotate(hosts.status(), text);
  }
  parts.request = std::move(request);
  const auto& command = parts.request.command;
  if (command.has_value()) {
    if (command->epoch < parts.epoch) return StaleCommand(parts, *hosts);
    parts.place = {kCommandSequence, LaunchNumber(command->sequence)};
    return std::make_unique<CallTurn>(std::move(parts));
  }
  if (hosts->size() > 1) {
    RETURN_IF_ERROR(control_plane_->AwaitCoordinator());
    return BeginInSequence(std::move(parts), *hosts);
  }
  TakePlaceBeside(parts.request);
  parts.place.sequence = sequences_.DigestOf(*hosts, parts.request.sequence);
  return std::make_unique<CallTurn>(std::move(parts));
}

absl::StatusOr<std::unique_ptr<CallTurn>> HostWorker::BeginInSequence(
    CallTurn::Parts parts, const std::vector<HostRef>& hosts) {
  const uint64_t digest = sequences_.DigestOf(hosts, parts.request.sequence);
  parts.order = sequences_.Order(digest);
  std::optional<LaunchKey> other;  // a call of another thread, under way
  if (!parts.order->try_lock()) {
    other = sequences_.SetDisordered(digest);
    parts.order->lock();
  }
  parts.sequences = &sequences_;
  parts.results = sequences_.ResultsOf(digest);
  const CallRequest& request = parts.request;
  const bool is_known =
      request.program.has_value() && request.program->sequence == digest;
  parts.place =
      sequences_.Begin(digest, hosts, request.description, request.function,
                       is_known ? request.program->fingerprint : 0);
  auto turn = std::make_unique<CallTurn>(std::move(parts));
  const absl::Status order = sequences_.OrderStatus(digest);
  if (order.ok() || turn->request().restores_order) return turn;
  // The call of the other thread may have met another one than its own.
  if (other.has_value()) FailPlace(*turn, *other, order);
  FailPlace(*turn, turn->place(), order);
  return order;
}

void HostWorker::TakePlaceBeside(const CallRequest& request) {
  if (!request.devices.has_value()) return;
  const std::vector<HostRef> hosts = sequences_.HostsOf(request.function);
  if (hosts.size() < 2) return;
  const std::string compared =
      absl::StrCat(request.function, " on devices of one host");
  const CallDescription description = {
      XXH3_64bits(compared.data(), compared.size()), request.description.text};
  const uint64_t sequence = sequences_.DigestOf(hosts, request.sequence);
  const auto order = sequences_.Order(sequence);
  std::lock_guard lock(*order);
  sequences_.SetOver(
      sequences_.Begin(sequence, hosts, description, request.function));
}

void HostWorker::FailUnplaced(CallRequest request, const absl::Status& cause) {
  // A host is lost: its sequences have ended.
  if (OriginOf(cause).has_value() || request.command.has_value()) return;
  CallTurn::Parts parts;
  std::vector<HostRef> hosts = sequences_.HostsOf(request.function);
  {
    absl::MutexLock lock(&mutex_);
    // What cannot be a list of devices at all stands for one of all hosts, as
    // most are.
    if (hosts.empty() && absl::IsInvalidArgument(cause)) {
      hosts = cluster_.Hosts(std::nullopt).value_or(std::vector<HostRef>());
    }
    for (const HostRef& host : hosts) parts.participants.push_back(host.id);
    parts.epoch = cluster_.EpochOf(parts.participants);
  }
  if (hosts.size() < 2 || !control_plane_->AwaitCoordinator().ok()) return;
  parts.request = std::move(request);
  const auto turn = BeginInSequence(std::move(parts), hosts);
  if (turn.ok()) FailCall(**turn, cause);
}

void HostWorker::FailCall(const CallTurn& call, const absl::Status& cause) {
  FailPlace(call, call.place(), cause);
}

void HostWorker::FailPlace(const CallTurn& call, const LaunchKey& place,
                           const absl::Status& cause) {
  if (!call.spans_hosts()) return;
  LaunchFailure failure;
  failure.launch = place;
  failure.participants = call.participants();
  failure.status = cause;
  // A cause of another host, or of all of them, says it already.
  if (!OriginOf(cause).has_value() && !IsSharedCause(cause)) {
    const std::string text = place == call.place() ? call.description().text
                                                   : sequences_.TextOf(place);
    failure.status = Annotate(cause, CallText(place.number, text));
  }
  ReportFailed({call.epoch(), place.sequence, place.number},
               std::move(failure));
}

}  // namespace lockstep::internal
