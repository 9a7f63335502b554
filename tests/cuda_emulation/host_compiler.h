#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_HOST_COMPILER_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_HOST_COMPILER_H_

#include <string>
#include <vector>

namespace lockstep::internal::cuda {

struct SharedObject {
  bool ok = false;
  std::string object;  // The file, if ok.
  std::string log;     // What the compiler wrote, if not.
};

// Compiles `source` with `options` into a shared object:
// LOCKSTEP_CUDA_EMULATION_CXX or /usr/bin/c++. What was compiled before, by
// this process or by one with the same folder LOCKSTEP_CUDA_EMULATION_CACHE
// (else TEST_TMPDIR), is taken from there. Any thread.
SharedObject CompileForHost(const std::string& source,
                            const std::vector<std::string>& options);

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_HOST_COMPILER_H_
