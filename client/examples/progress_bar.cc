#include "client/examples/progress_bar.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace lockstep::examples {
namespace {

constexpr int kMaxCells = 30;
constexpr int kFixedColumns = 8;  // "[", "] 100% "
constexpr absl::string_view kErase = "\r\033[K";

int TerminalWidth(int fd) {
  struct winsize size = {};
  const bool is_known = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return is_known ? size.ws_col : 80;
}

}  // namespace

std::string FormatProgressBar(int64_t done, int64_t total,
                              absl::string_view text, int width) {
  done = std::clamp<int64_t>(done, 0, total);
  const int room = width - kFixedColumns - static_cast<int>(text.size());
  const int cells = std::clamp(room, 0, kMaxCells);
  const int filled = static_cast<int>(cells * done / total);
  const std::string line = absl::StrCat(
      "[", std::string(filled, '#'), std::string(cells - filled, '.'), "] ",
      absl::StrFormat("%3d%% ", 100 * done / total), text);
  return line.substr(0, std::max(width, 0));
}

ProgressBar::ProgressBar(int fd) : fd_(fd), is_terminal_(isatty(fd) == 1) {}

void ProgressBar::Show(int64_t done, int64_t total, absl::string_view text) {
  if (!is_terminal_) return;
  // One column less than the width: a full line would wrap.
  Write(absl::StrCat(
      kErase, FormatProgressBar(done, total, text, TerminalWidth(fd_) - 1)));
  is_shown_ = true;
}

void ProgressBar::Clear() {
  if (is_shown_) Write(kErase);
  is_shown_ = false;
}

void ProgressBar::Write(absl::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = write(fd_, bytes.data(), bytes.size());
    if (written <= 0) return;  // nobody reads; progress is not worth an error
    bytes.remove_prefix(written);
  }
}

}  // namespace lockstep::examples
