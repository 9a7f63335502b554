#include "client/examples/digits_data.h"

#include <zlib.h>

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/examples/split_mix.h"
#include "client/status_macros.h"

namespace lockstep::examples {
namespace {

constexpr uint64_t kSplitSeed = 1998;
constexpr size_t kMaxFileBytes = size_t{64} << 20;

absl::StatusOr<int> ParseField(absl::string_view field, int index) {
  const bool is_label = index == kDigitPixels;
  const int max = is_label ? kDigitClasses - 1 : kMaxPixel;
  int value = 0;
  if (absl::SimpleAtoi(field, &value) && value >= 0 && value <= max) {
    return value;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "field ", index + 1, ": expected a ", is_label ? "label" : "pixel",
      " of 0..", max, ", found '", field.substr(0, 20), "'"));
}

absl::StatusOr<Digit> ParseLine(absl::string_view line) {
  const std::vector<absl::string_view> fields = absl::StrSplit(line, ',');
  if (fields.size() != kDigitPixels + 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", kDigitPixels, " pixels and a label, found ",
                     fields.size(), " fields"));
  }
  Digit digit;
  for (int i = 0; i < kDigitPixels; ++i) {
    LOCKSTEP_ASSIGN_OR_RETURN(const int pixel, ParseField(fields[i], i));
    digit.pixels[i] = static_cast<uint8_t>(pixel);
  }
  LOCKSTEP_ASSIGN_OR_RETURN(digit.label,
                            ParseField(fields.back(), kDigitPixels));
  return digit;
}

struct CloseGzip {
  void operator()(gzFile_s* file) const { gzclose(file); }
};
using GzipFile = std::unique_ptr<gzFile_s, CloseGzip>;

absl::StatusOr<std::string> ReadGzip(const std::string& path) {
  const GzipFile file(gzopen(path.c_str(), "rb"));
  if (file == nullptr) {
    return absl::NotFoundError(absl::StrCat(path, ": cannot be opened"));
  }
  std::string text;
  std::array<char, 16384> block;
  int count = 0;
  while ((count = gzread(file.get(), block.data(), block.size())) > 0) {
    text.append(block.data(), count);
    if (text.size() > kMaxFileBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": more than ", kMaxFileBytes, " bytes"));
    }
  }
  int code = Z_OK;
  const char* message = gzerror(file.get(), &code);
  if (count < 0 || code == Z_BUF_ERROR) {
    return absl::DataLossError(absl::StrCat(
        path, ": damaged after ", text.size(),
        " bytes: ", code == Z_BUF_ERROR ? "the file ends early" : message));
  }
  return text;
}

}  // namespace

absl::StatusOr<std::vector<Digit>> ParseDigits(absl::string_view text,
                                               absl::string_view file_name) {
  absl::ConsumeSuffix(&text, "\n");
  if (text.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(file_name, ":1: expected digits, found nothing"));
  }
  std::vector<Digit> digits;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    absl::ConsumeSuffix(&line, "\r");
    absl::StatusOr<Digit> digit = ParseLine(line);
    if (!digit.ok()) {
      return absl::Status(digit.status().code(),
                          absl::StrCat(file_name, ":", digits.size() + 1, ": ",
                                       digit.status().message()));
    }
    digits.push_back(*digit);
  }
  return digits;
}

absl::StatusOr<std::vector<Digit>> ReadDigits(const std::string& path) {
  LOCKSTEP_ASSIGN_OR_RETURN(const std::string text, ReadGzip(path));
  return ParseDigits(text, path);
}

DigitSplit SplitDigits(std::vector<Digit> digits) {
  SplitMix random(kSplitSeed);
  for (size_t i = digits.size(); i > 1; --i) {
    std::swap(digits[i - 1], digits[random.NextBelow(i)]);
  }
  const auto test_end = digits.begin() + digits.size() / 5;
  return {.training = {test_end, digits.end()},
          .test = {digits.begin(), test_end}};
}

}  // namespace lockstep::examples
