#include "coordinator/health/line_limit.h"

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

bool LineLimit::Admits(const std::string& kind, absl::Time now) {
  Interval& interval =
      intervals_.try_emplace(kind, Interval{now}).first->second;
  const bool is_admitted = interval.logged < most_;
  ++(is_admitted ? interval.logged : interval.counted);
  return is_admitted;
}

std::vector<std::string> LineLimit::Tick(absl::Time now) {
  std::vector<std::string> lines;
  std::erase_if(intervals_, [&](const auto& entry) {
    const auto& [kind, interval] = entry;
    if (now < interval.begin + interval_) return false;
    if (interval.counted > 0) {
      lines.push_back(absl::StrCat(interval.counted, " more ", kind));
    }
    return true;
  });
  return lines;
}

}  // namespace lockstep::internal
