#include "tests/benchmark/counted_run.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace lockstep::internal {

CopyCounts* CountsOfRun() {
  const char* const path = std::getenv(kCopyCountsVariable);
  if (path == nullptr) return nullptr;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  void* const counts = mmap(nullptr, sizeof(CopyCounts), PROT_READ | PROT_WRITE,
                            MAP_SHARED, file, 0);
  close(file);
  return counts == MAP_FAILED ? nullptr : static_cast<CopyCounts*>(counts);
}

void RunWithCounter(char** argv) {
  char path[] = "/dev/shm/lockstep_copies_XXXXXX";
  const int file = mkstemp(path);
  if (file >= 0 && ftruncate(file, sizeof(CopyCounts)) == 0) {
    const std::string program = argv[0];
    const std::string folder = program.substr(0, program.rfind('/') + 1);
    setenv(kCopyCountsVariable, path, 1);
    setenv("LD_PRELOAD", (folder + "libcopy_counter.so").c_str(), 1);
    execv("/proc/self/exe", argv);
  }
  std::perror(argv[0]);
  std::exit(1);
}

void EndCountedRun() { unlink(std::getenv(kCopyCountsVariable)); }

}  // namespace lockstep::internal
