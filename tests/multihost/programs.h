#ifndef LOCKSTEP_TESTS_MULTIHOST_PROGRAMS_H_
#define LOCKSTEP_TESTS_MULTIHOST_PROGRAMS_H_

#include <string>

#include "absl/types/span.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// A folder of its own under the test's temporary one, removed at the end.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  // Writes a file and returns its path.
  std::string Write(const std::string& name, const std::string& content) const;
  std::string WriteNpy(const std::string& name, const Literal& literal) const;

 private:
  std::string path_;
};

// One float per replica in, its sum over all replicas out.
std::string SumProgram(int replicas);
// The largest of one float per replica, computed over and over: practically for
// ever in a collective.
std::string EndlessProgram(int replicas);
// The same of many floats, with other work beside each collective.
std::string EndlessOverlappedProgram(int replicas);

// 0, 1, 2, ... one float per replica.
Literal Ramp(int replicas);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_PROGRAMS_H_
