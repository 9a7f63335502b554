#include "runtime/worker/daemon/shard_assembler.h"

#include <cstring>
#include <set>

#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "runtime/base/status.h"
#include "runtime/types/canonical_elements.h"

namespace lockstep::internal {

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
  ASSIGN_OR_RETURN(const ElementType type,
                   ElementTypeFromNumber(header.element_type()));
  ASSIGN_OR_RETURN(Shape shape, Shape::Create(type, absl::MakeConstSpan(
                                                        header.dims().data(),
                                                        header.dims().size())));
  std::set<GlobalDeviceId> devices = {GlobalDeviceId(header.device())};
  for (int32_t device : header.other_devices()) {
    if (devices.insert(GlobalDeviceId(device)).second) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "shard: expected different devices, found ", device, " twice"));
  }
  ASSIGN_OR_RETURN(Literal value, Literal::Allocate(shape));
  shards_.push_back({FromProto(header.array()),
                     {devices.begin(), devices.end()},
                     std::move(value)});
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
