#include "runtime/mesh/builders/index_grid.h"

#include <numeric>
#include <utility>

#include "runtime/base/check.h"

namespace lockstep::internal {

int64_t ProductOf(absl::Span<const int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) product *= size;
  return product;
}

IndexGrid IndexGrid::Iota(std::vector<int64_t> dims) {
  std::vector<int64_t> indices(ProductOf(dims));
  std::iota(indices.begin(), indices.end(), 0);
  return IndexGrid(std::move(dims), std::move(indices));
}

IndexGrid::IndexGrid(std::vector<int64_t> dims, std::vector<int64_t> indices)
    : dims_(std::move(dims)), indices_(std::move(indices)) {
  LOCKSTEP_CHECK(ProductOf(dims_) == static_cast<int64_t>(indices_.size()));
}

IndexGrid IndexGrid::Reshaped(std::vector<int64_t> dims) const {
  return IndexGrid(std::move(dims), indices_);
}

IndexGrid IndexGrid::Transposed(absl::Span<const int64_t> permutation) const {
  std::vector<int64_t> strides(dims_.size(), 1);
  for (size_t i = dims_.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * dims_[i];
  }
  std::vector<int64_t> dims;
  std::vector<int64_t> places = {0};
  for (int64_t from : permutation) {
    dims.push_back(dims_[from]);
    std::vector<int64_t> next;
    next.reserve(places.size() * dims_[from]);
    for (int64_t place : places) {
      for (int64_t i = 0; i < dims_[from]; ++i) {
        next.push_back(place + i * strides[from]);
      }
    }
    places = std::move(next);
  }
  for (int64_t& place : places) place = indices_[place];
  return IndexGrid(std::move(dims), std::move(places));
}

DeviceGrid IndexGrid::Of(absl::Span<const Device> devices) const {
  DeviceGrid grid{dims_, {}};
  grid.devices.reserve(indices_.size());
  for (int64_t index : indices_) grid.devices.push_back(devices[index]);
  return grid;
}

}  // namespace lockstep::internal
