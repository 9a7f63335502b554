#ifndef LOCKSTEP_RUNTIME_IR_LOCATION_H_
#define LOCKSTEP_RUNTIME_IR_LOCATION_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// A place in a text. Lines and columns count from 1; 0 = unknown.
struct Location {
  std::shared_ptr<const std::string> file;
  int line = 0;
  int column = 0;
  // Where the text came from: the place in the source of whoever wrote it, as
  // its loc(..) says. Null: not known.
  std::shared_ptr<const Location> source = nullptr;

  // "m.mlir:12:8", "train.py:7:4 (m.mlir:12:8)"; "<unknown>" without a line.
  std::string ToString() const;
};

// "m.mlir:12:8: message".
absl::Status ErrorAt(const Location& location, absl::StatusCode code,
                     absl::string_view message);
// With INVALID_ARGUMENT.
absl::Status InvalidAt(const Location& location, absl::string_view message);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_LOCATION_H_
