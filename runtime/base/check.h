#ifndef LOCKSTEP_RUNTIME_BASE_CHECK_H_
#define LOCKSTEP_RUNTIME_BASE_CHECK_H_

namespace lockstep::internal {

// Prints "file:line: check failed: expression" and aborts.
[[noreturn]] void CheckFailed(const char* file, int line,
                              const char* expression);

}  // namespace lockstep::internal

// For our own invariants only, never for input from users, files or the
// network: those get a status.
#define LOCKSTEP_CHECK(expression) \
  ((expression)                    \
       ? static_cast<void>(0)      \
       : ::lockstep::internal::CheckFailed(__FILE__, __LINE__, #expression))

#endif  // LOCKSTEP_RUNTIME_BASE_CHECK_H_
