#ifndef LOCKSTEP_CLIENT_EXAMPLES_DIGITS_DATA_H_
#define LOCKSTEP_CLIENT_EXAMPLES_DIGITS_DATA_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::examples {

inline constexpr int kDigitPixels = 64;
inline constexpr int kDigitClasses = 10;
inline constexpr int kMaxPixel = 16;

// One image of a handwritten digit, 8x8, row-major.
struct Digit {
  std::array<uint8_t, kDigitPixels> pixels = {};  // 0..16
  int label = 0;                                  // 0..9
  friend bool operator==(const Digit&, const Digit&) = default;
};

// A line per image: 64 pixels and the label, separated by commas.
// INVALID_ARGUMENT "file:line: .." for a wrong number of fields, for what is no
// number or out of range, and for no lines at all.
absl::StatusOr<std::vector<Digit>> ParseDigits(absl::string_view text,
                                               absl::string_view file_name);

// The same from a file that may be compressed with gzip. NOT_FOUND when it
// cannot be opened, DATA_LOSS when the compressed stream is damaged or cut off.
absl::StatusOr<std::vector<Digit>> ReadDigits(const std::string& path);

struct DigitSplit {
  std::vector<Digit> training;
  std::vector<Digit> test;
};

// Shuffles, and holds back a fifth as the test set; the same on every host.
DigitSplit SplitDigits(std::vector<Digit> digits);

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_DIGITS_DATA_H_
