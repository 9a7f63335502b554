#include "runtime/worker/call_sequences.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace lockstep::internal {
namespace {

// Calls are told again for a while: a report may be lost with its connection.
constexpr int64_t kToldAgain = 64;
constexpr size_t kDescriptionsPerReport = 16;
// A program that calls more functions than that is told of by digests.
constexpr size_t kTextsKept = 256;

}  // namespace

uint64_t CallSequences::DigestOf(absl::Span<const HostRef> hosts,
                                 absl::string_view name) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (const HostRef& host : hosts) {
    const uint64_t words[] = {static_cast<uint64_t>(host.id.value()),
                              host.incarnation.value()};
    XXH3_64bits_update(&state, words, sizeof(words));
  }
  XXH3_64bits_update(&state, name.data(), name.size());
  return XXH3_64bits_digest(&state);
}

std::shared_ptr<std::recursive_mutex> CallSequences::Order(uint64_t stream) {
  absl::MutexLock lock(&mutex_);
  return sequences_[stream].order;
}

LaunchKey CallSequences::Begin(uint64_t stream, absl::Span<const HostRef> hosts,
                               const CallDescription& description) {
  absl::MutexLock lock(&mutex_);
  Sequence& sequence = sequences_[stream];
  sequence.last = LaunchNumber(sequence.last.value() + 1);
  sequence.is_over = false;
  if (sequence.hosts.empty()) sequence.hosts = {hosts.begin(), hosts.end()};
  if (hosts.size() < 2) return {stream, sequence.last};
  sequence.digests.push_back(description.digest);
  if (sequence.digests.size() > kKept) sequence.digests.pop_front();
  if (sequence.texts.size() > kTextsKept) sequence.texts.clear();
  sequence.texts.try_emplace(description.digest, description.text);
  return {stream, sequence.last};
}

void CallSequences::SetOver(const LaunchKey& call) {
  absl::MutexLock lock(&mutex_);
  const auto it = sequences_.find(call.stream);
  if (it != sequences_.end() && it->second.last == call.number) {
    it->second.is_over = true;
  }
}

std::array<uint64_t, 3> CallSequences::AddProgram(uint64_t stream,
                                                  uint64_t fingerprint) {
  absl::MutexLock lock(&mutex_);
  auto& recent = sequences_[stream].recent_programs;
  recent = {fingerprint, recent[0], recent[1]};
  return recent;
}

std::string CallSequences::TextOf(const LaunchKey& call) const {
  absl::MutexLock lock(&mutex_);
  const auto it = sequences_.find(call.stream);
  if (it == sequences_.end()) return "";
  const Sequence& sequence = it->second;
  const int64_t back = sequence.last.value() - call.number.value();
  const auto kept = static_cast<int64_t>(sequence.digests.size());
  if (back < 0 || back >= kept) return "";
  const auto text = sequence.texts.find(sequence.digests[kept - 1 - back]);
  return text == sequence.texts.end() ? "" : text->second;
}

std::vector<SequenceProgress> CallSequences::Report() {
  std::vector<SequenceProgress> reports;
  absl::MutexLock lock(&mutex_);
  for (auto& [stream, sequence] : sequences_) {
    if (sequence.digests.empty()) continue;
    SequenceProgress& report = reports.emplace_back();
    report.stream = stream;
    for (const HostRef& host : sequence.hosts) {
      report.participants.push_back(host.id);
    }
    report.last = sequence.last;
    report.is_over = sequence.is_over;
    const int64_t fresh = sequence.last.value() - sequence.reported.value();
    const auto count =
        std::min<int64_t>(sequence.digests.size(), std::max(fresh, kToldAgain));
    report.digests.assign(sequence.digests.end() - count,
                          sequence.digests.end());
    for (auto digest = report.digests.rbegin();
         digest != report.digests.rend() &&
         report.descriptions.size() < kDescriptionsPerReport;
         ++digest) {
      const auto text = sequence.texts.find(*digest);
      const CallDescription description{
          *digest, text == sequence.texts.end() ? "" : text->second};
      if (std::find(report.descriptions.begin(), report.descriptions.end(),
                    description) == report.descriptions.end()) {
        report.descriptions.push_back(description);
      }
    }
    sequence.reported = sequence.last;
  }
  return reports;
}

void CallSequences::DropEnded(
    absl::FunctionRef<bool(const HostRef& host)> is_current) {
  absl::MutexLock lock(&mutex_);
  absl::erase_if(sequences_, [&](const auto& entry) {
    const std::vector<HostRef>& hosts = entry.second.hosts;
    return !std::all_of(hosts.begin(), hosts.end(), is_current);
  });
}

}  // namespace lockstep::internal
