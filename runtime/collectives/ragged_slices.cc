#include "runtime/collectives/ragged_slices.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/cluster/shared_cause.h"

namespace lockstep::internal {
namespace {

// What the members have said.
class Table {
 public:
  Table(absl::Span<const int64_t> values, int members)
      : values_(values),
        slices_(static_cast<int64_t>(values.size()) / members / 4),
        per_member_(slices_ / members) {}

  // Of each member.
  int64_t slices() const { return slices_; }
  // Of a sender's slices, the first to `receiver`.
  int64_t First(int receiver) const { return receiver * per_member_; }
  int Receiver(int64_t slice) const {
    return static_cast<int>(slice / per_member_);
  }
  int64_t InputOffset(int member, int64_t i) const { return At(member, 0, i); }
  int64_t SendSize(int member, int64_t i) const { return At(member, 1, i); }
  int64_t OutputOffset(int member, int64_t i) const { return At(member, 2, i); }
  // The place in recv_sizes of the receiver.
  int64_t RecvPlace(int sender, int64_t slice) const {
    return sender * per_member_ + slice % per_member_;
  }
  int64_t RecvSize(int member, int64_t i) const { return At(member, 3, i); }

 private:
  int64_t At(int member, int64_t list, int64_t i) const {
    return values_[(member * 4 + list) * slices_ + i];
  }

  const absl::Span<const int64_t> values_;
  const int64_t slices_;
  const int64_t per_member_;
};

std::string SliceText(const Table& table, int sender, int64_t i) {
  return absl::StrCat("slice ", i, " from sender ", sender, " to receiver ",
                      table.Receiver(i));
}

// Whether `rows` has the slice.
bool IsWithin(int64_t offset, int64_t size, int64_t rows) {
  return offset >= 0 && size >= 0 && offset <= rows && size <= rows - offset;
}

absl::Status BoundsError(absl::string_view slice, absl::string_view offset_name,
                         int64_t offset, int64_t size, absl::string_view tensor,
                         int64_t rows) {
  return absl::InvalidArgumentError(absl::StrCat(
      slice, ": expected a slice of the ", rows, " rows of ", tensor,
      ", found ", offset_name, " ", offset, " and send_sizes ", size));
}

absl::Status CheckSlice(const Table& table, int sender, int64_t i,
                        const RaggedSlices::Rows& rows) {
  const int64_t size = table.SendSize(sender, i);
  const int64_t from = table.InputOffset(sender, i);
  const int64_t to = table.OutputOffset(sender, i);
  if (!IsWithin(from, size, rows.operand)) {
    return BoundsError(SliceText(table, sender, i), "input_offsets", from, size,
                       "the operand", rows.operand);
  }
  if (!IsWithin(to, size, rows.result)) {
    return BoundsError(SliceText(table, sender, i), "output_offsets", to, size,
                       "the output", rows.result);
  }
  const int64_t place = table.RecvPlace(sender, i);
  const int64_t expected = table.RecvSize(table.Receiver(i), place);
  if (size == expected) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      SliceText(table, sender, i), ": send_sizes says ", size,
      " rows, recv_sizes[", place, "] of the receiver ", expected));
}

// Rows of a receiver's result that a sender writes.
struct Arriving {
  int64_t begin = 0;
  int64_t end = 0;
  int sender = 0;
  int64_t slice = 0;
};

absl::Status CheckOverlap(const Table& table, int members, int receiver) {
  std::vector<Arriving> arriving;
  for (int sender = 0; sender < members; ++sender) {
    for (int64_t i = table.First(receiver); i < table.First(receiver + 1);
         ++i) {
      if (table.SendSize(sender, i) == 0) continue;
      const int64_t begin = table.OutputOffset(sender, i);
      arriving.push_back({begin, begin + table.SendSize(sender, i), sender, i});
    }
  }
  std::sort(arriving.begin(), arriving.end(),
            [](const Arriving& a, const Arriving& b) {
              return std::tie(a.begin, a.sender, a.slice) <
                     std::tie(b.begin, b.sender, b.slice);
            });
  for (size_t i = 1; i < arriving.size(); ++i) {
    const Arriving& a = arriving[i - 1];
    const Arriving& b = arriving[i];
    if (a.end <= b.begin) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "slice ", a.slice, " from sender ", a.sender, " and slice ", b.slice,
        " from sender ", b.sender, " overlap at receiver ", receiver, ": rows ",
        a.begin, " to ", a.end - 1, " and ", b.begin, " to ", b.end - 1));
  }
  return absl::OkStatus();
}

absl::Status Check(const Table& table, int members,
                   const RaggedSlices::Rows& rows) {
  for (int sender = 0; sender < members; ++sender) {
    for (int64_t i = 0; i < table.slices(); ++i) {
      RETURN_IF_ERROR(CheckSlice(table, sender, i, rows));
    }
  }
  for (int receiver = 0; receiver < members; ++receiver) {
    RETURN_IF_ERROR(CheckOverlap(table, members, receiver));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const RaggedSlices>> RaggedSlices::Create(
    absl::Span<const int64_t> table_values, int members, const Rows& rows) {
  LOCKSTEP_CHECK(members > 0 && !table_values.empty() &&
                 table_values.size() % (4 * static_cast<size_t>(members) *
                                        static_cast<size_t>(members)) ==
                     0);
  const Table table(table_values, members);
  const absl::Status valid = Check(table, members, rows);
  if (!valid.ok()) return AsSharedCause(valid);
  std::shared_ptr<RaggedSlices> result(new RaggedSlices(members));
  for (int sender = 0; sender < members; ++sender) {
    for (int64_t i = 0; i < table.slices(); ++i) {
      const Slice slice = {table.InputOffset(sender, i) * rows.bytes,
                           table.OutputOffset(sender, i) * rows.bytes,
                           table.SendSize(sender, i) * rows.bytes};
      if (slice.size > 0) result->slices_.push_back(slice);
      if ((i + 1) % (table.slices() / members) == 0) {
        result->begins_.push_back(result->slices_.size());
      }
    }
  }
  return result;
}

absl::Span<const RaggedSlices::Slice> RaggedSlices::Between(
    int sender, int receiver) const {
  const size_t pair = static_cast<size_t>(sender) * members_ + receiver;
  return absl::MakeConstSpan(slices_).subspan(
      begins_[pair], begins_[pair + 1] - begins_[pair]);
}

}  // namespace lockstep::internal
