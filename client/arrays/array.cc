#include "client/arrays/array.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/arrays/row_layout.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"
#include "runtime/types/box.h"

namespace lockstep {

using internal::Box;
using internal::BoxWriter;
using internal::ByteSink;
using internal::Shards;
using internal::StackedShape;
using internal::StatusLine;

namespace {

// Longer lists of hosts are cut.
constexpr size_t kShownHosts = 10;

// "host 0 (a), host 3 (d)".
std::string HostsText(const Shards& shards, absl::Span<const HostId> hosts) {
  std::vector<std::string> texts;
  for (HostId host : hosts) {
    if (texts.size() == kShownHosts) {
      texts.push_back(absl::StrCat(hosts.size() - kShownHosts, " more hosts"));
      break;
    }
    texts.push_back(shards.HostText(host));
  }
  return absl::StrJoin(texts, ", ");
}

std::string ShapeText(const Array& array) {
  return absl::StrCat("shape=", internal::TupleText(array.shape().dims()),
                      ", dtype=", NumpyName(array.dtype()));
}

Shape WholeShape(const Shards& shards, const RowPlacement& placement) {
  if (!placement.dim.has_value()) return shards.shape();
  const int64_t rows =
      static_cast<int64_t>(shards.devices().size()) / placement.copies;
  return StackedShape(shards.shape(), *placement.dim, rows);
}

}  // namespace

Array::Array(Literal value)
    : shape_(value.shape()),
      host_value_(std::make_shared<const Literal>(std::move(value))) {}

Array::Array(std::shared_ptr<Shards> shards, RowPlacement placement)
    : shape_(WholeShape(*shards, placement)),
      shards_(std::move(shards)),
      placement_(placement) {}

Array::Array(std::shared_ptr<const internal::ArrayLayout> layout,
             std::shared_ptr<Shards> shards)
    : shape_(layout->shape()),
      shards_(std::move(shards)),
      layout_(std::move(layout)) {}

Sharding Array::sharding() const {
  if (layout_ != nullptr) return layout_->sharding();
  if (shards_ == nullptr) return Sharding();
  return PmapSharding{placement_, shards_->devices()};
}

std::vector<GlobalDeviceId> Array::devices() const {
  return shards_ == nullptr ? std::vector<GlobalDeviceId>()
                            : shards_->devices();
}

bool Array::is_fully_addressable() const {
  return layout_ == nullptr ||
         static_cast<int64_t>(shards_->devices().size()) ==
             layout_->mesh().size();
}

bool Array::is_fully_replicated() const {
  if (layout_ != nullptr) return layout_->shard_count() == 1;
  return shards_ == nullptr || !placement_.dim.has_value();
}

bool Array::is_fetchable() const {
  if (layout_ == nullptr) return true;
  return static_cast<int64_t>(FetchedPositions().size()) ==
         layout_->shard_count();
}

int64_t Array::dim(int64_t i) const {
  const int64_t position = i < 0 ? i + rank() : i;
  if (position >= 0 && position < rank()) return shape_.dim(position);
  throw std::out_of_range(
      absl::StrCat("dimension ", i, " is out of range for rank ", rank()));
}

bool Array::is_ready() const {
  return shards_ == nullptr || shards_->is_ready();
}

absl::Status Array::Await(absl::Time deadline) const {
  RETURN_IF_ERROR(CheckUsable());
  return shards_ == nullptr ? absl::OkStatus() : shards_->Await(deadline);
}

Array Array::Failed(absl::Status error,
                    const std::shared_ptr<internal::View>& view,
                    std::vector<GlobalDeviceId> devices) {
  Array array;
  array.host_value_ = nullptr;
  array.failure_ = std::make_shared<const Error>(
      Error{std::move(error), view, std::move(devices)});
  return array;
}

absl::Status Array::CheckUsable() const {
  if (failure_ != nullptr) return failure_->error;
  if (shards_ != nullptr || host_value_ != nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError("the array was moved from");
}

absl::StatusOr<Literal> Array::Fetch() const {
  RETURN_IF_ERROR(CheckFetchable());
  if (shards_ == nullptr) return *host_value_;
  if (IsInOrder()) {
    const std::vector<int64_t> positions = FetchedPositions();
    if (positions.size() == 1) return FetchShard(positions);
    ASSIGN_OR_RETURN(Literal whole, Literal::Allocate(shape_));
    RETURN_IF_ERROR(
        shards_->ReadInto(positions, whole.mutable_view().byte_span()));
    return whole;
  }
  return FetchBoxes();
}

absl::StatusOr<Literal> Array::FetchShard(
    absl::Span<const int64_t> position) const {
  ASSIGN_OR_RETURN(std::vector<Literal> shard, shards_->Fetch(position));
  if (shard[0].shape() == shape_) return std::move(shard[0]);
  // A row, which lacks the mapped dimension.
  auto row = std::make_shared<const Literal>(std::move(shard[0]));
  const LiteralView bytes(shape_, row->bytes());
  return Literal::Share(bytes, std::move(row));
}

std::vector<Box> Array::FetchedBoxes() const {
  std::vector<Box> boxes;
  for (int64_t i : FetchedPositions()) {
    if (layout_ != nullptr) {
      const auto position = layout_->mesh().PositionOf(shards_->devices()[i]);
      boxes.push_back(layout_->box(*position));
      continue;
    }
    Box row = {std::vector<int64_t>(shape_.rank(), 0),
               {shape_.dims().begin(), shape_.dims().end()}};
    row.starts[*placement_.dim] = static_cast<int64_t>(boxes.size());
    row.sizes[*placement_.dim] = 1;
    boxes.push_back(std::move(row));
  }
  return boxes;
}

absl::StatusOr<Literal> Array::FetchBoxes() const {
  ASSIGN_OR_RETURN(Literal whole, Literal::Allocate(shape_));
  const int64_t shard_bytes = shards_->shape().byte_size();
  if (shard_bytes == 0) return whole;
  const std::vector<int64_t> fetched = FetchedPositions();
  std::vector<BoxWriter> writers;
  for (const Box& box : FetchedBoxes()) {
    writers.emplace_back(whole.mutable_view(), box);
  }
  int64_t read = 0;
  RETURN_IF_ERROR(
      shards_->Read(fetched, [&](absl::Span<const std::byte> bytes) {
        while (!bytes.empty()) {
          const int64_t left = shard_bytes - read % shard_bytes;
          const auto size = std::min(static_cast<int64_t>(bytes.size()), left);
          writers[read / shard_bytes].Write(bytes.subspan(0, size));
          bytes.remove_prefix(size);
          read += size;
        }
      }));
  return whole;
}

absl::StatusOr<internal::HostTensor> Array::Share() const {
  using internal::HostTensor;
  RETURN_IF_ERROR(CheckUsable());
  if (shards_ == nullptr) return HostTensor::Of(host_value_);
  ASSIGN_OR_RETURN(Literal value, Fetch());
  return HostTensor::Of(std::make_shared<const Literal>(std::move(value)));
}

absl::Status Array::Read(const ByteSink& sink) const {
  RETURN_IF_ERROR(CheckFetchable());
  if (shards_ != nullptr && IsInOrder()) {
    return shards_->Read(FetchedPositions(), sink);
  }
  ASSIGN_OR_RETURN(const Literal value, Fetch());
  sink(value.byte_span());
  return absl::OkStatus();
}

bool Array::IsInOrder() const {
  if (layout_ != nullptr) return layout_->shard_count() == 1;
  return placement_.dim.value_or(0) == 0;
}

std::vector<int64_t> Array::FetchedPositions() const {
  std::vector<int64_t> positions;
  const int64_t count = static_cast<int64_t>(shards_->devices().size());
  if (layout_ != nullptr) {
    absl::flat_hash_set<int64_t> known;
    const auto of_devices = layout_->PositionsOf(shards_->devices());
    for (int64_t i = 0; i < count; ++i) {
      if (!known.insert(layout_->number(of_devices[i])).second) continue;
      positions.push_back(i);
    }
    return positions;
  }
  const int64_t step = placement_.dim.has_value() ? placement_.copies : count;
  for (int64_t i = 0; i < count; i += step) positions.push_back(i);
  return positions;
}

absl::Status Array::CheckFetchable() const {
  RETURN_IF_ERROR(CheckUsable());
  if (is_fetchable()) return absl::OkStatus();
  absl::flat_hash_set<int64_t> here;
  for (int64_t position : layout_->PositionsOf(shards_->devices())) {
    here.insert(layout_->number(position));
  }
  std::vector<HostId> hosts;
  const absl::Span<const Device> devices = layout_->mesh().devices();
  for (size_t i = 0; i < devices.size(); ++i) {
    if (here.contains(layout_->number(static_cast<int64_t>(i)))) continue;
    if (absl::c_linear_search(hosts, devices[i].host)) continue;
    hosts.push_back(devices[i].host);
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "the array ", Signature(), " cannot be fetched here: ", here.size(),
      " of its ", layout_->shard_count(), " parts are here, the rest is on ",
      HostsText(*shards_, hosts),
      "; read addressable_shards(), or gather it with process_allgather"));
}

absl::StatusOr<std::string> Array::ToString() const {
  ASSIGN_OR_RETURN(const Literal value, Fetch());
  return lockstep::ToString(value);
}

absl::Status Array::CheckCount(ElementType type,
                               const std::vector<int64_t>& dims, size_t count) {
  ASSIGN_OR_RETURN(const Shape shape, Shape::Create(type, dims));
  if (shape.element_count() == static_cast<int64_t>(count)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("an array of dims [", absl::StrJoin(dims, ", "), "] has ",
                   shape.element_count(), " elements, found ", count));
}

absl::Status Array::CheckElementType(ElementType type) const {
  if (type == dtype()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the array's elements are ", NumpyName(dtype()),
                   ", asked for as ", NumpyName(type)));
}

ArrayShard Array::ShardAt(int64_t i) const {
  ArrayShard shard;
  shard.device = shards_->devices()[i];
  absl::StatusOr<std::shared_ptr<Shards>> data = shards_->Select({i});
  if (layout_ != nullptr) {
    const int64_t position = *layout_->mesh().PositionOf(shard.device);
    shard.index = layout_->index(position);
    shard.replica_id = layout_->replica_id(position);
    if (!data.ok()) return shard;
    const auto of_device = internal::ArrayLayout::Create(
        SingleDeviceSharding(layout_->mesh().devices()[position]), dtype(),
        layout_->shard_shape().dims());
    shard.data = Array(*of_device, *std::move(data));
    return shard;
  }
  shard.index = ShardIndex(rank());
  if (placement_.dim.has_value()) {
    const int64_t row = i / placement_.copies;
    shard.index[*placement_.dim] = IndexSlice(row, row + 1);
    shard.replica_id = i % placement_.copies;
  } else {
    shard.replica_id = i;
  }
  if (data.ok()) shard.data = Array(*std::move(data), RowPlacement());
  return shard;
}

std::vector<ArrayShard> Array::addressable_shards() const {
  std::vector<ArrayShard> shards;
  const int64_t count = static_cast<int64_t>(devices().size());
  for (int64_t i = 0; i < count; ++i) shards.push_back(ShardAt(i));
  return shards;
}

std::vector<ArrayShard> Array::global_shards() const {
  std::vector<ArrayShard> here = addressable_shards();
  if (layout_ == nullptr) return here;
  std::vector<ArrayShard> shards;
  size_t next = 0;
  for (int64_t i = 0; i < layout_->mesh().size(); ++i) {
    const GlobalDeviceId device = layout_->mesh().devices()[i].id;
    if (next < here.size() && here[next].device == device) {
      shards.push_back(std::move(here[next++]));
    } else {
      shards.push_back({device, layout_->index(i), layout_->replica_id(i), {}});
    }
  }
  return shards;
}

absl::StatusOr<Array> Array::addressable_data(int64_t i) const {
  RETURN_IF_ERROR(CheckUsable());
  const int64_t count = static_cast<int64_t>(devices().size());
  if (count == 0 && layout_ != nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(
        "no shard of the array ", Signature(), " is here, they are on ",
        HostsText(*shards_, layout_->mesh().hosts())));
  }
  if (i < 0 || i >= count) {
    return absl::InvalidArgumentError(
        absl::StrCat("the array ", Signature(), " has ", count,
                     " addressable shards, asked for is number ", i));
  }
  ArrayShard shard = ShardAt(i);
  if (shard.data.has_value()) return *std::move(shard.data);
  return shards_->Select({i}).status();
}

int64_t Array::on_device_size_in_bytes() const {
  if (layout_ != nullptr) {
    return layout_->shard_shape().byte_size() * layout_->mesh().size();
  }
  if (shards_ == nullptr) return 0;
  return shards_->shape().byte_size() *
         static_cast<int64_t>(shards_->devices().size());
}

std::string Array::Signature() const {
  return absl::StrCat(NumpyName(dtype()), ", ",
                      internal::TupleText(shape_.dims()), ", ",
                      sharding().ToString());
}

std::string Array::Describe() const {
  std::string text = absl::StrCat("Array(", ShapeText(*this),
                                  ", sharding=", sharding().ToString(), ")");
  if (failure_ != nullptr)
    return absl::StrCat("Array(", StatusLine(failure_->error), ")");
  if (!CheckUsable().ok()) return "Array(moved from)";
  for (const ArrayShard& shard : global_shards()) {
    const bool is_here = layout_ == nullptr || shard.data.has_value();
    std::string where = "here";
    if (!is_here) {
      const int64_t position = *layout_->mesh().PositionOf(shard.device);
      const HostId host = layout_->mesh().devices()[position].host;
      where = absl::StrCat("on ", shards_->HostText(host));
    }
    absl::StrAppend(&text, "\n  device ", shard.device.value(), ", ", where,
                    ": ", ShardIndexText(shard.index), ", replica ",
                    shard.replica_id);
  }
  return text;
}

std::ostream& operator<<(std::ostream& os, const Array& array) {
  if (array.CheckUsable().ok() && !array.is_fetchable()) {
    return os << "Array(" << ShapeText(array) << ")";
  }
  const auto text = array.ToString();
  if (text.ok()) return os << *text;
  return os << "Array(" << ShapeText(array) << ": " << StatusLine(text.status())
            << ")";
}

}  // namespace lockstep
