#ifndef LOCKSTEP_TESTS_ROBUSTNESS_HOSTILE_TEXT_H_
#define LOCKSTEP_TESTS_ROBUSTNESS_HOSTILE_TEXT_H_

#include <functional>
#include <string>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// Texts of programs that are large, deep or wrong, for tests.

// f(0) f(1) .. f(count - 1), one after the other.
std::string Repeated(int count, const std::function<std::string(int)>& f);
std::string Repeated(int count, absl::string_view text);
// "text, text, text".
std::string Listed(int count, absl::string_view text);

// func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> with `body`,
// which ends by defining %r; functions may precede it.
std::string MainOnScalar(absl::string_view body);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_ROBUSTNESS_HOSTILE_TEXT_H_
