#ifndef LOCKSTEP_RUNTIME_CLUSTER_PROCESS_MEMORY_TESTING_H_
#define LOCKSTEP_RUNTIME_CLUSTER_PROCESS_MEMORY_TESTING_H_

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <vector>

namespace lockstep::internal {

// Bytes that differ from those beside them, and from page to page.
inline std::vector<std::byte> TestBytes(size_t size) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = std::byte(i * 7 + i / 251);
  return bytes;
}

// Runs `check` in a child of this process; what it returns.
template <typename Check>
int InChild(const Check& check) {
  const pid_t child = fork();
  if (child == 0) _exit(check());
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_PROCESS_MEMORY_TESTING_H_
