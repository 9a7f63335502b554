#ifndef LOCKSTEP_CLIENT_EXAMPLES_PROGRESS_BAR_H_
#define LOCKSTEP_CLIENT_EXAMPLES_PROGRESS_BAR_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace lockstep::examples {

// "[#####.....]  50% " and the text, within `width` columns.
std::string FormatProgressBar(int64_t done, int64_t total,
                              absl::string_view text, int width);

// A bar in the last line of a terminal; nothing where the output is no
// terminal. Not thread-safe.
class ProgressBar {
 public:
  // `fd` is not owned.
  explicit ProgressBar(int fd);
  ~ProgressBar() { Clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // `total` is positive.
  void Show(int64_t done, int64_t total, absl::string_view text);
  // Erases the bar, so that a line can be printed in its place.
  void Clear();

 private:
  void Write(absl::string_view bytes) const;

  const int fd_;
  const bool is_terminal_;
  bool is_shown_ = false;
};

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_PROGRESS_BAR_H_
