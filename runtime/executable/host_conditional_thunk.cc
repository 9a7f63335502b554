#include "runtime/executable/host_conditional_thunk.h"

#include <cstring>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/executable/host_thunk.h"

namespace lockstep::internal {

HostConditionalThunk::HostConditionalThunk(std::string location,
                                           Selector selector, BufferSlice index,
                                           std::vector<ThunkSequence> branches)
    : Thunk(selector == Selector::kIndex ? "case" : "if", std::move(location)),
      selector_(selector),
      index_(index),
      branches_(std::move(branches)) {
  LOCKSTEP_CHECK(!branches_.empty());
  LOCKSTEP_CHECK(selector == Selector::kIndex
                     ? index.size == sizeof(int32_t)
                     : index.size == 1 && branches_.size() == 2);
}

std::vector<const ThunkSequence*> HostConditionalThunk::nested() const {
  std::vector<const ThunkSequence*> nested;
  for (const ThunkSequence& branch : branches_) nested.push_back(&branch);
  return nested;
}

size_t HostConditionalThunk::SelectedBranch(const std::byte* index) const {
  if (selector_ == Selector::kPredicate) return *index != std::byte{0} ? 0 : 1;
  int32_t value = 0;
  std::memcpy(&value, index, sizeof(value));
  const size_t last = branches_.size() - 1;
  if (value < 0 || static_cast<size_t>(value) > last) return last;
  return static_cast<size_t>(value);
}

absl::Status HostConditionalThunk::Execute(ExecuteContext& context) const {
  std::byte index[sizeof(int32_t)];
  RETURN_IF_ERROR(AwaitOnHost(context, index_, index));
  ++context.control_flow_depth;
  const absl::Cleanup leave = [&context] { --context.control_flow_depth; };
  return branches_[SelectedBranch(index)].Execute(context);
}

}  // namespace lockstep::internal
