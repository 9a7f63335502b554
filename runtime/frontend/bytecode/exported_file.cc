#include "runtime/frontend/bytecode/exported_file.h"

#include <cstdint>
#include <optional>

namespace lockstep::internal {
namespace {

// The place of mlir_module_serialized among the fields of Exported, the same in
// all versions of the format.
constexpr uint64_t kModuleField = 13;

// A number of `size` bytes, the lowest first; none where the file ends before.
std::optional<uint64_t> NumberAt(absl::string_view bytes, uint64_t at,
                                 uint64_t size) {
  if (at > bytes.size() || size > bytes.size() - at) return std::nullopt;
  uint64_t number = 0;
  for (uint64_t i = 0; i < size; ++i) {
    number |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
  }
  return number;
}

// What the offset at `at` leads to: offsets count from where they stand.
std::optional<uint64_t> Follow(absl::string_view bytes, uint64_t at) {
  const std::optional<uint64_t> offset = NumberAt(bytes, at, 4);
  if (!offset.has_value()) return std::nullopt;
  return at + *offset;
}

// Where the field of the table at `table` stands. The table of its fields,
// before which it may be, has their offsets behind two sizes.
std::optional<uint64_t> FieldOf(absl::string_view bytes, uint64_t table) {
  const std::optional<uint64_t> back = NumberAt(bytes, table, 4);
  if (!back.has_value()) return std::nullopt;
  const auto distance = static_cast<int32_t>(static_cast<uint32_t>(*back));
  const int64_t fields = static_cast<int64_t>(table) - distance;
  if (fields < 0) return std::nullopt;
  const auto begin = static_cast<uint64_t>(fields);
  const std::optional<uint64_t> size = NumberAt(bytes, begin, 2);
  constexpr uint64_t kAt = 4 + 2 * kModuleField;
  if (!size.has_value() || *size < kAt + 2) return std::nullopt;
  const std::optional<uint64_t> offset = NumberAt(bytes, begin + kAt, 2);
  if (!offset.has_value() || *offset == 0) return std::nullopt;
  return table + *offset;
}

// Where the field of the module stands.
std::optional<uint64_t> ModuleField(absl::string_view bytes) {
  const std::optional<uint64_t> table = Follow(bytes, 0);
  if (!table.has_value()) return std::nullopt;
  return FieldOf(bytes, *table);
}

}  // namespace

bool MayBeginExportedFile(absl::string_view start) {
  return ModuleField(start).has_value();
}

absl::string_view ModuleOfExportedFile(absl::string_view bytes) {
  const std::optional<uint64_t> field = ModuleField(bytes);
  if (!field.has_value()) return {};
  const std::optional<uint64_t> vector = Follow(bytes, *field);
  if (!vector.has_value()) return {};
  const std::optional<uint64_t> size = NumberAt(bytes, *vector, 4);
  if (!size.has_value() || *size > bytes.size() - *vector - 4) return {};
  return bytes.substr(*vector + 4, *size);
}

}  // namespace lockstep::internal
