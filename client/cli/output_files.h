#ifndef LOCKSTEP_CLIENT_CLI_OUTPUT_FILES_H_
#define LOCKSTEP_CLIENT_CLI_OUTPUT_FILES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The folder that results are written to, DIR/0.npy, DIR/1.npy, ... Not
// thread-safe.
class OutputFiles {
 public:
  // Creates the folder, with those above it. FAILED_PRECONDITION when it cannot
  // be written to.
  static absl::StatusOr<OutputFiles> Create(const std::string& directory);

  // All of them, or none: they take their names only when every one is written.
  absl::Status Write(absl::Span<const Literal> literals) const;

 private:
  explicit OutputFiles(std::string directory)
      : directory_(std::move(directory)) {}
  std::string directory_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_OUTPUT_FILES_H_
