#ifndef LOCKSTEP_TESTS_CONFORMANCE_BACKEND_TESTED_BACKEND_H_
#define LOCKSTEP_TESTS_CONFORMANCE_BACKEND_TESTED_BACKEND_H_

#include <map>
#include <string>

namespace lockstep::internal {

// The backend under test. Each test binary links the suite with its own.
struct TestedBackend {
  std::string name;
  // Programs of the suite that it does not run rightly yet, with the reason.
  // One of them that passes is a failure of the suite: the list must be true.
  // The name "*" stands for every program.
  std::map<std::string, std::string> lacks;
};
TestedBackend GetTestedBackend();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_BACKEND_TESTED_BACKEND_H_
