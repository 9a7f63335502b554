#ifndef LOCKSTEP_RUNTIME_OPS_ASSEMBLY_DIMENSION_FIELDS_H_
#define LOCKSTEP_RUNTIME_OPS_ASSEMBLY_DIMENSION_FIELDS_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// "a = 1, b = [1, 2]", the inside of an attribute that the parser keeps as
// text: lists of integers by name; a number is a list of one.
// INVALID_ARGUMENT for a number before any name.
using DimensionFields = absl::flat_hash_map<std::string, std::vector<int64_t>>;
absl::StatusOr<DimensionFields> ParseDimensionFields(absl::string_view text);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_ASSEMBLY_DIMENSION_FIELDS_H_
