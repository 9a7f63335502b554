#ifndef LOCKSTEP_RUNTIME_BASE_STATUS_H_
#define LOCKSTEP_RUNTIME_BASE_STATUS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// The same code and payloads with "prefix: " before the message. OK stays OK.
absl::Status Annotate(const absl::Status& status, absl::string_view prefix);

// One line for people: "INVALID_ARGUMENT: message"; "OK" for OK.
std::string StatusLine(const absl::Status& status);

}  // namespace lockstep::internal

#define LOCKSTEP_CONCAT_INNER_(a, b) a##b
#define LOCKSTEP_CONCAT_(a, b) LOCKSTEP_CONCAT_INNER_(a, b)

// Returns from the enclosing function when `expr` is not OK.
#define RETURN_IF_ERROR(expr)                            \
  do {                                                   \
    absl::Status lockstep_status_ = (expr);              \
    if (!lockstep_status_.ok()) return lockstep_status_; \
  } while (false)

// Evaluates a StatusOr; assigns its value to `lhs` or returns its status.
#define ASSIGN_OR_RETURN(lhs, expr) \
  ASSIGN_OR_RETURN_IMPL_(LOCKSTEP_CONCAT_(statusor_, __LINE__), lhs, expr)

#define ASSIGN_OR_RETURN_IMPL_(statusor, lhs, expr)        \
  auto statusor = (expr);                                  \
  if (!statusor.ok()) return std::move(statusor).status(); \
  lhs = std::move(statusor).value()

#endif  // LOCKSTEP_RUNTIME_BASE_STATUS_H_
