#include "runtime/ops/custom_calls/lapack/lapack_member.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

int64_t BytesOf(const LapackTensor& tensor) {
  return tensor.element_count() * ByteSize(tensor.type);
}

int64_t AlignedBytesOf(const LapackTensor& tensor) {
  constexpr int64_t kAlignment = ScratchMemory::kAlignment;
  // Also an empty one has an address of its own.
  return (BytesOf(tensor) / kAlignment + 1) * kAlignment;
}

// Where member `i` of a tensor begins.
int64_t OffsetOf(const LapackTensor& tensor, int64_t i) {
  return tensor.is_shared ? 0 : i * BytesOf(tensor);
}

}  // namespace

absl::StatusOr<LapackMember> LapackMember::Create(const LapackForm& form) {
  LapackMember member(form);
  int64_t size = 0;
  for (const LapackTensor& tensor : form.operands) {
    member.operands_.push_back(size);
    size += AlignedBytesOf(tensor);
  }
  for (const LapackTensor& tensor : form.results) {
    if (tensor.overwrites.has_value()) {
      member.results_.push_back(member.operands_[*tensor.overwrites]);
    } else {
      member.results_.push_back(size);
      size += AlignedBytesOf(tensor);
    }
  }
  ASSIGN_OR_RETURN(member.memory_, ScratchMemory::Allocate(size));
  return member;
}

void LapackMember::Load(const LapackCall& call,
                        absl::Span<const LiteralView> operands, int64_t i) {
  for (size_t k = 0; k < form_->results.size(); ++k) {
    if (form_->results[k].overwrites.has_value()) continue;
    std::memset(memory_.data() + results_[k], 0, BytesOf(form_->results[k]));
  }
  for (size_t k = 0; k < form_->operands.size(); ++k) {
    const int place = call.slots().operands[k];
    if (place == LapackSlots::kAbsent) continue;
    const LapackTensor& tensor = form_->operands[k];
    StridedCopy(
        ByteSize(tensor.type), {tensor.rows, tensor.columns},
        {operands[place].bytes() + OffsetOf(tensor, i), {tensor.columns, 1}},
        {memory_.data() + operands_[k], {1, tensor.rows}});
  }
}

void LapackMember::Store(const LapackCall& call,
                         absl::Span<const MutableLiteralView> results,
                         int64_t i) const {
  for (size_t k = 0; k < form_->results.size(); ++k) {
    const int place = call.slots().results[k];
    if (place == LapackSlots::kAbsent) continue;
    const LapackTensor& tensor = form_->results[k];
    StridedCopy(
        ByteSize(tensor.type), {tensor.rows, tensor.columns},
        {memory_.data() + results_[k], {1, tensor.rows}},
        {results[place].bytes() + OffsetOf(tensor, i), {tensor.columns, 1}});
  }
}

absl::Status LapackMember::Grow(int slot, int64_t bytes) {
  if (bytes <= work_[slot].size) return absl::OkStatus();
  // The old one goes first.
  work_[slot] = {};
  ASSIGN_OR_RETURN(work_[slot].memory, ScratchMemory::Allocate(bytes));
  work_[slot].size = bytes;
  return absl::OkStatus();
}

}  // namespace lockstep::internal
