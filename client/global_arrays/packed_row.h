#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_PACKED_ROW_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_PACKED_ROW_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/arrays/array.h"
#include "runtime/types/literal.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// The values of a host as one row of bytes: one after the other, without
// space between them, then zeros up to the size that hosts agreed on.

// A size for rows of which the longest has `bytes`: less than an eighth more,
// or a multiple of 4096. There is a program for each size that hosts exchange,
// so they are few.
int64_t PackedSize(int64_t bytes);

int64_t SumOfBytes(absl::Span<const Shape> shapes);

absl::string_view BytesOf(const LiteralView& value);

// Into a row of as many bytes as `row` has room for.
void Pack(absl::Span<const absl::string_view> values,
          absl::Span<std::byte> row);

// RESOURCE_EXHAUSTED: of Literal::Allocate.
absl::StatusOr<Literal> PackedRow(absl::Span<const absl::string_view> values,
                                  int64_t size);

// Values of these shapes, whose bytes `row` has.
absl::StatusOr<std::vector<Array>> Unpack(absl::Span<const Shape> shapes,
                                          absl::Span<const std::byte> row);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_PACKED_ROW_H_
