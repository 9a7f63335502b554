#ifndef LOCKSTEP_RUNTIME_CALLBACKS_PRINT_FORMAT_H_
#define LOCKSTEP_RUNTIME_CALLBACKS_PRINT_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The format of a print, as Python's str.format has it: {} is the next value,
// {1} the second one, {device} the id of the device that prints; {{ and }} are
// braces. Immutable.
class PrintFormat {
 public:
  // INVALID_ARGUMENT: another field, a brace alone, {} beside {1}; fields and
  // `value_count` values do not fit, some being without the other.
  static absl::StatusOr<PrintFormat> Parse(absl::string_view text,
                                           size_t value_count);

  // The values as NumPy prints them. As many as Parse was told.
  std::string Text(absl::Span<const LiteralView> values, int64_t device) const;

 private:
  static constexpr int64_t kText = -1;
  static constexpr int64_t kDevice = -2;
  struct Piece {
    int64_t value = kText;  // the position of a value, or one of the above
    std::string text;       // kText
  };
  PrintFormat() = default;

  std::vector<Piece> pieces_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CALLBACKS_PRINT_FORMAT_H_
