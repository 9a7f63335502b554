#include "client/array.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/row_layout.h"
#include "runtime/base/status.h"

namespace lockstep {

using internal::ByteSink;
using internal::Shards;
using internal::StackAlong;
using internal::StackedShape;
using internal::StatusLine;

namespace {

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

std::vector<GlobalDeviceId> Array::devices() const {
  return shards_ == nullptr ? std::vector<GlobalDeviceId>()
                            : shards_->devices();
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
  return shards_ == nullptr ? absl::OkStatus() : shards_->Await(deadline);
}

absl::StatusOr<Literal> Array::Fetch() const {
  if (shards_ == nullptr) return *host_value_;
  if (placement_.dim.value_or(0) == 0) {
    // The rows follow each other in the value.
    ASSIGN_OR_RETURN(Literal whole, Literal::Allocate(shape_));
    std::byte* end = whole.mutable_bytes();
    RETURN_IF_ERROR(shards_->Read(
        FetchedPositions(), [&end](absl::Span<const std::byte> bytes) {
          end = std::copy(bytes.begin(), bytes.end(), end);
        }));
    return whole;
  }
  ASSIGN_OR_RETURN(const std::vector<Literal> rows,
                   shards_->Fetch(FetchedPositions()));
  return StackAlong(rows, *placement_.dim);
}

absl::StatusOr<internal::HostTensor> Array::Share() const {
  using internal::HostTensor;
  if (shards_ == nullptr) return HostTensor::Of(host_value_);
  ASSIGN_OR_RETURN(Literal value, Fetch());
  return HostTensor::Of(std::make_shared<const Literal>(std::move(value)));
}

absl::Status Array::Read(const ByteSink& sink) const {
  if (shards_ != nullptr && placement_.dim.value_or(0) == 0) {
    return shards_->Read(FetchedPositions(), sink);
  }
  ASSIGN_OR_RETURN(const Literal value, Fetch());
  sink(value.byte_span());
  return absl::OkStatus();
}

std::vector<int64_t> Array::FetchedPositions() const {
  std::vector<int64_t> positions;
  const int64_t count = static_cast<int64_t>(shards_->devices().size());
  const int64_t step = placement_.dim.has_value() ? placement_.copies : count;
  for (int64_t i = 0; i < count; i += step) positions.push_back(i);
  return positions;
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

std::ostream& operator<<(std::ostream& os, const Array& array) {
  const auto text = array.ToString();
  if (text.ok()) return os << *text;
  return os << "Array(shape=(" << absl::StrJoin(array.shape().dims(), ", ")
            << "), dtype=" << NumpyName(array.dtype()) << ": "
            << StatusLine(text.status()) << ")";
}

}  // namespace lockstep
