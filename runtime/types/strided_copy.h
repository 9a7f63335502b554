#ifndef LOCKSTEP_RUNTIME_TYPES_STRIDED_COPY_H_
#define LOCKSTEP_RUNTIME_TYPES_STRIDED_COPY_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace lockstep::internal {

// One side of a copy: where element (0, 0, ..) lies and the elements (not
// bytes) between neighbours of each dimension. A stride may be 0 (the source
// repeats) or negative.
struct StridedSource {
  const std::byte* data;
  absl::Span<const int64_t> strides;
};
struct StridedTarget {
  std::byte* data;
  absl::Span<const int64_t> strides;
};

// target[i] = source[i] for every index of a box of `dims`. `element_size` is
// in bytes: 1, 2, 4, 8 or 16. The two must not overlap.
void StridedCopy(int64_t element_size, absl::Span<const int64_t> dims,
                 StridedSource source, StridedTarget target);

// `count` copies of the element at `element`.
void FillElements(int64_t element_size, const std::byte* element,
                  std::byte* target, int64_t count);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_STRIDED_COPY_H_
