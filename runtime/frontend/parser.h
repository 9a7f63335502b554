#ifndef LOCKSTEP_RUNTIME_FRONTEND_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_PARSER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"

namespace lockstep {

// Reads StableHLO text. `file_name` stands in locations and messages.
// INVALID_ARGUMENT "file:line:col: expected .., found .."; UNIMPLEMENTED for
// ops and types that are valid but not supported, with their names. The module
// is not verified: see ParseAndVerify.
absl::StatusOr<std::unique_ptr<Module>> ParseModule(
    absl::string_view text, absl::string_view file_name);

absl::StatusOr<std::unique_ptr<Module>> ParseAndVerify(
    absl::string_view text, absl::string_view file_name);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_FRONTEND_PARSER_H_
