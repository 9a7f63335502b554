#ifndef LOCKSTEP_RUNTIME_FRONTEND_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_PARSER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Reads StableHLO text. `file_name` stands in locations and messages.
// INVALID_ARGUMENT "file:line:col: expected .., found .."; UNIMPLEMENTED for
// ops and types that are valid but not supported, with their names. The module
// is not verified: see ParseAndVerify.
absl::StatusOr<std::unique_ptr<Module>> ParseModule(
    absl::string_view text, absl::string_view file_name);

// Verifies the module and leaves no op in it that is a composition of others
// (runtime/ops/op_expansion.h) and no tuple: the elements of a tuple stand in
// its place, also as arguments and results of functions.
absl::Status VerifyAndExpand(std::unique_ptr<Module>& module);

// Both of the above.
absl::StatusOr<std::unique_ptr<Module>> ParseAndVerify(
    absl::string_view text, absl::string_view file_name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_PARSER_H_
