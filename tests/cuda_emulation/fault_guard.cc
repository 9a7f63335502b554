#include "tests/cuda_emulation/fault_guard.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace lockstep::internal::cuda {
namespace {

struct Run {
  sigjmp_buf begin;
  CUresult result;
  char why[200];
};

thread_local Run* current = nullptr;

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE};
struct sigaction previous[NSIG];

void Handle(int signal, siginfo_t* info, void* context) {
  if (Run* const run = current) {
    if (signal == SIGFPE) {
      run->result = CUDA_ERROR_LAUNCH_FAILED;
      std::snprintf(run->why, sizeof(run->why),
                    "an integer was divided by 0, or its quotient overflows");
    } else {
      run->result = CUDA_ERROR_ILLEGAL_ADDRESS;
      std::snprintf(run->why, sizeof(run->why),
                    "bad access to memory (content at %p)", info->si_addr);
    }
    siglongjmp(run->begin, 1);
  }
  const struct sigaction& other = previous[signal];
  if ((other.sa_flags & SA_SIGINFO) != 0) {
    other.sa_sigaction(signal, info, context);
  } else if (other.sa_handler != SIG_DFL && other.sa_handler != SIG_IGN) {
    other.sa_handler(signal);
  } else {
    sigaction(signal, &other, nullptr);  // The access is made again.
  }
}

}  // namespace

void FaultGuard::Install() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = Handle;
    // Not deferred: a handler that is left by a jump would leave it blocked.
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    for (int signal : kSignals) sigaction(signal, &action, &previous[signal]);
  });
}

FaultGuard::Outcome FaultGuard::Run(void (*run)(void* data), void* data) {
  cuda::Run own;
  own.result = CUDA_SUCCESS;
  own.why[0] = '\0';
  current = &own;
  if (sigsetjmp(own.begin, 0) == 0) run(data);
  current = nullptr;
  return {own.result, own.why};
}

void FaultGuard::Leave(const char* why) {
  if (current == nullptr) {
    std::fprintf(stderr, "cuda_emulation: %s\n", why);
    std::abort();
  }
  current->result = CUDA_ERROR_LAUNCH_FAILED;
  std::snprintf(current->why, sizeof(current->why), "%s", why);
  siglongjmp(current->begin, 1);
}

}  // namespace lockstep::internal::cuda
