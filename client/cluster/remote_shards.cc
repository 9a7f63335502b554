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

bool IsSmall(const Shape& shape, size_t shards) {
  return shape.byte_size() * static_cast<int64_t>(shards) <= kSmallArrayBytes;
}

}  // namespace

RemoteArray::RemoteArray(std::shared_ptr<GlobalView> view, ArrayHandle handle,
                         std::vector<Incarnation> lives, bool is_pending)
    : view_(std::move(view)),
      handle_(handle),
      lives_(std::move(lives)),
      state_(view_->connection().arrays().Add(
          handle_.number, is_pending ? lives_ : std::vector<Incarnation>())) {}

RemoteArray::~RemoteArray() {
  view_->connection().arrays().Remove(handle_.number);
  view_->connection().Submit(Command{0, DeleteArrays{{handle_}}});
}

void RemoteArray::SetDonated(const std::string& program) {
  const auto is_free = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return copies_ == 0;
  };
  absl::MutexLock lock(&mutex_);
  donated_to_ = program;
  mutex_.Await(absl::Condition(&is_free));
}

absl::Status RemoteArray::CheckNotDonatedLocked() const {
  if (donated_to_.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the array was donated to a launch of ", donated_to_));
}

absl::Status RemoteArray::CheckNotDonated() const {
  absl::MutexLock lock(&mutex_);
  return CheckNotDonatedLocked();
}

absl::Status RemoteArray::BeginCopy() {
  absl::MutexLock lock(&mutex_);
  RETURN_IF_ERROR(CheckNotDonatedLocked());
  ++copies_;
  return absl::OkStatus();
}

void RemoteArray::EndCopy() {
  absl::MutexLock lock(&mutex_);
  --copies_;
}

RemoteShards::RemoteShards(std::shared_ptr<GlobalView> view, ArrayHandle handle,
                           Shape shape, std::vector<GlobalDeviceId> devices,
                           std::vector<Incarnation> lives, bool is_pending)
    : shape_(std::move(shape)),
      devices_(std::move(devices)),
      comes_with_news_(is_pending && IsSmall(shape_, devices_.size())),
      array_(std::make_shared<RemoteArray>(std::move(view), handle,
                                           std::move(lives), is_pending)) {}

RemoteShards::RemoteShards(std::shared_ptr<RemoteArray> array, Shape shape,
                           std::vector<GlobalDeviceId> devices,
                           bool comes_with_news)
    : shape_(std::move(shape)),
      devices_(std::move(devices)),
      comes_with_news_(comes_with_news),
      array_(std::move(array)) {}

absl::StatusOr<std::shared_ptr<Shards>> RemoteShards::Select(
    absl::Span<const int64_t> positions) const {
  std::vector<GlobalDeviceId> devices;
  for (int64_t position : positions) devices.push_back(devices_[position]);
  return std::shared_ptr<Shards>(
      new RemoteShards(array_, shape_, std::move(devices), comes_with_news_));
}

absl::Status RemoteShards::Await(absl::Time deadline) const {
  const ArrayState& state = array_->state();
  while (true) {
    RETURN_IF_ERROR(array_->CheckNotDonated());
    const absl::Time check = absl::Now() + kReachableCheck;
    const absl::Status status = state.Await(std::min(check, deadline));
    if (!absl::IsDeadlineExceeded(status) || state.is_ready() ||
        deadline <= check) {
      return status;
    }
    RETURN_IF_ERROR(array_->view().CheckReachable(state.pending()));
  }
}

absl::StatusOr<RemoteRead> RemoteShards::StartRead(
    absl::Span<const GlobalDeviceId> devices) const {
  // What is computed last comes by itself; asking beforehand would be two
  // messages for nothing.
  if (comes_with_news_ && array_->view().IsLatest(handle())) {
    RETURN_IF_ERROR(Await(absl::InfiniteFuture()));
  }
  std::vector<std::string> shards = array_->state().Shards(devices);
  if (!shards.empty()) return RemoteRead(std::move(shards));
  return array_->view().StartRead(handle(), devices, lives(),
                                  array_->state().failure());
}

absl::Status RemoteShards::WithShards(
    absl::Span<const int64_t> positions,
    const std::function<absl::Status(const RemoteRead&)>& copy) const {
  RETURN_IF_ERROR(array_->CheckNotDonated());
  CancellationToken& failure = array_->state().failure();
  RETURN_IF_ERROR(failure.status());
  std::vector<GlobalDeviceId> devices;
  for (int64_t position : positions) devices.push_back(devices_[position]);
  ASSIGN_OR_RETURN(RemoteRead read, StartRead(devices));
  RETURN_IF_ERROR(array_->BeginCopy());
  absl::Status status = read.FetchLarge(failure);
  if (status.ok()) status = copy(read);
  if (status.ok()) status = read.Finish();
  array_->EndCopy();
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

absl::Status RemoteShards::ReadInto(absl::Span<const int64_t> positions,
                                    absl::Span<std::byte> to) const {
  return WithShards(positions, [&](const RemoteRead& read) -> absl::Status {
    const int64_t size = shape_.byte_size();
    for (size_t i = 0; i < positions.size(); ++i) {
      RETURN_IF_ERROR(read.Copy(
          i, size, 0, to.subspan(i * size, static_cast<size_t>(size))));
    }
    return absl::OkStatus();
  });
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
