#include "runtime/interpreter/host_channels.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/collectives/channel_handle.h"

namespace lockstep::internal {
namespace {

absl::Status Place(const Op& op, const std::vector<Literal>& values,
                   absl::Span<const MutableLiteralView> results) {
  if (values.size() != results.size()) {
    return op.Error(absl::StrCat("expected ", results.size(),
                                 " tensors on the channel, found ",
                                 values.size()));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (!(values[i].shape() == results[i].shape())) {
      return op.Error(absl::StrCat("expected ", results[i].shape().ToString(),
                                   " on the channel, found ",
                                   values[i].shape().ToString()));
    }
    std::memcpy(results[i].bytes(), values[i].bytes(),
                values[i].byte_span().size());
  }
  return absl::OkStatus();
}

}  // namespace

HostChannels::HostChannels(CancellationToken& cancellation)
    : cancellation_(cancellation) {
  registration_ = cancellation.OnCancel([this] {
    absl::MutexLock lock(&mutex_);
    is_cancelled_ = true;
  });
}

absl::Status HostChannels::Send(const Op& op,
                                absl::Span<const LiteralView> values) {
  ASSIGN_OR_RETURN(const ChannelHandle handle, ChannelHandleOf(op));
  std::vector<Literal> copies;
  for (const LiteralView& value : values) {
    copies.push_back(Literal::CopyOf(value));
  }
  absl::MutexLock lock(&mutex_);
  channels_[handle.id].push_back(std::move(copies));
  return absl::OkStatus();
}

absl::Status HostChannels::Receive(
    const Op& op, absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const ChannelHandle handle, ChannelHandleOf(op));
  std::vector<Literal> values;
  {
    absl::MutexLock lock(&mutex_);
    const auto can_go_on = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return is_cancelled_ || !channels_[handle.id].empty();
    };
    mutex_.Await(absl::Condition(&can_go_on));
    if (is_cancelled_) return cancellation_.status();
    values = std::move(channels_[handle.id].front());
    channels_[handle.id].pop_front();
  }
  return Place(op, values, results);
}

}  // namespace lockstep::internal
