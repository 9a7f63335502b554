#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_FILES_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_FILES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace lockstep::internal {

struct SuiteFile {
  std::string name;  // below the suite's folder: "chlo/scan.mlir"
  std::string path;  // what to open
  int64_t size = 0;
};

struct SuiteSelection {
  // Shell patterns for names, '*' matching '/' too. Empty: all, none.
  std::vector<std::string> include;
  std::vector<std::string> exclude;
};

// The *.mlir and *.mlir.bc, *.bc files at or below `path`, by name. Symbolic
// links are followed; a folder is visited once. NOT_FOUND: `path` does not
// exist, or there is no such file.
absl::StatusOr<std::vector<SuiteFile>> FindSuiteFiles(
    const std::string& path, const SuiteSelection& selection);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_FILES_H_
