#include "client/cli/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

size_t TerminalWidth(int fd) {
  struct winsize size = {};
  bool is_known = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return is_known ? size.ws_col : 80;
}

}  // namespace

ProgressLine::ProgressLine(int fd) : fd_(fd), is_terminal_(isatty(fd) == 1) {}

void ProgressLine::Show(absl::string_view text) {
  absl::MutexLock lock(&mutex_);
  if (text == shown_) return;
  shown_ = std::string(text);
  if (is_terminal_) {
    // One column less than the width: a full line would wrap.
    Write(absl::StrCat("\r\033[K", text.substr(0, TerminalWidth(fd_) - 1)));
  } else {
    Write(absl::StrCat(text, "\n"));
  }
}

void ProgressLine::Clear() {
  absl::MutexLock lock(&mutex_);
  if (is_terminal_ && !shown_.empty()) Write("\r\033[K");
  shown_.clear();
}

void ProgressLine::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = write(fd_, bytes.data(), bytes.size());
    if (n <= 0) return;  // nobody reads; progress is not worth an error
    bytes.remove_prefix(n);
  }
}

}  // namespace lockstep::internal
