#include "client/host/preemption_signal.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

// What the handler may touch. It may still run, on whichever thread, when the
// object that put it there has gone: nothing here ever ends.
struct Arrival {
  int event = -1;   // an eventfd
  pid_t taker = 0;  // the process that it is told to
  std::atomic<bool> has_come = false;
  struct sigaction before = {};
};
Arrival arrival;

// A handler that the program has put over ours may call ours, and be what ours
// calls: the inner call has nothing to do.
thread_local volatile sig_atomic_t is_within = 0;

void Add(int event) {
  const uint64_t one = 1;
  while (write(event, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

// Calls functions that are safe in handlers alone.
void OnSignal(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  if (getpid() != arrival.taker) {
    // A child that has our handler, and our event, by fork. What it did before
    // happens once this returns.
    sigaction(signal, &arrival.before, nullptr);
    raise(signal);
    errno = saved;
    return;
  }
  if (is_within != 0) return;
  is_within = 1;
  arrival.has_come = true;
  Add(arrival.event);
  if ((arrival.before.sa_flags & SA_SIGINFO) != 0) {
    arrival.before.sa_sigaction(signal, info, context);
  } else if (arrival.before.sa_handler != SIG_DFL &&
             arrival.before.sa_handler != SIG_IGN) {
    arrival.before.sa_handler(signal);
  }
  is_within = 0;
  errno = saved;
}

void Drain(int event) {
  uint64_t count = 0;
  while (read(event, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

// Why a program cannot be told by it; "": it can.
std::string WhyNot(int signal) {
  if (signal < 0 || signal > SIGRTMAX) return "there is no such signal";
  for (int each : {SIGKILL, SIGSTOP}) {
    if (signal == each) return "no program can take that one";
  }
  for (int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) {
    if (signal == each) return "that one tells of faults of the program itself";
  }
  // 32 and 33 with glibc.
  if (signal > SIGSYS && signal < SIGRTMIN) {
    return "the C library keeps that one to itself";
  }
  return "";
}

absl::Status SystemError(int signal, absl::string_view call) {
  const int error = errno;
  return absl::ErrnoToStatus(error,
                             absl::StrCat("the preemption signal ", signal,
                                          " cannot be taken: ", call));
}

}  // namespace

absl::StatusOr<int> ParseSignal(const std::string& text) {
  int signal = -1;
  if (!absl::SimpleAtoi(text, &signal)) {
    const std::string upper = absl::AsciiStrToUpper(text);
    const absl::string_view name = absl::StripPrefix(upper, "SIG");
    signal = name == "NONE" ? 0 : -1;
    for (int each = 1; each < NSIG && signal < 0; ++each) {
      const char* abbreviation = sigabbrev_np(each);
      if (abbreviation != nullptr && name == abbreviation) signal = each;
    }
  }
  const std::string why_not = WhyNot(signal);
  if (why_not.empty()) return signal;
  return absl::InvalidArgumentError(absl::StrCat(
      "preemption_signal (LOCKSTEP_PREEMPTION_SIGNAL) must be a signal that a "
      "program can wait for, such as TERM or 15, or none; found '",
      text, "': ", why_not));
}

absl::StatusOr<std::unique_ptr<PreemptionSignal>> PreemptionSignal::Take(
    int signal, std::function<bool()> on_signal) {
  auto taken =
      absl::WrapUnique(new PreemptionSignal(signal, std::move(on_signal)));
  RETURN_IF_ERROR(taken->Begin());
  return taken;
}

PreemptionSignal::PreemptionSignal(int signal, std::function<bool()> on_signal)
    : signal_(signal), on_signal_(std::move(on_signal)) {}

absl::Status PreemptionSignal::Begin() {
  if (arrival.event < 0) {
    arrival.event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  }
  if (arrival.event < 0) return SystemError(signal_, "eventfd");
  Drain(arrival.event);  // of an earlier object
  arrival.has_come = false;
  stop_ = UniqueFd(eventfd(0, EFD_CLOEXEC));
  if (!stop_.is_open()) return SystemError(signal_, "eventfd");
  if (sigaction(signal_, nullptr, &arrival.before) != 0) {
    return SystemError(signal_, "sigaction");
  }
  arrival.taker = getpid();
  struct sigaction ours = {};
  ours.sa_sigaction = OnSignal;
  ours.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&ours.sa_mask);
  if (sigaction(signal_, &ours, nullptr) != 0) {
    return SystemError(signal_, "sigaction");
  }
  thread_ = std::thread([this] { Watch(); });
  return absl::OkStatus();
}

PreemptionSignal::~PreemptionSignal() {
  if (!thread_.joinable()) return;
  Restore();
  Add(stop_.get());
  thread_.join();
}

void PreemptionSignal::Reach(bool saves) {
  State expected = State::kListening;
  if (saves && arrival.has_come) {
    state_.compare_exchange_strong(expected, State::kSaving);
  } else if (!saves && state_ == State::kSaving) {
    Release();
  }
}

void PreemptionSignal::Release() {
  state_ = State::kReleased;
  Restore();
}

void PreemptionSignal::Restore() {
  struct sigaction present = {};
  // Else that was done, or the program has put its own handler there since.
  const bool is_ours = sigaction(signal_, nullptr, &present) == 0 &&
                       (present.sa_flags & SA_SIGINFO) != 0 &&
                       present.sa_sigaction == OnSignal;
  if (is_ours && sigaction(signal_, &arrival.before, nullptr) != 0) {
    LogError(StatusLine(SystemError(signal_, "sigaction")));
  }
}

void PreemptionSignal::Watch() {
  SetThreadName("preemption");
  while (true) {
    struct pollfd fds[] = {{arrival.event, POLLIN, 0},
                           {stop_.get(), POLLIN, 0}};
    if (poll(fds, 2, -1) < 0) continue;
    if (fds[0].revents != 0) {
      Drain(arrival.event);
      if (state_ == State::kSaving) {
        LogInfo("the preemption signal came again: the program saves already");
      } else if (state_ == State::kListening && !on_signal_()) {
        // Unless the program has begun to save meanwhile.
        State expected = State::kListening;
        if (state_.compare_exchange_strong(expected, State::kReleased)) {
          Restore();
        }
      }
    } else if (fds[1].revents != 0) {
      return;
    }
  }
}

}  // namespace lockstep::internal
