#include "runtime/base/utf8.h"

#include <cstdint>

namespace lockstep::internal {
namespace {

// How many bytes at the beginning of `text`, which is not empty, are one
// character of UTF-8 (RFC 3629); 0 when none is there.
size_t CharacterSize(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t size = lead >= 0xC2 && lead <= 0xDF   ? 2
                      : lead >= 0xE0 && lead <= 0xEF ? 3
                      : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                     : 0;
  if (size == 0 || text.size() < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  const bool is_overlong =
      (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool is_no_character =
      (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF4 && byte(1) > 0x8F);
  return is_overlong || is_no_character ? 0 : size;
}

}  // namespace

bool IsUtf8(absl::string_view text) {
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::string AsUtf8(absl::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    valid += size == 0 ? "?" : std::string(text.substr(0, size));
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return valid;
}

std::string CutUtf8(absl::string_view text, size_t bytes) {
  const std::string valid = AsUtf8(text);
  if (valid.size() <= bytes) return valid;
  size_t end = 0;
  while (true) {
    const size_t next =
        end + CharacterSize(absl::string_view(valid).substr(end));
    if (next > bytes) return valid.substr(0, end) + "..";
    end = next;
  }
}

}  // namespace lockstep::internal
