#ifndef LOCKSTEP_TESTS_PROGRAMS_PROGRAM_TESTING_H_
#define LOCKSTEP_TESTS_PROGRAMS_PROGRAM_TESTING_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// For tests: programs as text, evaluated by the interpreter.

// A function @main without arguments around `body`, whose last line is not a
// return; it returns %0 of `result_type`.
std::string MainReturning(absl::string_view result_type,
                          absl::string_view body);

// Parses, verifies and runs @main; its results.
absl::StatusOr<std::vector<Literal>> RunText(absl::string_view text);

// The first result of MainReturning(result_type, body).
absl::StatusOr<Literal> RunBody(absl::string_view result_type,
                                absl::string_view body);

// The literal that "dense<values> : type" stands for.
Literal Dense(absl::string_view values, absl::string_view type);

// The error of parsing and verifying.
absl::Status VerifyText(absl::string_view text);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_PROGRAMS_PROGRAM_TESTING_H_
