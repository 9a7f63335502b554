#include "runtime/mesh/sharding/tile_assignment.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/attribute_text.h"

namespace lockstep::internal {
namespace {

template <typename... Parts>
absl::Status Invalid(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

absl::StatusOr<int64_t> DeviceCount(absl::Span<const int64_t> dims) {
  int64_t count = 1;
  for (const int64_t dim : dims) {
    if (dim < 1) {
      return Invalid("[", NumbersText(dims), "] has a dimension below 1");
    }
    if (dim > TileAssignment::kMaxDevices / count) {
      return Invalid("[", NumbersText(dims), "] makes more than ",
                     TileAssignment::kMaxDevices, " devices");
    }
    count *= dim;
  }
  return count;
}

bool IsPermutation(absl::Span<const int64_t> numbers) {
  std::vector<bool> found(numbers.size());
  for (const int64_t number : numbers) {
    if (number < 0 || number >= static_cast<int64_t>(numbers.size()) ||
        found[number]) {
      return false;
    }
    found[number] = true;
  }
  return true;
}

// A part of a flattened grid: `size` indices that are `stride` apart.
struct Digit {
  int64_t stride = 1;
  int64_t size = 1;
};

std::vector<int64_t> RowMajorStrides(absl::Span<const int64_t> dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * dims[i];
  }
  return strides;
}

// The values of all indices of the digits, the first one being the major one.
std::vector<int64_t> Expand(absl::Span<const Digit> digits) {
  std::vector<int64_t> values = {0};
  for (const Digit& digit : digits) {
    std::vector<int64_t> expanded;
    expanded.reserve(values.size() * digit.size);
    for (const int64_t value : values) {
      for (int64_t i = 0; i < digit.size; ++i) {
        expanded.push_back(value + i * digit.stride);
      }
    }
    values = std::move(expanded);
  }
  return values;
}

// The grid of ascending ids that `digits` walk, and the order in which they do.
struct IotaForm {
  std::vector<int64_t> reshape_dims;
  std::vector<int64_t> transpose_perm;
};

// The digit of the largest stride is the first dimension.
IotaForm IotaFormOf(absl::Span<const Digit> digits) {
  std::vector<int64_t> order(digits.size());
  std::iota(order.begin(), order.end(), 0);
  absl::c_sort(order, [&](int64_t a, int64_t b) {
    return digits[a].stride > digits[b].stride;
  });
  IotaForm form;
  form.transpose_perm.resize(digits.size());
  for (size_t i = 0; i < order.size(); ++i) {
    form.reshape_dims.push_back(digits[order[i]].size);
    form.transpose_perm[order[i]] = static_cast<int64_t>(i);
  }
  return form;
}

// Drops digits of size 1 and joins those that count on from the next one.
std::vector<Digit> Canonical(absl::Span<const Digit> digits) {
  std::vector<Digit> canonical;
  for (const Digit& digit : digits) {
    if (digit.size == 1) continue;
    if (!canonical.empty() &&
        canonical.back().stride == digit.stride * digit.size) {
      canonical.back() = {.stride = digit.stride,
                          .size = canonical.back().size * digit.size};
    } else {
      canonical.push_back(digit);
    }
  }
  return canonical;
}

// The digits that make `values`; if none do, others. The longest run of equal
// steps always ends with a digit, since a digit that goes on with the steps of
// the one before makes one digit with it.
std::vector<Digit> DigitsOf(absl::Span<const int64_t> values) {
  const auto count = static_cast<int64_t>(values.size());
  std::vector<Digit> digits;
  for (int64_t block = 1; block < count;) {
    const int64_t stride = values[block] - values[0];
    int64_t size = 2;
    while (size * block < count &&
           values[size * block] - values[0] == size * stride) {
      ++size;
    }
    if (count / block % size != 0) return {};
    digits.push_back({.stride = stride, .size = size});
    block *= size;
  }
  absl::c_reverse(digits);
  return digits;
}

}  // namespace

absl::StatusOr<TileAssignment> TileAssignment::FromIota(
    std::vector<int64_t> dims, absl::Span<const int64_t> reshape_dims,
    absl::Span<const int64_t> transpose_perm) {
  ASSIGN_OR_RETURN(const int64_t count, DeviceCount(dims));
  ASSIGN_OR_RETURN(const int64_t reshape_count, DeviceCount(reshape_dims));
  if (count != reshape_count) {
    return Invalid("[", NumbersText(dims), "] has ", count, " tiles, but [",
                   NumbersText(reshape_dims), "] has ", reshape_count,
                   " devices");
  }
  if (transpose_perm.size() != reshape_dims.size() ||
      !IsPermutation(transpose_perm)) {
    return Invalid("(", NumbersText(transpose_perm),
                   ") is not a permutation of the dimensions of [",
                   NumbersText(reshape_dims), "]");
  }
  const std::vector<int64_t> strides = RowMajorStrides(reshape_dims);
  std::vector<Digit> digits;
  for (const int64_t dim : transpose_perm) {
    digits.push_back({.stride = strides[dim], .size = reshape_dims[dim]});
  }
  digits = Canonical(digits);
  if (digits.empty()) digits.push_back({});
  IotaForm form = IotaFormOf(digits);
  TileAssignment tiles;
  tiles.dims_ = std::move(dims);
  tiles.reshape_dims_ = std::move(form.reshape_dims);
  tiles.transpose_perm_ = std::move(form.transpose_perm);
  return tiles;
}

absl::StatusOr<TileAssignment> TileAssignment::FromDevices(
    std::vector<int64_t> dims, std::vector<int64_t> devices) {
  ASSIGN_OR_RETURN(const int64_t count, DeviceCount(dims));
  if (count != static_cast<int64_t>(devices.size())) {
    return Invalid("[", NumbersText(dims), "] has ", count, " tiles, but ",
                   devices.size(), " devices are listed");
  }
  if (!IsPermutation(devices)) {
    return Invalid("the devices of ", count, " tiles are not those from 0 to ",
                   count - 1, ": [", NumbersText(devices), "]");
  }
  TileAssignment tiles;
  tiles.dims_ = std::move(dims);
  tiles.devices_ = std::move(devices);
  return tiles;
}

int64_t TileAssignment::device_count() const {
  return absl::c_accumulate(dims_, int64_t{1}, std::multiplies<>());
}

std::vector<int64_t> TileAssignment::Devices() const {
  if (!is_iota()) return devices_;
  const std::vector<int64_t> strides = RowMajorStrides(reshape_dims_);
  std::vector<Digit> digits;
  for (const int64_t dim : transpose_perm_) {
    digits.push_back({.stride = strides[dim], .size = reshape_dims_[dim]});
  }
  return Expand(digits);
}

std::optional<TileAssignment> TileAssignment::AsIota() const {
  if (is_iota()) return *this;
  const std::vector<Digit> digits = DigitsOf(devices_);
  if (Expand(digits) != devices_) return std::nullopt;
  const IotaForm form = IotaFormOf(digits);
  return *FromIota(dims_, form.reshape_dims, form.transpose_perm);
}

std::string TileAssignment::ToString() const {
  std::string text = absl::StrCat("[", absl::StrJoin(dims_, ","), "]");
  if (!is_iota()) {
    absl::StrAppend(&text, absl::StrJoin(devices_, ","));
    return text;
  }
  absl::StrAppend(&text, "<=[", absl::StrJoin(reshape_dims_, ","), "]");
  if (reshape_dims_.size() > 1) {
    absl::StrAppend(&text, "T(", absl::StrJoin(transpose_perm_, ","), ")");
  }
  return text;
}

}  // namespace lockstep::internal
