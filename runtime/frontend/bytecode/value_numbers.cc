#include "runtime/frontend/bytecode/value_numbers.h"

#include <limits>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

absl::Status ValueNumbers::EnterRegion(const ByteReader& place,
                                       uint64_t count) {
  std::vector<Range>& ranges = scopes_.back();
  const uint64_t begin =
      ranges.empty() ? 0 : ranges.back().begin + ranges.back().count;
  if (count > std::numeric_limits<uint64_t>::max() - begin) {
    return place.Error("expected fewer values");
  }
  ranges.push_back({begin, count, {}});
  return absl::OkStatus();
}

absl::Status ValueNumbers::Define(const ByteReader& place, Value* value) {
  Range& range = scopes_.back().back();
  if (range.values.size() >= range.count) {
    return place.Error(absl::StrCat("expected ", range.count,
                                    " values in a region, found more"));
  }
  range.values.push_back(value);
  return absl::OkStatus();
}

absl::StatusOr<Value*> ValueNumbers::Find(const ByteReader& place,
                                          uint64_t number) const {
  const std::vector<Range>& ranges = scopes_.back();
  for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
    if (number < range->begin) continue;
    const uint64_t index = number - range->begin;
    if (index < range->values.size()) return range->values[index];
    break;
  }
  return place.Error(absl::StrCat(
      "expected a value that is defined before, found number ", number));
}

}  // namespace lockstep::internal
