#ifndef LOCKSTEP_CLIENT_STATUS_MACROS_H_
#define LOCKSTEP_CLIENT_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// For functions that return absl::Status or absl::StatusOr, in programs that
// have no such macros of their own.

// Returns from the enclosing function when `expr`, an absl::Status, is not OK.
#define LOCKSTEP_RETURN_IF_ERROR(expr)                   \
  do {                                                   \
    absl::Status lockstep_status_ = (expr);              \
    if (!lockstep_status_.ok()) return lockstep_status_; \
  } while (false)

// Evaluates an absl::StatusOr; assigns its value to `lhs`, which may be a
// declaration, or returns its status from the enclosing function.
#define LOCKSTEP_ASSIGN_OR_RETURN(lhs, expr) \
  LOCKSTEP_ASSIGN_OR_RETURN_IMPL_(           \
      LOCKSTEP_STATUS_NAME_(lockstep_statusor_, __LINE__), lhs, expr)

#define LOCKSTEP_STATUS_NAME_INNER_(a, b) a##b
#define LOCKSTEP_STATUS_NAME_(a, b) LOCKSTEP_STATUS_NAME_INNER_(a, b)
#define LOCKSTEP_ASSIGN_OR_RETURN_IMPL_(statusor, lhs, expr) \
  auto statusor = (expr);                                    \
  if (!statusor.ok()) return std::move(statusor).status();   \
  lhs = std::move(statusor).value()

#endif  // LOCKSTEP_CLIENT_STATUS_MACROS_H_
