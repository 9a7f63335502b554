#include "runtime/base/cores.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace lockstep::internal {
namespace {

int CountCores() {
  // Machines of more than 1024 processors have larger masks.
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0 && CPU_COUNT(&mask) > 0) {
    return CPU_COUNT(&mask);
  }
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

int CoresOfProcess() {
  static const int cores = CountCores();
  return cores;
}

}  // namespace lockstep::internal
