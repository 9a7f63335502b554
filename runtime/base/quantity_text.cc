#include "runtime/base/quantity_text.h"

#include "absl/strings/str_format.h"
#include "absl/types/span.h"

namespace lockstep::internal {
namespace {

std::string Scaled(double value, absl::Span<const char* const> units,
                   double step) {
  size_t unit = 0;
  while (unit + 1 < units.size() && value >= step) {
    value /= step;
    ++unit;
  }
  return unit == 0 ? absl::StrFormat("%.0f%s", value, units[0])
                   : absl::StrFormat("%.1f%s", value, units[unit]);
}

}  // namespace

std::string BytesText(int64_t bytes) {
  return Scaled(static_cast<double>(bytes),
                {" B", " KiB", " MiB", " GiB", " TiB"}, 1024);
}

std::string CountText(double count) {
  return Scaled(count, {"", " k", " M", " G", " T"}, 1000);
}

}  // namespace lockstep::internal
