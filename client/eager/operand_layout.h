#ifndef LOCKSTEP_CLIENT_EAGER_OPERAND_LAYOUT_H_
#define LOCKSTEP_CLIENT_EAGER_OPERAND_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/named_sharding.h"

// How operands that are broadcast lie beside a result: pure arithmetic.

namespace lockstep::internal {

// The dims to which NumPy broadcasts; none: they do not fit.
std::optional<std::vector<int64_t>> BroadcastDims(
    absl::Span<const std::vector<int64_t>> operands);

// The sharding of an operand of which every device has what its part of the
// result takes: split as the result is, but for dimensions that are broadcast.
absl::StatusOr<NamedSharding> OperandSharding(const NamedSharding& result,
                                              int64_t result_rank,
                                              absl::Span<const int64_t> dims);

// An operand that lies over a mesh.
struct LaidOperand {
  std::vector<int64_t> dims;
  NamedSharding sharding;
};

// The sharding of a result of `dims`, over the mesh of the first operand: each
// dimension is split as in the first operand over this mesh that splits it,
// with axes that no dimension has yet. Where all operands agree it is theirs.
// INVALID_ARGUMENT: they are in memory of two kinds.
absl::StatusOr<NamedSharding> ResultSharding(
    absl::Span<const LaidOperand> operands, absl::Span<const int64_t> dims);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_EAGER_OPERAND_LAYOUT_H_
