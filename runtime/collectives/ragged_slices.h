#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_RAGGED_SLICES_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_RAGGED_SLICES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace lockstep::internal {

// Who sends which rows to whom in a ragged all_to_all (spec K-21), as all its
// members have said it. Made of the same table on every member, so that all
// find the same errors. Immutable.
class RaggedSlices {
 public:
  // Rows of the members' tensors, all of one size.
  struct Rows {
    int64_t operand = 0;
    int64_t result = 0;
    int64_t bytes = 0;  // of one row
  };
  // Bytes of the sender's operand and where they go in the receiver's result.
  struct Slice {
    int64_t from = 0;
    int64_t to = 0;
    int64_t size = 0;
  };

  // `table`: by member, in rank order, its input_offsets, send_sizes,
  // output_offsets and recv_sizes, all of one length, which
  // `members` divides. INVALID_ARGUMENT, as a shared cause: rows that are not
  // there, sizes on which sender and receiver differ, slices that overlap where
  // they arrive; names senders, receiver and slices (places in the sender's
  // arguments).
  static absl::StatusOr<std::shared_ptr<const RaggedSlices>> Create(
      absl::Span<const int64_t> table, int members, const Rows& rows);

  // Of what `sender` sends to `receiver`: the slices that hold anything, in its
  // order.
  absl::Span<const Slice> Between(int sender, int receiver) const;

 private:
  explicit RaggedSlices(int members) : members_(members) {}

  const int members_;
  std::vector<Slice> slices_;  // by sender, then receiver
  std::vector<size_t> begins_ = {0};
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_RAGGED_SLICES_H_
