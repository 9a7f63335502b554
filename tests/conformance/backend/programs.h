#ifndef LOCKSTEP_TESTS_CONFORMANCE_BACKEND_PROGRAMS_H_
#define LOCKSTEP_TESTS_CONFORMANCE_BACKEND_PROGRAMS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::internal {

// A program of the suite; its result on every device is compared with the
// oracle's.
struct SuiteProgram {
  std::string name;
  std::string text;
  int32_t replicas = 1;
  int32_t partitions = 1;
};

const std::vector<SuiteProgram>& SuitePrograms();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_BACKEND_PROGRAMS_H_
