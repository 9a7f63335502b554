#include "runtime/worker/call_sequences.h"

#define XXH_INLINE_ALL
#include <sys/syscall.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

// Calls are told again for a while: a report may be lost with its connection.
constexpr int64_t kToldAgain = 64;
constexpr size_t kDescriptionsPerReport = 16;
// A program that calls more functions than that is told of by digests.
constexpr size_t kTextsKept = 256;
constexpr size_t kFunctionsKept = 4096;

}  // namespace

bool CallSequences::Beginning::Concerns(absl::Span<const HostRef> some,
                                        absl::string_view sequence) const {
  return some.size() > 1 && sequence == name &&
         std::all_of(some.begin(), some.end(), [this](const HostRef& host) {
           return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
         });
}

uint64_t CallSequences::DigestNow(absl::Span<const HostRef> hosts,
                                  absl::string_view name) const {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (const HostRef& host : hosts) {
    const uint64_t words[] = {static_cast<uint64_t>(host.id.value()),
                              host.incarnation.value()};
    XXH3_64bits_update(&state, words, sizeof(words));
  }
  XXH3_64bits_update(&state, name.data(), name.size());
  int64_t number = 0;
  for (const Beginning& beginning : beginnings_) {
    if (beginning.Concerns(hosts, name)) {
      number = std::max(number, beginning.number);
    }
  }
  if (number > 0) XXH3_64bits_update(&state, &number, sizeof(number));
  return XXH3_64bits_digest(&state);
}

uint64_t CallSequences::DigestOf(absl::Span<const HostRef> hosts,
                                 absl::string_view name) const {
  absl::MutexLock lock(&mutex_);
  return DigestNow(hosts, name);
}

void CallSequences::BeginAnew(const std::vector<HostRef>& hosts,
                              absl::string_view name, int64_t number) {
  const Beginning latest = {hosts, std::string(name), number};
  absl::MutexLock lock(&mutex_);
  Drop([&](uint64_t digest, const Sequence& sequence)
           ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
             return latest.Concerns(sequence.hosts, name) &&
                    digest == DigestNow(sequence.hosts, name);
           });
  std::erase_if(beginnings_, [&](const Beginning& earlier) {
    return latest.Concerns(earlier.hosts, earlier.name);
  });
  beginnings_.push_back(latest);
}

std::shared_ptr<std::recursive_mutex> CallSequences::Order(uint64_t digest) {
  absl::MutexLock lock(&mutex_);
  return sequences_[digest].order;
}

std::shared_ptr<MeetingResults> CallSequences::ResultsOf(uint64_t digest) {
  absl::MutexLock lock(&mutex_);
  return sequences_[digest].results;
}

LaunchKey CallSequences::Begin(uint64_t digest, absl::Span<const HostRef> hosts,
                               const CallDescription& description,
                               absl::string_view function, uint64_t program) {
  absl::MutexLock lock(&mutex_);
  Sequence& sequence = sequences_[digest];
  if (hosts.size() > 1) TakeTurn(sequence);
  sequence.last = LaunchNumber(sequence.last.value() + 1);
  sequence.is_over = false;
  if (sequence.hosts.empty()) sequence.hosts = {hosts.begin(), hosts.end()};
  if (hosts.size() < 2) return {digest, sequence.last};
  sequence.digests.push_back({description.digest, program});
  if (sequence.digests.size() > kKept) sequence.digests.pop_front();
  if (sequence.texts.size() > kTextsKept) sequence.texts.clear();
  sequence.texts.try_emplace(description.digest, description.text);
  if (functions_.size() > kFunctionsKept) functions_.clear();
  if (!function.empty()) functions_[function] = digest;
  return {digest, sequence.last};
}

std::vector<HostRef> CallSequences::HostsOf(absl::string_view function) const {
  absl::MutexLock lock(&mutex_);
  const auto found = functions_.find(function);
  if (found == functions_.end()) return {};
  const auto sequence = sequences_.find(found->second);
  return sequence == sequences_.end() ? std::vector<HostRef>()
                                      : sequence->second.hosts;
}

LaunchKey CallSequences::SetDisordered(uint64_t digest) {
  absl::MutexLock lock(&mutex_);
  Sequence& sequence = sequences_[digest];
  LoseOrder(sequence);
  return {digest, sequence.last};
}

absl::Status CallSequences::OrderStatus(uint64_t digest) const {
  absl::MutexLock lock(&mutex_);
  const auto it = sequences_.find(digest);
  return it == sequences_.end() ? absl::OkStatus() : it->second.order_status;
}

void CallSequences::RestoreOrder(uint64_t digest) {
  absl::MutexLock lock(&mutex_);
  const auto it = sequences_.find(digest);
  if (it == sequences_.end()) return;
  it->second.order_status = absl::OkStatus();
  it->second.earlier.clear();
}

const std::shared_ptr<const CallSequences::Thread>&
CallSequences::CallingThread() {
  // Its end is known before another thread has joined it, which the system's
  // list of threads cannot say.
  thread_local const auto thread =
      std::make_shared<const Thread>(Thread{syscall(SYS_gettid)});
  return thread;
}

void CallSequences::TakeTurn(Sequence& sequence) {
  const std::shared_ptr<const Thread>& self = CallingThread();
  const std::shared_ptr<const Thread> before = sequence.caller.lock();
  if (before != nullptr && before != self) {
    for (const auto& earlier : sequence.earlier) {
      if (earlier.lock() == self) LoseOrder(sequence);
    }
    std::erase_if(sequence.earlier, [&](const auto& earlier) {
      return earlier.expired() || earlier.lock() == self;
    });
    sequence.earlier.push_back(sequence.caller);
  }
  sequence.caller = self;
}

void CallSequences::LoseOrder(Sequence& sequence) {
  if (!sequence.order_status.ok()) return;
  const std::shared_ptr<const Thread> before = sequence.caller.lock();
  sequence.order_status = absl::FailedPreconditionError(absl::StrCat(
      "threads ", before == nullptr ? 0 : before->id, " and ",
      CallingThread()->id,
      " of this host both call functions together with the same hosts, in an "
      "order that may be another one on each host; let one thread make these "
      "calls, or give each a PmapOptions::sequence of its own; calls of this "
      "sequence fail until all hosts have met in SyncHosts"));
}

void CallSequences::SetProgram(const LaunchKey& call, uint64_t fingerprint) {
  absl::MutexLock lock(&mutex_);
  const auto it = sequences_.find(call.sequence);
  if (it == sequences_.end() || it->second.last != call.number) return;
  if (!it->second.digests.empty()) {
    it->second.digests.back().program = fingerprint;
  }
}

void CallSequences::SetOver(const LaunchKey& call) {
  absl::MutexLock lock(&mutex_);
  const auto it = sequences_.find(call.sequence);
  if (it != sequences_.end() && it->second.last == call.number) {
    it->second.is_over = true;
  }
}

std::array<uint64_t, 3> CallSequences::AddProgram(uint64_t digest,
                                                  uint64_t fingerprint) {
  absl::MutexLock lock(&mutex_);
  auto& recent = sequences_[digest].recent_programs;
  recent = {fingerprint, recent[0], recent[1]};
  return recent;
}

bool CallSequences::IsOver(const LaunchKey& call) const {
  absl::MutexLock lock(&mutex_);
  const auto it = sequences_.find(call.sequence);
  if (it == sequences_.end()) return false;
  const Sequence& sequence = it->second;
  return sequence.last > call.number ||
         (sequence.last == call.number && sequence.is_over);
}

std::string CallSequences::TextOf(const LaunchKey& call) const {
  absl::MutexLock lock(&mutex_);
  const auto it = sequences_.find(call.sequence);
  if (it == sequences_.end()) return "";
  const Sequence& sequence = it->second;
  const int64_t back = sequence.last.value() - call.number.value();
  const auto kept = static_cast<int64_t>(sequence.digests.size());
  if (back < 0 || back >= kept) return "";
  const auto text =
      sequence.texts.find(sequence.digests[kept - 1 - back].digest);
  return text == sequence.texts.end() ? "" : text->second;
}

SequenceProgress CallSequences::ReportOf(uint64_t digest, Sequence& sequence) {
  SequenceProgress report;
  report.sequence = digest;
  for (const HostRef& host : sequence.hosts) {
    report.participants.push_back(host.id);
  }
  report.last = sequence.last;
  report.is_over = sequence.is_over;
  const int64_t fresh = sequence.last.value() - sequence.reported.value();
  const auto count =
      std::min<int64_t>(sequence.digests.size(), std::max(fresh, kToldAgain));
  report.digests.assign(sequence.digests.end() - count, sequence.digests.end());
  for (auto call = report.digests.rbegin();
       call != report.digests.rend() &&
       report.descriptions.size() < kDescriptionsPerReport;
       ++call) {
    const auto text = sequence.texts.find(call->digest);
    const CallDescription description{
        call->digest, text == sequence.texts.end() ? "" : text->second};
    if (std::find(report.descriptions.begin(), report.descriptions.end(),
                  description) == report.descriptions.end()) {
      report.descriptions.push_back(description);
    }
  }
  sequence.reported = sequence.last;
  return report;
}

std::vector<SequenceProgress> CallSequences::Report() {
  absl::MutexLock lock(&mutex_);
  std::vector<SequenceProgress> reports = std::exchange(last_reports_, {});
  for (auto& [digest, sequence] : sequences_) {
    if (!sequence.digests.empty()) {
      reports.push_back(ReportOf(digest, sequence));
    }
  }
  return reports;
}

void CallSequences::Drop(
    absl::FunctionRef<bool(uint64_t digest, const Sequence& sequence)>
        is_over) {
  for (auto it = sequences_.begin(); it != sequences_.end();) {
    auto& [digest, sequence] = *it;
    if (!is_over(digest, sequence)) {
      ++it;
      continue;
    }
    if (sequence.last > sequence.reported) {
      last_reports_.push_back(ReportOf(digest, sequence));
    }
    sequences_.erase(it++);
  }
}

void CallSequences::DropEnded(
    absl::FunctionRef<bool(const HostRef& host)> is_current) {
  absl::MutexLock lock(&mutex_);
  Drop([&](uint64_t, const Sequence& sequence) {
    return !std::all_of(sequence.hosts.begin(), sequence.hosts.end(),
                        is_current);
  });
  // Not with the first host that ends: those that are left go on where they
  // are, each of which may hear of the end at another call.
  std::erase_if(beginnings_, [&](const Beginning& beginning) {
    return std::count_if(beginning.hosts.begin(), beginning.hosts.end(),
                         is_current) < 2;
  });
}

}  // namespace lockstep::internal
