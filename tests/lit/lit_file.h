#ifndef LOCKSTEP_TESTS_LIT_LIT_FILE_H_
#define LOCKSTEP_TESTS_LIT_LIT_FILE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace lockstep::internal {

struct LitError {
  absl::StatusCode code = absl::StatusCode::kInvalidArgument;
  // The whole message, or its end when there is no place.
  std::string message;
  bool has_place = false;
};

// One program of a file.
struct LitProgram {
  int line = 0;  // where it begins
  std::string text;
  std::optional<LitError> error;
  std::vector<std::string> checks;
  // What no line of the output contains.
  std::vector<std::string> absent;
};

// See README.md for the format.
struct LitFile {
  std::string path;
  std::string run;
  std::vector<LitProgram> programs;
};

absl::StatusOr<LitFile> ReadLitFile(const std::string& path);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_LIT_LIT_FILE_H_
