#include "client/cluster/remote_shards.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "runtime/base/status.h"
#include "runtime/worker/daemon/shard_assembler.h"

namespace lockstep::internal {
namespace {

// A copy of this size is still in the cache when it is handed on.
constexpr int64_t kPieceBytes = int64_t{256} << 10;

// How often waits look whether hosts can be reached.
constexpr absl::Duration kReachableCheck = absl::Milliseconds(500);

}  // namespace

RemoteShards::RemoteShards(std::shared_ptr<GlobalView> view, ArrayHandle handle,
                           Shape shape, std::vector<GlobalDeviceId> devices,
                           std::vector<Incarnation> pending)
    : view_(std::move(view)),
      handle_(handle),
      shape_(std::move(shape)),
      devices_(std::move(devices)),
      comes_with_news_(!pending.empty() &&
                       shape_.byte_size() *
                               static_cast<int64_t>(devices_.size()) <=
                           kSmallArrayBytes),
      state_(view_->connection().arrays().Add(handle_.number,
                                              std::move(pending))) {}

RemoteShards::~RemoteShards() {
  view_->connection().arrays().Remove(handle_.number);
  view_->connection().Submit(Command{0, DeleteArrays{{handle_}}});
}

void RemoteShards::SetDonated(const std::string& program) const {
  const auto is_free = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return copies_ == 0;
  };
  absl::MutexLock lock(&mutex_);
  donated_to_ = program;
  mutex_.Await(absl::Condition(&is_free));
}

absl::Status RemoteShards::CheckNotDonated() const {
  if (donated_to_.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the array was donated to a launch of ", donated_to_));
}

absl::Status RemoteShards::Await(absl::Time deadline) const {
  while (true) {
    {
      absl::MutexLock lock(&mutex_);
      RETURN_IF_ERROR(CheckNotDonated());
    }
    const absl::Time check = absl::Now() + kReachableCheck;
    const absl::Status status = state_->Await(std::min(check, deadline));
    if (!absl::IsDeadlineExceeded(status) || state_->is_ready() ||
        deadline <= check) {
      return status;
    }
    RETURN_IF_ERROR(view_->CheckReachable(state_->pending()));
  }
}

absl::StatusOr<RemoteRead> RemoteShards::StartRead(
    absl::Span<const GlobalDeviceId> devices) const {
  // What is computed last comes by itself; asking beforehand would be two
  // messages for nothing.
  if (comes_with_news_ && view_->IsLatest(handle_)) {
    RETURN_IF_ERROR(Await(absl::InfiniteFuture()));
  }
  std::vector<std::string> shards = state_->Shards(devices);
  if (!shards.empty()) return RemoteRead(std::move(shards));
  return view_->StartRead(handle_, devices, state_->failure());
}

absl::Status RemoteShards::WithShards(
    absl::Span<const int64_t> positions,
    const std::function<absl::Status(const RemoteRead&)>& copy) const {
  {
    absl::MutexLock lock(&mutex_);
    RETURN_IF_ERROR(CheckNotDonated());
  }
  RETURN_IF_ERROR(state_->failure().status());
  std::vector<GlobalDeviceId> devices;
  for (int64_t position : positions) devices.push_back(devices_[position]);
  ASSIGN_OR_RETURN(RemoteRead read, StartRead(devices));
  {
    absl::MutexLock lock(&mutex_);
    RETURN_IF_ERROR(CheckNotDonated());
    ++copies_;
  }
  absl::Status status = read.FetchLarge(state_->failure());
  if (status.ok()) status = copy(read);
  if (status.ok()) status = read.Finish();
  absl::MutexLock lock(&mutex_);
  --copies_;
  return status;
}

absl::StatusOr<std::vector<Literal>> RemoteShards::Fetch(
    absl::Span<const int64_t> positions) const {
  std::vector<Literal> values;
  const absl::Status status =
      WithShards(positions, [&](const RemoteRead& read) -> absl::Status {
        for (size_t i = 0; i < positions.size(); ++i) {
          ASSIGN_OR_RETURN(Literal value, Literal::Allocate(shape_));
          RETURN_IF_ERROR(read.Copy(i, shape_.byte_size(), 0,
                                    value.mutable_view().byte_span()));
          values.push_back(std::move(value));
        }
        return absl::OkStatus();
      });
  RETURN_IF_ERROR(status);
  return values;
}

absl::Status RemoteShards::Read(absl::Span<const int64_t> positions,
                                const ByteSink& sink) const {
  return WithShards(positions, [&](const RemoteRead& read) -> absl::Status {
    const int64_t size = shape_.byte_size();
    std::vector<std::byte> piece(std::min(size, kPieceBytes));
    for (size_t i = 0; i < positions.size(); ++i) {
      for (int64_t offset = 0; offset < size; offset += kPieceBytes) {
        const auto bytes = absl::MakeSpan(piece).subspan(0, size - offset);
        RETURN_IF_ERROR(read.Copy(i, size, offset, bytes));
        sink(bytes);
      }
    }
    return absl::OkStatus();
  });
}

}  // namespace lockstep::internal
