#ifndef LOCKSTEP_RUNTIME_BASE_UTF8_H_
#define LOCKSTEP_RUNTIME_BASE_UTF8_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

// Text in UTF-8 (RFC 3629).

namespace lockstep::internal {

bool IsUtf8(absl::string_view text);

// Bytes that are no character as "?".
std::string AsUtf8(absl::string_view text);

// As AsUtf8; of more than `bytes`, the characters that fit, and "..".
std::string CutUtf8(absl::string_view text, size_t bytes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_UTF8_H_
