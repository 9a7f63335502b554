#include "runtime/collectives/ucx/ucx_environment.h"

#include <dlfcn.h>
#include <signal.h>

#include <cstdlib>
#include <mutex>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

// Exported by libucs; its headers are not self-contained in C++.
extern "C" {
int ucs_global_opts_set_value(const char* name, const char* value);
void ucs_debug_disable_signal(int signum);
}

namespace lockstep::internal {
namespace {

bool IsHandledByUcx(int signal_number) {
  struct sigaction action;
  if (sigaction(signal_number, nullptr, &action) != 0) return false;
  void* handler = (action.sa_flags & SA_SIGINFO)
                      ? reinterpret_cast<void*>(action.sa_sigaction)
                      : reinterpret_cast<void*>(action.sa_handler);
  Dl_info info;
  return handler != nullptr && dladdr(handler, &info) != 0 &&
         info.dli_fname != nullptr &&
         absl::StrContains(info.dli_fname, "libucs");
}

void Quiet() {
  if (std::getenv("UCX_LOG_LEVEL") == nullptr) {
    ucs_global_opts_set_value("LOG_LEVEL", "fatal");
  }
  if (std::getenv("UCX_HANDLE_ERRORS") != nullptr) return;
  ucs_global_opts_set_value("HANDLE_ERRORS", "");
  for (int signal_number :
       {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGTRAP, SIGSYS}) {
    if (IsHandledByUcx(signal_number)) ucs_debug_disable_signal(signal_number);
  }
}

}  // namespace

void QuietUcx() {
  static std::once_flag once;
  std::call_once(once, Quiet);
}

}  // namespace lockstep::internal
