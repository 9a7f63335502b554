#include "coordinator/health/link_watch.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

void LinkWatch::Add(const HostRef& host, absl::Time now) {
  Remove(host.id);
  hosts_[host.id] = {host, now, {}};
}

void LinkWatch::Remove(HostId host) {
  hosts_.erase(host);
  const size_t erased = std::erase_if(
      cut_, [&](const auto& entry) { return entry.second.Concerns(host); });
  is_changed_ = is_changed_ || erased > 0;
}

void LinkWatch::Clear() {
  hosts_.clear();
  cut_.clear();
}

void LinkWatch::Report(HostId host, std::vector<SilentPeer> silent,
                       absl::Time now) {
  auto it = hosts_.find(host);
  if (it == hosts_.end()) return;
  it->second.silent = std::move(silent);
  it->second.last_report = now;
}

void LinkWatch::Excuse(absl::Duration pause, absl::Time now) {
  for (auto& [id, record] : hosts_) {
    record.last_report = std::min(record.last_report + pause, now);
  }
}

absl::Duration LinkWatch::Silence(const Record& host,
                                  const Record& peer) const {
  for (const SilentPeer& silent : host.silent) {
    if (silent.host == peer.host.id &&
        silent.incarnation == peer.host.incarnation) {
      return silent.silent_for;
    }
  }
  return absl::ZeroDuration();
}

CutLink LinkWatch::Describe(const Record& first, const Record& second,
                            absl::Time now) const {
  const absl::Duration first_silence = Silence(first, second);
  const absl::Duration second_silence = Silence(second, first);
  const absl::Time since = now - std::max(first_silence, second_silence);
  std::string detail = "neither hears the other";
  if (second_silence == absl::ZeroDuration()) {
    detail = absl::StrCat(ToString(first.host), " hears nothing");
  } else if (first_silence == absl::ZeroDuration()) {
    detail = absl::StrCat(ToString(second.host), " hears nothing");
  }
  return {first.host, second.host,
          absl::UnavailableError(absl::StrCat(
              ToString(first.host), " and ", ToString(second.host),
              " cannot reach each other since ",
              absl::FormatTime("%H:%M:%S", since, absl::LocalTimeZone()), ": ",
              detail))};
}

LinkWatch::Changes LinkWatch::Check(absl::Time now) {
  Changes changes;
  const absl::Time reported_since =
      now - 1.5 * options_.limits().report_interval;
  const auto reports = [&](const Record& record) {
    return record.last_report > reported_since;
  };
  for (auto a = hosts_.begin(); a != hosts_.end(); ++a) {
    if (a->second.silent.empty() || !reports(a->second)) continue;
    for (const SilentPeer& silent : a->second.silent) {
      auto b = hosts_.find(silent.host);
      if (b == hosts_.end() || b == a || !reports(b->second)) continue;
      if (Silence(a->second, b->second) < options_.limits().LinkSilence()) {
        continue;
      }
      const Pair pair = std::minmax(a->first, b->first);
      if (cut_.contains(pair)) continue;
      const CutLink link =
          Describe(hosts_.at(pair.first), hosts_.at(pair.second), now);
      cut_[pair] = link;
      changes.cut.push_back(link);
    }
  }
  for (auto it = cut_.begin(); it != cut_.end();) {
    const Record& first = hosts_.at(it->first.first);
    const Record& second = hosts_.at(it->first.second);
    const bool is_back = reports(first) && reports(second) &&
                         Silence(first, second) == absl::ZeroDuration() &&
                         Silence(second, first) == absl::ZeroDuration();
    if (is_back) changes.restored.push_back(it->second);
    it = is_back ? cut_.erase(it) : std::next(it);
  }
  changes.is_any = std::exchange(is_changed_, false) || !changes.cut.empty() ||
                   !changes.restored.empty();
  return changes;
}

std::vector<CutLink> LinkWatch::cut() const {
  std::vector<CutLink> links;
  for (const auto& [pair, link] : cut_) links.push_back(link);
  return links;
}

}  // namespace lockstep::internal
