#ifndef LOCKSTEP_RUNTIME_FILES_ZIP_FORMAT_H_
#define LOCKSTEP_RUNTIME_FILES_ZIP_FORMAT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

// What ZIP archives are made of (PKWARE's APPNOTE 6.3). Numbers are
// little-endian.
namespace lockstep::internal {

inline constexpr uint32_t kZipLocalHeader = 0x04034b50;
inline constexpr uint32_t kZipCentralHeader = 0x02014b50;
inline constexpr uint32_t kZipEnd = 0x06054b50;
inline constexpr uint32_t kZip64End = 0x06064b50;
inline constexpr uint32_t kZip64Locator = 0x07064b50;

// Bytes of those before names, extra fields and comments.
inline constexpr int64_t kZipLocalHeaderSize = 30;
inline constexpr int64_t kZipCentralHeaderSize = 46;
inline constexpr int64_t kZipEndSize = 22;
inline constexpr int64_t kZip64EndSize = 56;
inline constexpr int64_t kZip64LocatorSize = 20;

inline constexpr uint16_t kZip64Extra = 1;
inline constexpr uint16_t kZipStored = 0;
inline constexpr uint16_t kZipDeflated = 8;
inline constexpr uint16_t kZipEncrypted = 1 << 0;
inline constexpr uint16_t kZipUtf8 = 1 << 11;
// The number is in the extra field of ZIP64.
inline constexpr uint32_t kZipElsewhere32 = 0xFFFFFFFF;
inline constexpr uint16_t kZipElsewhere16 = 0xFFFF;

template <typename T>
void AppendNumber(T value, std::string* out) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    out->push_back(static_cast<char>(uint64_t{value} >> (8 * i) & 0xFF));
  }
}

// At `offset` of `bytes`, which has so many.
template <typename T>
T NumberAt(absl::string_view bytes, size_t offset) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value |= uint64_t{static_cast<unsigned char>(bytes[offset + i])} << (8 * i);
  }
  return static_cast<T>(value);
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FILES_ZIP_FORMAT_H_
