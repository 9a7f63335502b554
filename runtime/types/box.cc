#include "runtime/types/box.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// The first dimension whose indices, with all behind it, make one run of
// elements that follow each other in a tensor of `shape`.
int64_t FirstDimOfRun(const Shape& shape, const Box& box) {
  int64_t dim = shape.rank();
  while (dim > 0 && box.sizes[dim - 1] == shape.dim(dim - 1)) --dim;
  return std::max<int64_t>(dim - 1, 0);
}

int64_t OffsetOf(const Box& box, absl::Span<const int64_t> strides) {
  int64_t offset = 0;
  for (size_t dim = 0; dim < strides.size(); ++dim) {
    offset += box.starts[dim] * strides[dim];
  }
  return offset;
}

}  // namespace

absl::StatusOr<HostTensor> TakeBox(const HostTensor& whole, const Box& box) {
  const Shape& shape = whole.view.shape();
  const Shape part(shape.element_type(), box.sizes);
  const Dims strides = shape.Strides();
  const int64_t element = ByteSize(shape.element_type());
  const std::byte* const begin =
      whole.view.bytes() + OffsetOf(box, strides) * element;
  const int64_t run = FirstDimOfRun(shape, box);
  if (std::all_of(box.sizes.begin(), box.sizes.begin() + run,
                  [](int64_t size) { return size == 1; })) {
    return HostTensor{LiteralView(part, begin), whole.owner};
  }
  ASSIGN_OR_RETURN(Literal copy, Literal::Allocate(part));
  StridedCopy(element, part.dims(), {begin, strides},
              {copy.mutable_bytes(), part.Strides()});
  return HostTensor::Of(std::make_shared<const Literal>(std::move(copy)));
}

BoxWriter::BoxWriter(MutableLiteralView whole, const Box& box)
    : whole_(std::move(whole)) {
  const Shape& shape = whole_.shape();
  const int64_t element = ByteSize(shape.element_type());
  const Dims strides = shape.Strides();
  const int64_t run = FirstDimOfRun(shape, box);
  run_bytes_ = element;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (dim < run) {
      sizes_.push_back(box.sizes[dim]);
      strides_.push_back(strides[dim] * element);
    } else {
      run_bytes_ *= box.sizes[dim];
    }
  }
  index_.resize(sizes_.size());
  run_start_ = OffsetOf(box, strides) * element;
}

void BoxWriter::Write(absl::Span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (written_ == run_bytes_) BeginNextRun();
    const auto size =
        std::min(static_cast<int64_t>(bytes.size()), run_bytes_ - written_);
    std::memcpy(whole_.bytes() + run_start_ + written_, bytes.data(), size);
    written_ += size;
    bytes.remove_prefix(size);
  }
}

void BoxWriter::BeginNextRun() {
  written_ = 0;
  for (size_t dim = index_.size(); dim-- > 0;) {
    run_start_ += strides_[dim];
    if (++index_[dim] < sizes_[dim]) return;
    run_start_ -= sizes_[dim] * strides_[dim];
    index_[dim] = 0;
  }
}

}  // namespace lockstep::internal
