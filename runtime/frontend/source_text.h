#ifndef LOCKSTEP_RUNTIME_FRONTEND_SOURCE_TEXT_H_
#define LOCKSTEP_RUNTIME_FRONTEND_SOURCE_TEXT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/ir/location.h"

namespace lockstep::internal {

// One program text and where its lines begin. Does not own the text.
// Immutable.
class SourceText {
 public:
  SourceText(absl::string_view text, absl::string_view file_name);

  absl::string_view text() const { return text_; }
  const char* begin() const { return text_.data(); }
  const char* end() const { return text_.data() + text_.size(); }
  // `position` lies in the text or at its end. Columns count bytes.
  Location LocationAt(const char* position) const;

 private:
  absl::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::vector<size_t> line_starts_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_SOURCE_TEXT_H_
