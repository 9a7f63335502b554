#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_OP_READER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_OP_READER_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/frontend/bytecode/attribute_table.h"
#include "runtime/frontend/bytecode/container.h"
#include "runtime/frontend/bytecode/location_table.h"
#include "runtime/frontend/bytecode/value_numbers.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// An op as it stands in a file, before its regions.
struct BytecodeOp {
  explicit BytecodeOp(ByteReader where) : place(std::move(where)) {}

  std::string name;  // "vhlo.add_v1"
  ByteReader place;
  // The line is the offset in the file.
  Location location;
  // Places in the table of attributes.
  std::vector<std::pair<std::string, size_t>> attributes;
  std::vector<size_t> result_types;  // places in the table of types
  std::vector<uint64_t> operands;
  uint64_t region_count = 0;
  // Its regions use no value from outside.
  bool is_isolated = false;
};

// Reads the ops of a file one after the other. Used by one thread; outlived by
// what it is given.
class BytecodeOpReader {
 public:
  BytecodeOpReader(const BytecodeContainer& container,
                   AttributeTable& attributes, LocationTable& locations)
      : container_(container), attributes_(attributes), locations_(locations) {}

  AttributeTable& attributes() { return attributes_; }
  ValueNumbers& values() { return values_; }

  // An op up to its regions.
  absl::StatusOr<BytecodeOp> ReadOp(ByteReader& reader);

  // The regions of the op that was read last: `begin` makes or finds one before
  // it is read, `read` reads each of its ops. UNIMPLEMENTED for several blocks
  // in one.
  struct RegionActions {
    std::function<absl::StatusOr<Region*>(uint64_t index)> begin;
    std::function<absl::Status(ByteReader& reader, Region& region)> read;
  };
  absl::Status ReadRegions(ByteReader& reader, const BytecodeOp& op,
                           const RegionActions& actions);

  // Ops of a block without arguments, that of the file itself.
  absl::StatusOr<uint64_t> ReadFirstBlock(ByteReader& reader);

  // The attributes of the op, those of properties and others, as the IR has
  // them. `except` are left out.
  absl::StatusOr<AttributeMap> AttributesOf(
      const BytecodeOp& op, absl::Span<const absl::string_view> except = {});

 private:
  absl::Status ReadAttributes(ByteReader& reader, BytecodeOp& op);
  absl::Status ReadProperties(ByteReader& reader, BytecodeOp& op);
  absl::Status ReadRegion(ByteReader& reader, uint64_t index,
                          const RegionActions& actions);
  absl::Status ReadArguments(ByteReader& reader, Region& region);
  absl::Status SkipUseLists(ByteReader& reader, size_t values);

  const BytecodeContainer& container_;
  AttributeTable& attributes_;
  LocationTable& locations_;
  ValueNumbers values_;
  int depth_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_OP_READER_H_
