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

absl::StatusOr<bool> Mailbox::Take(const CliqueMember& self,
                                   const CollectiveCall& call, int phase,
                                   HostId host, Message* taken,
                                   std::vector<Clash>* clashes) {
  Queue& queue = queues_[host];
  while (!queue.empty() && IsStale(call, queue.front().header.call)) {
    queue.pop_front();
  }
  if (queue.empty()) {
    auto lost = lost_.find(host);
    if (lost == lost_.end()) return false;
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
  if (match.ok() && header.phase != phase) {
    match = absl::InternalError(absl::StrCat(
        Describe(call), ": ", options_.names.Host(host), " is in phase ",
        header.phase, " of the collective, expected ", phase));
  }
  if (!match.ok()) {
    match = AsSharedCause(std::move(match));
    clashes->push_back({LaunchOf(header.call), match});
    return match;
  }
  *taken = std::move(queue.front());
  queue.pop_front();
  return true;
}

absl::StatusOr<bool> Mailbox::TakeAll(const CliqueMember& self,
                                      const CollectiveCall& call, int phase,
                                      absl::Span<const HostId> hosts,
                                      std::vector<Message>* taken,
                                      std::vector<bool>* is_here,
                                      std::vector<Clash>* clashes) {
  RETURN_IF_ERROR(options_.failures->Find(LaunchOf(call)));
  awaited_.clear();
  for (size_t i = 0; i < hosts.size(); ++i) {
    if ((*is_here)[i]) continue;
    ASSIGN_OR_RETURN(bool found,
                     Take(self, call, phase, hosts[i], &(*taken)[i], clashes));
    (*is_here)[i] = found;
    if (!found) awaited_.push_back(hosts[i]);
  }
  return awaited_.empty();
}

absl::StatusOr<std::vector<Mailbox::Message>> Mailbox::Receive(
    const CliqueMember& self, const CollectiveCall& call, int phase,
    absl::Span<const HostId> hosts, bool* drives) {
  std::vector<Message> taken(hosts.size());
  std::vector<bool> is_here(hosts.size(), false);
  std::vector<Clash> clashes;
  absl::Status status;
  {
    absl::MutexLock lock(&mutex_);
    is_receiving_ = true;
    LaunchNumber& latest = latest_[{call.epoch, call.launch_sequence}];
    latest = std::max(latest, call.launch);
    while (true) {
      absl::StatusOr<bool> all =
          TakeAll(self, call, phase, hosts, &taken, &is_here, &clashes);
      status = all.status();
      if (!all.ok() || *all) break;
      AwaitChange(drives);
    }
    is_receiving_ = false;
    awaited_.clear();
  }
  for (const Clash& clash : clashes) {
    options_.fail_launch(clash.launch, clash.status);
    options_.fail_launch(LaunchOf(call), clash.status);
  }
  if (!status.ok()) return status;
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
  if (is_receiving_) return awaited_;
  std::vector<HostId> missing;
  for (HostId host : hosts) {
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
