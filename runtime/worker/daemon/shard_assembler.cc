#include "runtime/worker/daemon/shard_assembler.h"

#include <cstring>
#include <set>

#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "runtime/base/status.h"
#include "runtime/types/canonical_elements.h"

namespace lockstep::internal {

absl::StatusOr<Shape> ShardShape(uint32_t element_type,
                                 absl::Span<const int64_t> dims) {
  ASSIGN_OR_RETURN(const ElementType type, ElementTypeFromNumber(element_type));
  return Shape::Create(type, dims);
}

absl::StatusOr<std::vector<GlobalDeviceId>> ShardDevices(
    absl::Span<const int32_t> numbers) {
  std::set<GlobalDeviceId> devices;
  for (int32_t number : numbers) {
    if (devices.insert(GlobalDeviceId(number)).second) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "shard: expected different devices, found ", number, " twice"));
  }
  return std::vector<GlobalDeviceId>(devices.begin(), devices.end());
}

absl::Status ShardAssembler::Add(const proto::ShardChunk& chunk) {
  if (chunk.has_header()) RETURN_IF_ERROR(Begin(chunk.header()));
  const int64_t size = static_cast<int64_t>(chunk.data().size());
  if (shards_.empty()) {
    return absl::InvalidArgumentError(
        "shard: expected a header in the first chunk, found none");
  }
  Literal& value = shards_.back().value;
  if (size > value.shape().byte_size() - filled_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "shard of ", value.shape().ToString(), ": expected ",
        value.shape().byte_size(), " bytes, found ", filled_ + size));
  }
  std::memcpy(value.mutable_bytes() + filled_, chunk.data().data(), size);
  filled_ += size;
  if (size > 0 && filled_ == value.shape().byte_size()) {
    CanonicalizeElements(value.mutable_view());
  }
  return absl::OkStatus();
}

absl::Status ShardAssembler::Begin(const proto::ShardChunk::Header& header) {
  RETURN_IF_ERROR(CheckComplete());
  ASSIGN_OR_RETURN(const Shape shape,
                   ShardShape(header.element_type(), header.dims()));
  std::vector<int32_t> numbers = {header.device()};
  numbers.insert(numbers.end(), header.other_devices().begin(),
                 header.other_devices().end());
  ASSIGN_OR_RETURN(std::vector<GlobalDeviceId> devices, ShardDevices(numbers));
  ASSIGN_OR_RETURN(Literal value, Literal::Allocate(shape));
  shards_.push_back(
      {FromProto(header.array()), std::move(devices), std::move(value)});
  filled_ = 0;
  return absl::OkStatus();
}

absl::Status ShardAssembler::CheckComplete() const {
  if (shards_.empty()) return absl::OkStatus();
  const Shape& shape = shards_.back().value.shape();
  if (filled_ == shape.byte_size()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("shard of ", shape.ToString(), ": expected ",
                   shape.byte_size(), " bytes, found ", filled_));
}

absl::StatusOr<std::vector<ReceivedShard>> ShardAssembler::Finish() {
  RETURN_IF_ERROR(CheckComplete());
  return std::move(shards_);
}

}  // namespace lockstep::internal
