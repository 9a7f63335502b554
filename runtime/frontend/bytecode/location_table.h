#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_LOCATION_TABLE_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_LOCATION_TABLE_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/frontend/bytecode/attribute_table.h"
#include "runtime/ir/location.h"

namespace lockstep::internal {

// What attributes of a file say as locations: the innermost place in a source
// file, as text is read. Used by one thread; outlived by the attributes.
class LocationTable {
 public:
  using Place = std::shared_ptr<const Location>;

  explicit LocationTable(AttributeTable& attributes)
      : attributes_(attributes), places_(attributes.size()) {}

  // Null where none is known. INVALID_ARGUMENT for what is no location.
  absl::StatusOr<Place> Read(ByteReader& reader);

 private:
  absl::StatusOr<Place> At(size_t index);
  absl::StatusOr<Place> Decode(const BytecodeContainer::Entry& entry);
  absl::StatusOr<Place> DecodeFile(ByteReader& reader, bool is_range);
  absl::StatusOr<Place> DecodeFused(ByteReader& reader);
  absl::StatusOr<Place> DecodeCallSite(ByteReader& reader);

  AttributeTable& attributes_;
  std::vector<std::optional<Place>> places_;
  int depth_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_LOCATION_TABLE_H_
