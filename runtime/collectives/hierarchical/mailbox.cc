#include "runtime/collectives/hierarchical/mailbox.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/cluster/shared_cause.h"

namespace lockstep::internal {

void Mailbox::Deliver(HostId from, Message message) {
  LaunchId launch = LaunchOf(message.header.call);
  absl::Status overflow;
  {
    absl::MutexLock lock(&mutex_);
    // Under the lock: a failure that is recorded later purges the queue.
    if (!options_.failures->Find(launch).ok()) return;
    Queue& queue = queues_[from];
    if (queue.size() < kMaxQueued) {
      queue.push_back(std::move(message));
      changed_.SignalAll();
      return;
    }
    overflow = AsSharedCause(absl::ResourceExhaustedError(absl::StrCat(
        Describe(message.header.call), ": more than ", kMaxQueued,
        " messages of ", options_.names.Host(from), " are waiting")));
  }
  options_.fail_launch(launch, overflow);
}

bool Mailbox::IsStale(const CollectiveCall& call,
                      const CollectiveCall& message) const {
  if (message.epoch < call.epoch) return true;
  auto it = latest_.find({message.epoch, message.launch_sequence});
  return it != latest_.end() && message.launch < it->second;
}

bool Mailbox::HasGonePast(const CollectiveCall& call,
                          const WireHeader& header) {
  // Launches of numbered calls; others fail with the launch that they meet.
  return header.call_digest != 0 && header.call.epoch == call.epoch &&
         header.call.launch_sequence == call.launch_sequence &&
         header.call.launch > call.launch;
}

absl::StatusOr<std::optional<Mailbox::Message>> Mailbox::Take(
    const CliqueMember& self, const CollectiveCall& call,
    const Expected& expected, std::vector<Clash>* clashes) {
  const HostId host = expected.host;
  Queue& queue = queues_[host];
  while (!queue.empty() && IsStale(call, queue.front().header.call)) {
    queue.pop_front();
  }
  if (queue.empty()) {
    auto lost = lost_.find(host);
    if (lost == lost_.end()) return std::nullopt;
    // It names the host that is lost: told as it is, not as an error of whoever
    // noticed.
    return AsSharedCause(absl::UnavailableError(
        absl::StrCat(options_.names.Host(host), " is lost in ", Describe(call),
                     ": ", lost->second.message())));
  }
  const WireHeader& header = queue.front().header;
  if (header.call.epoch > call.epoch) {
    return AsSharedCause(absl::FailedPreconditionError(
        absl::StrCat(Describe(call), ": is of epoch ", call.epoch.value(),
                     ", but ", options_.names.Host(host), " is in epoch ",
                     header.call.epoch.value())));
  }
  if (HasGonePast(call, header)) {
    // Only this launch fails: the message is for one that both will make. A
    // third host may have failed in it, of which the sender has heard before
    // this host has: its message, of another connection, may overtake that.
    const absl::Status passed =
        AsSuspicion(AsSharedCause(absl::FailedPreconditionError(absl::StrCat(
            "hosts make different calls: ", options_.names.Host(host),
            " has made call ", call.launch.value(), " without ", Describe(call),
            ", and is in ", Describe(header.call),
            "; its last launches, newest first: ",
            RecentLaunches(header.call, options_.names)))));
    clashes->push_back({LaunchOf(call), passed});
    return passed;
  }
  CliqueMember sender{header.device, host, header.source_incarnation};
  absl::Status match =
      CheckSameCall(self, call, sender, header.call, options_.names);
  if (match.ok() && header.index != expected.index) {
    match = absl::InternalError(absl::StrCat(
        Describe(call), ": expected message ", expected.index, " of ",
        options_.names.Host(host), ", found message ", header.index));
  }
  if (!match.ok()) {
    match = AsSharedCause(std::move(match));
    clashes->push_back({LaunchOf(header.call), match});
    return match;
  }
  Message taken = std::move(queue.front());
  queue.pop_front();
  return taken;
}

absl::StatusOr<std::vector<Mailbox::Taken>> Mailbox::TakeSome(
    const CliqueMember& self, const CollectiveCall& call,
    absl::Span<const Expected> expected, std::vector<Clash>* clashes) {
  RETURN_IF_ERROR(options_.failures->Find(LaunchOf(call)));
  std::vector<Taken> taken;
  std::vector<HostId> awaited;
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSIGN_OR_RETURN(std::optional<Message> message,
                     Take(self, call, expected[i], clashes));
    if (message.has_value()) {
      taken.emplace_back(i, *std::move(message));
    } else {
      awaited.push_back(expected[i].host);
    }
  }
  awaited_ = std::move(awaited);
  return taken;
}

void Mailbox::BeginCall(const CollectiveCall& call, std::vector<HostId> hosts) {
  absl::MutexLock lock(&mutex_);
  LaunchNumber& latest = latest_[{call.epoch, call.launch_sequence}];
  latest = std::max(latest, call.launch);
  awaited_ = std::move(hosts);
}

void Mailbox::EndCall() {
  absl::MutexLock lock(&mutex_);
  awaited_ = std::nullopt;
}

absl::StatusOr<std::vector<Mailbox::Taken>> Mailbox::Receive(
    const CliqueMember& self, const CollectiveCall& call,
    absl::Span<const Expected> expected, bool waits, bool* drives) {
  std::vector<Clash> clashes;
  absl::StatusOr<std::vector<Taken>> taken;
  {
    absl::MutexLock lock(&mutex_);
    while (true) {
      taken = TakeSome(self, call, expected, &clashes);
      if (!taken.ok() || !taken->empty() || !waits) break;
      AwaitChange(drives);
    }
  }
  for (const Clash& clash : clashes) {
    options_.fail_launch(clash.launch, clash.status);
    options_.fail_launch(LaunchOf(call), clash.status);
  }
  return taken;
}

void Mailbox::AwaitChange(bool* drives) {
  if (!*drives) return changed_.Wait(&mutex_);
  is_driving_ = true;
  mutex_.Unlock();
  *drives = options_.transport->Step();
  // It is being stopped, which waits for its drivers.
  if (!*drives) options_.transport->StopDriving();
  mutex_.Lock();
  is_driving_ = false;
}

void Mailbox::Wake() {
  changed_.SignalAll();
  if (is_driving_) options_.transport->Interrupt();
}

void Mailbox::OnLaunchFailed(const LaunchId& launch, const absl::Status&) {
  absl::MutexLock lock(&mutex_);
  for (auto& [host, queue] : queues_) {
    std::erase_if(queue, [&](const Message& message) {
      return LaunchOf(message.header.call) == launch;
    });
  }
  Wake();
}

void Mailbox::OnHostLost(HostId host, const absl::Status& cause) {
  absl::MutexLock lock(&mutex_);
  lost_[host] = cause;
  Wake();
}

void Mailbox::OnHostBack(HostId host) {
  absl::MutexLock lock(&mutex_);
  lost_.erase(host);
}

std::vector<HostId> Mailbox::Missing(const std::vector<HostId>& hosts) const {
  absl::MutexLock lock(&mutex_);
  std::vector<HostId> missing;
  for (HostId host : awaited_.has_value() ? *awaited_ : hosts) {
    auto it = queues_.find(host);
    if (it == queues_.end() || it->second.empty()) missing.push_back(host);
  }
  return missing;
}

bool Mailbox::is_empty() const {
  absl::MutexLock lock(&mutex_);
  return std::all_of(queues_.begin(), queues_.end(),
                     [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace lockstep::internal
