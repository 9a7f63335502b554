#include "client/process/ready_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kReady = "ready ";
constexpr absl::string_view kError = "error ";

absl::StatusOr<std::string> ParseLine(absl::string_view line) {
  if (line == "ready") return std::string();
  if (absl::ConsumePrefix(&line, kReady)) return std::string(line);
  int code = 0;
  size_t space = line.find(' ', kError.size());
  if (absl::ConsumePrefix(&line, kError) &&
      absl::SimpleAtoi(line.substr(0, line.find(' ')), &code)) {
    return absl::Status(static_cast<absl::StatusCode>(code),
                        line.substr(space - kError.size() + 1));
  }
  return absl::InternalError(
      absl::StrCat("said \"", line, "\" on its ready pipe"));
}

}  // namespace

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
  if (this != &other) {
    Reset();
    fd_ = other.Release();
  }
  return *this;
}

int UniqueFd::Release() { return std::exchange(fd_, -1); }

void UniqueFd::Reset() {
  int fd = Release();
  if (fd >= 0) close(fd);
}

ReadySignal ReadySignal::FromEnvironment() {
  ReadySignal signal;
  const char* value = getenv(kReadyFdVariable);
  int fd = -1;
  if (value != nullptr && absl::SimpleAtoi(value, &fd) && fd > 2 &&
      fcntl(fd, F_SETFD, FD_CLOEXEC) == 0) {
    signal.fd_ = UniqueFd(fd);
  }
  unsetenv(kReadyFdVariable);
  return signal;
}

void ReadySignal::Ready(absl::string_view detail) {
  Write(absl::StrCat(kReady, detail));
}

void ReadySignal::Failed(const absl::Status& status) {
  Write(absl::StrCat(kError, static_cast<int>(status.code()), " ",
                     status.message()));
}

void ReadySignal::Write(absl::string_view line) {
  if (!fd_.is_open()) return;
  std::string text = absl::StrReplaceAll(line, {{"\n", "; "}}) + "\n";
  // The parent may be gone already; SIGPIPE is ignored or ends us rightly.
  for (size_t done = 0; done < text.size();) {
    ssize_t n = write(fd_.get(), text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += n;
  }
  fd_.Reset();
}

absl::StatusOr<std::string> AwaitReadyLine(int fd, absl::Time deadline) {
  std::string text;
  while (true) {
    absl::Duration left = std::clamp(deadline - absl::Now(),
                                     absl::ZeroDuration(), absl::Hours(1));
    struct pollfd poll_fd = {fd, POLLIN, 0};
    int ready =
        poll(&poll_fd, 1, static_cast<int>(absl::ToInt64Milliseconds(left)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && absl::Now() >= deadline) {
      return absl::DeadlineExceededError("was not ready in time");
    }
    if (ready <= 0) continue;
    char buffer[512];
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      return absl::UnavailableError("ended before it was ready");
    }
    text.append(buffer, n);
    size_t end = text.find('\n');
    if (end != std::string::npos) return ParseLine(text.substr(0, end));
  }
}

}  // namespace lockstep::internal
