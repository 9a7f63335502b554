#include "client/cli/interruption.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

sigset_t Interrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

Interruption::Interruption(std::function<void()> on_interrupt)
    : on_interrupt_(std::move(on_interrupt)) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  sigset_t signals = Interrupts();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signals_ = UniqueFd(signalfd(-1, &signals, SFD_CLOEXEC));
  stop_ = UniqueFd(eventfd(0, EFD_CLOEXEC));
  thread_ = std::thread([this] { Watch(); });
}

Interruption::~Interruption() {
  uint64_t one = 1;
  while (write(stop_.get(), &one, sizeof one) < 0) {
  }
  thread_.join();
  sigset_t signals = Interrupts();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void Interruption::Watch() {
  SetThreadName("interruption");
  while (true) {
    struct pollfd fds[] = {{signals_.get(), POLLIN, 0},
                           {stop_.get(), POLLIN, 0}};
    if (poll(fds, 2, -1) < 0) continue;
    if (fds[1].revents != 0) return;
    struct signalfd_siginfo info;
    if (read(signals_.get(), &info, sizeof info) < 0) continue;
    if (was_interrupted_.exchange(true)) {
      _exit(128 + static_cast<int>(info.ssi_signo));
    }
    // On its own thread, so that the second signal is heard meanwhile.
    std::thread(on_interrupt_).detach();
  }
}

}  // namespace lockstep::internal
