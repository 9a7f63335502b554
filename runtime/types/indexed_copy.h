#ifndef LOCKSTEP_RUNTIME_TYPES_INDEXED_COPY_H_
#define LOCKSTEP_RUNTIME_TYPES_INDEXED_COPY_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace lockstep::internal {

// Copies of single elements; `element_size` is in bytes: 1, 2, 4, 8 or 16. The
// two sides must not overlap.

// target[i] = source[indices[i]].
void CopyFromIndices(int64_t element_size, const std::byte* source,
                     absl::Span<const int64_t> indices, std::byte* target);
// target[indices[i]] = source[i], in order.
void CopyToIndices(int64_t element_size, const std::byte* source,
                   absl::Span<const int64_t> indices, std::byte* target);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_INDEXED_COPY_H_
