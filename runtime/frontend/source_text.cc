#include "runtime/frontend/source_text.h"

#include <algorithm>

namespace lockstep::internal {

SourceText::SourceText(absl::string_view text, absl::string_view file_name)
    : text_(text), file_(std::make_shared<const std::string>(file_name)) {
  line_starts_.push_back(0);
  for (size_t at = text.find('\n'); at != absl::string_view::npos;
       at = text.find('\n', at + 1)) {
    line_starts_.push_back(at + 1);
  }
}

Location SourceText::LocationAt(const char* position) const {
  const auto offset = static_cast<size_t>(position - text_.data());
  const auto next =
      std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = next - line_starts_.begin();
  return Location{file_, static_cast<int>(line),
                  static_cast<int>(offset - line_starts_[line - 1] + 1)};
}

}  // namespace lockstep::internal
