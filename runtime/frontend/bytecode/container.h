#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_CONTAINER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_CONTAINER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/frontend/bytecode/byte_reader.h"

namespace lockstep::internal {

// The tables of a file of MLIR bytecode, nothing in them decoded. What they
// hold points into the file's bytes.
struct BytecodeContainer {
  // An attribute or a type.
  struct Entry {
    absl::string_view dialect;
    // Text where it is not binary.
    bool is_binary;
    ByteReader content;
  };

  explicit BytecodeContainer(ByteReader file) : ir(std::move(file)) {}

  uint64_t version = 0;
  absl::string_view producer;  // "StableHLO_v1.16.1"
  std::vector<absl::string_view> strings;
  std::vector<std::string> op_names;  // "vhlo.add_v1"
  std::vector<Entry> attributes;
  std::vector<Entry> types;
  std::vector<ByteReader> properties;
  ByteReader ir;
};

// "ML\xEFR", with which bytecode begins.
inline constexpr absl::string_view kBytecodeMagic = "ML\xEFR";

// How versions of the format differ, as far as a reader sees it.
inline constexpr uint64_t kDialectVersions = 1;
inline constexpr uint64_t kNestedRegionSections = 2;
inline constexpr uint64_t kUseListOrders = 3;
inline constexpr uint64_t kElidedArgumentLocations = 4;
inline constexpr uint64_t kPropertySections = 5;
inline constexpr uint64_t kLatestVersion = 6;

// INVALID_ARGUMENT; UNIMPLEMENTED for versions behind the latest.
absl::StatusOr<BytecodeContainer> ReadContainer(ByteReader file);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_CONTAINER_H_
