#ifndef LOCKSTEP_RUNTIME_ARRAYS_SHARD_ROWS_H_
#define LOCKSTEP_RUNTIME_ARRAYS_SHARD_ROWS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/arrays/buffer.h"
#include "runtime/mesh/ids.h"
#include "runtime/types/literal.h"

namespace lockstep {

// pmap's layout: device k of a list holds row k of the leading dimension, with
// that dimension left out (spec J-5, J-12).

// One literal per row. INVALID_ARGUMENT: a scalar, or a leading size other than
// `rows`; names both.
absl::StatusOr<std::vector<Literal>> SplitRows(const LiteralView& whole,
                                               int64_t rows);

// Row k as a ready buffer on devices[k].
absl::StatusOr<std::vector<std::shared_ptr<Buffer>>> ShardRows(
    const LiteralView& whole, absl::Span<const GlobalDeviceId> devices);

// The inverse of SplitRows. INVALID_ARGUMENT: no rows, or rows of different
// shapes; names both.
absl::StatusOr<Literal> StackRows(absl::Span<const LiteralView> rows);

// Waits for the buffers, then stacks them; the first error wins.
absl::StatusOr<Literal> StackShards(
    absl::Span<const std::shared_ptr<Buffer>> shards);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_ARRAYS_SHARD_ROWS_H_
