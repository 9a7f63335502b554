#ifndef LOCKSTEP_CLIENT_CLI_PROGRESS_LINE_H_
#define LOCKSTEP_CLIENT_CLI_PROGRESS_LINE_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"

namespace lockstep::internal {

// What is being waited for: on a terminal one line that is rewritten, and
// erased at the end; elsewhere a plain line per change. On standard error, so
// that it never mixes with results. Thread-safe.
class ProgressLine {
 public:
  // `fd` is not owned.
  explicit ProgressLine(int fd);
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(absl::string_view text);
  // Erases the line on a terminal.
  void Clear();

 private:
  void Write(absl::string_view bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const int fd_;
  const bool is_terminal_;
  absl::Mutex mutex_;
  std::string shown_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_PROGRESS_LINE_H_
