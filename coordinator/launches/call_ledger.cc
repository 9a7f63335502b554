#include "coordinator/launches/call_ledger.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {
namespace {

// Of each sequence, for hosts that are behind. Beyond it a host that differs
// is found out by its collectives only.
constexpr size_t kCompared = 4096;
constexpr size_t kKeptPerHost = 1024;
constexpr size_t kTexts = 16384;

}  // namespace

std::optional<CallDigest> CallLedger::DigestOf(const HostCalls& calls,
                                               LaunchNumber number) {
  const int64_t back = calls.last.value() - number.value();
  if (back < 0 || back >= static_cast<int64_t>(calls.digests.size())) {
    return std::nullopt;
  }
  return calls.digests[calls.digests.size() - 1 - back];
}

void CallLedger::Compare(Sequence& sequence, LaunchNumber number,
                         const CallDigest& call, absl::Time now) {
  std::deque<CallDigest>& compared = sequence.compared;
  const int64_t end =
      sequence.first.value() + static_cast<int64_t>(compared.size());
  if (compared.empty() || number.value() > end) {
    compared.clear();  // calls in between were never told
    sequence.first = number;
  }
  const int64_t place = number.value() - sequence.first.value();
  if (place < 0) return;
  if (place == static_cast<int64_t>(compared.size())) {
    compared.push_back(call);
    if (compared.size() > kCompared) {
      compared.pop_front();
      sequence.first = LaunchNumber(sequence.first.value() + 1);
    }
    return;
  }
  if (compared[place].DiffersFrom(call) && number > sequence.told) {
    sequence.disputes.try_emplace(number, Dispute{now});
  }
  if (compared[place].program == 0) compared[place].program = call.program;
}

void CallLedger::AddProgram(Sequence& sequence, std::deque<CallDigest>& digests,
                            LaunchNumber last, LaunchNumber number,
                            const CallDigest& call, absl::Time now) {
  const int64_t back = last.value() - number.value();
  if (call.program == 0 || back >= static_cast<int64_t>(digests.size())) {
    return;
  }
  CallDigest& told = digests[digests.size() - 1 - back];
  if (told.program != 0) return;
  told.program = call.program;
  Compare(sequence, number, call, now);
}

void CallLedger::Report(const HostRef& host, const SequenceProgress& progress,
                        absl::Time now) {
  if (std::find(progress.participants.begin(), progress.participants.end(),
                host.id) == progress.participants.end()) {
    return;
  }
  Sequence& sequence = sequences_[progress.sequence];
  sequence.participants = progress.participants;
  // Before the calls are compared: a difference quotes them.
  if (texts_.size() > kTexts) texts_.clear();
  for (const CallDescription& description : progress.descriptions) {
    if (!description.text.empty()) {
      texts_.try_emplace(description.digest, description.text);
    }
  }
  HostCalls& calls = sequence.hosts[host.id];
  // What was known before this report, which may tell calls once more, now with
  // their programs.
  const LaunchNumber known = calls.last;
  calls.host = host;
  calls.last = progress.last;
  calls.is_over = progress.is_over;
  const auto count = static_cast<int64_t>(progress.digests.size());
  const bool is_gap = progress.last.value() - count > known.value();
  if (is_gap) calls.digests.clear();
  for (int64_t i = 0; i < count; ++i) {
    const LaunchNumber number(progress.last.value() - count + 1 + i);
    if (number <= known) {
      AddProgram(sequence, calls.digests, known, number, progress.digests[i],
                 now);
      continue;
    }
    calls.digests.push_back(progress.digests[i]);
    Compare(sequence, number, progress.digests[i], now);
  }
  while (calls.digests.size() > kKeptPerHost) calls.digests.pop_front();
}

bool CallLedger::IsComplete(const Sequence& sequence, LaunchNumber number) {
  return std::all_of(sequence.participants.begin(), sequence.participants.end(),
                     [&](HostId host) {
                       const auto calls = sequence.hosts.find(host);
                       return calls != sequence.hosts.end() &&
                              calls->second.last >= number;
                     });
}

std::vector<CallLedger::CallDifference> CallLedger::Tick(absl::Time now) {
  std::vector<CallDifference> differences;
  for (auto& [digest, sequence] : sequences_) {
    while (!sequence.disputes.empty()) {
      // In the order of calls: a later difference follows from the earlier one,
      // so while that is open nothing is said of those behind it.
      const auto& [number, dispute] = *sequence.disputes.begin();
      if (!IsComplete(sequence, number) && now < dispute.since + patience_) {
        break;
      }
      differences.push_back(Conclude(digest, sequence, number));
      sequence.told = number;
      sequence.disputes.erase(sequence.disputes.begin());
    }
  }
  return differences;
}

CallLedger::CallDifference CallLedger::Conclude(uint64_t digest,
                                                const Sequence& sequence,
                                                LaunchNumber number) const {
  std::vector<std::pair<CallDigest, std::vector<HostRef>>> groups;
  std::vector<HostRef> without;
  for (const auto& [id, calls] : sequence.hosts) {
    if (calls.last < number) without.push_back(calls.host);
    const std::optional<CallDigest> call = DigestOf(calls, number);
    if (!call.has_value()) continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) {
      return !g.first.DiffersFrom(*call);
    });
    if (group == groups.end()) {
      groups.push_back({*call, {}});
      group = groups.end() - 1;
    }
    group->second.push_back(calls.host);
  }
  CallDifference difference;
  difference.call = {digest, number};
  difference.participants = sequence.participants;
  std::vector<std::string> texts;
  const std::vector<HostRef>* fewest = nullptr;
  for (const auto& [call, hosts] : groups) {
    const bool is_told_by_program =
        std::count_if(groups.begin(), groups.end(), [&](const auto& group) {
          return group.first.digest == call.digest;
        }) > 1;
    texts.push_back(absl::StrCat(
        HostList(hosts), hosts.size() == 1 ? " makes " : " make ",
        CallText(number, Text(call.digest)),
        is_told_by_program
            ? absl::StrCat(", program ",
                           absl::Hex(call.program, absl::kZeroPad16))
            : ""));
    if (fewest == nullptr || hosts.size() <= fewest->size()) fewest = &hosts;
  }
  if (fewest != nullptr) difference.origin = fewest->front();
  if (groups.size() == 1 && !without.empty()) {
    difference.origin = without.front();
    texts.push_back(absl::StrCat(HostList(without),
                                 without.size() == 1 ? " has" : " have",
                                 " left without it"));
  }
  difference.status = absl::FailedPreconditionError(
      absl::StrCat("hosts make different calls: ", absl::StrJoin(texts, "; ")));
  return difference;
}

std::vector<CallLedger::CallDifference> CallLedger::UnequalCounts() const {
  std::vector<CallDifference> differences;
  for (const auto& [digest, sequence] : sequences_) {
    if (sequence.hosts.size() < sequence.participants.size()) continue;
    const auto [fewest, most] =
        std::minmax_element(sequence.hosts.begin(), sequence.hosts.end(),
                            [](const auto& a, const auto& b) {
                              return a.second.last < b.second.last;
                            });
    if (fewest->second.last == most->second.last) continue;
    if (sequence.told > LaunchNumber()) continue;
    differences.push_back(Conclude(
        digest, sequence, LaunchNumber(fewest->second.last.value() + 1)));
  }
  return differences;
}

bool CallLedger::IsOver(HostId host, const LaunchKey& call) const {
  const auto sequence = sequences_.find(call.sequence);
  if (sequence == sequences_.end()) return false;
  const auto calls = sequence->second.hosts.find(host);
  if (calls == sequence->second.hosts.end()) return false;
  return calls->second.last > call.number ||
         (calls->second.last == call.number && calls->second.is_over);
}

std::string CallLedger::TextOf(HostId host, const LaunchKey& call) const {
  const auto sequence = sequences_.find(call.sequence);
  if (sequence == sequences_.end()) return "";
  const auto calls = sequence->second.hosts.find(host);
  if (calls == sequence->second.hosts.end()) return "";
  const std::optional<CallDigest> found = DigestOf(calls->second, call.number);
  return found.has_value() ? Text(found->digest) : "";
}

std::string CallLedger::Text(uint64_t digest) const {
  const auto text = texts_.find(digest);
  return text == texts_.end() ? "" : text->second;
}

void CallLedger::Forget(HostId host) {
  std::erase_if(sequences_, [&](const auto& entry) {
    const std::vector<HostId>& hosts = entry.second.participants;
    return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
  });
}

}  // namespace lockstep::internal
