#include "runtime/ops/geometry/indexed_windows.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

// The names of the fields in the attributes of one op.
struct FieldNames {
  absl::string_view attribute;
  absl::string_view window_dims;
  absl::string_view inserted_dims;
  absl::string_view operand_batching_dims;
  absl::string_view indices_batching_dims;
  absl::string_view index_map;
};
constexpr FieldNames kGatherNames = {
    "dimension_numbers",           "offset_dims",
    "collapsed_slice_dims",        "operand_batching_dims",
    "start_indices_batching_dims", "start_index_map"};
constexpr FieldNames kScatterNames = {
    "scatter_dimension_numbers",     "update_window_dims",
    "inserted_window_dims",          "input_batching_dims",
    "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};

const FieldNames& NamesOf(const Op& op) {
  return op.name() == "stablehlo.gather" ? kGatherNames : kScatterNames;
}

absl::StatusOr<IndexedWindows> Read(const Op& op, const FieldNames& names) {
  const Attribute* attribute = op.attribute(names.attribute);
  const auto* fields =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Struct>();
  if (fields == nullptr) {
    return op.Error(absl::StrCat(names.attribute,
                                 ": expected #stablehlo.gather<..> or "
                                 "#stablehlo.scatter<..>"));
  }
  IndexedWindows windows;
  const std::pair<absl::string_view, std::vector<int64_t>*> lists[] = {
      {names.window_dims, &windows.window_dims},
      {names.inserted_dims, &windows.inserted_dims},
      {names.operand_batching_dims, &windows.operand_batching_dims},
      {names.indices_batching_dims, &windows.indices_batching_dims},
      {names.index_map, &windows.index_map},
  };
  for (const auto& [name, list] : lists) {
    const Attribute* field = fields->fields.Find(name);
    if (field == nullptr) continue;
    absl::StatusOr<std::vector<int64_t>> values = IntegersOf(*field);
    if (!values.ok()) {
      return op.Error(absl::StrCat(name, ": ", values.status().message()));
    }
    *list = *std::move(values);
  }
  if (const Attribute* field = fields->fields.Find("index_vector_dim")) {
    absl::StatusOr<int64_t> dim = IntegerOf(*field);
    if (!dim.ok()) {
      return op.Error(
          absl::StrCat("index_vector_dim: ", dim.status().message()));
    }
    windows.index_vector_dim = *dim;
  }
  return windows;
}

std::vector<int64_t> Concatenated(const std::vector<int64_t>& a,
                                  const std::vector<int64_t>& b) {
  std::vector<int64_t> both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

absl::Status CheckSorted(const Op& op, absl::string_view name,
                         const std::vector<int64_t>& dims) {
  if (absl::c_is_sorted(dims)) return absl::OkStatus();
  return op.Error(absl::StrCat(name, ": expected ascending dimensions"));
}

absl::Status CheckDims(const Op& op, const IndexedWindows& windows,
                       const Shape& operand, int64_t windows_rank) {
  const FieldNames& names = NamesOf(op);
  RETURN_IF_ERROR(CheckSorted(op, names.window_dims, windows.window_dims));
  RETURN_IF_ERROR(CheckDistinctDims(op, names.window_dims, windows.window_dims,
                                    windows_rank));
  RETURN_IF_ERROR(CheckSorted(op, names.inserted_dims, windows.inserted_dims));
  RETURN_IF_ERROR(CheckSorted(op, names.operand_batching_dims,
                              windows.operand_batching_dims));
  RETURN_IF_ERROR(CheckDistinctDims(
      op, absl::StrCat(names.inserted_dims, ", ", names.operand_batching_dims),
      Concatenated(windows.inserted_dims, windows.operand_batching_dims),
      operand.rank()));
  RETURN_IF_ERROR(CheckDistinctDims(
      op, absl::StrCat(names.index_map, ", ", names.operand_batching_dims),
      Concatenated(windows.index_map, windows.operand_batching_dims),
      operand.rank()));
  const int64_t covered = static_cast<int64_t>(
      windows.window_dims.size() + windows.inserted_dims.size() +
      windows.operand_batching_dims.size());
  if (covered == operand.rank()) return absl::OkStatus();
  return op.Error(absl::StrCat(
      names.window_dims, ", ", names.inserted_dims, ", ",
      names.operand_batching_dims, ": expected ", operand.rank(),
      " dimensions together (the operand's rank), found ", covered));
}

absl::Status CheckIndices(const Op& op, const IndexedWindows& windows,
                          const Shape& indices) {
  const FieldNames& names = NamesOf(op);
  const int64_t vector_dim = windows.index_vector_dim;
  if (vector_dim < 0 || vector_dim > indices.rank()) {
    return op.Error(absl::StrCat("index_vector_dim: expected 0 to ",
                                 indices.rank(), ", found ", vector_dim));
  }
  const int64_t components =
      vector_dim < indices.rank() ? indices.dim(vector_dim) : 1;
  if (static_cast<int64_t>(windows.index_map.size()) != components) {
    return op.Error(
        absl::StrCat(names.index_map, ": expected ", components,
                     " entries (the components of an index), found ",
                     windows.index_map.size()));
  }
  return absl::OkStatus();
}

absl::Status CheckBatching(const Op& op, const IndexedWindows& windows,
                           const Shape& operand, const Shape& indices) {
  const FieldNames& names = NamesOf(op);
  RETURN_IF_ERROR(CheckDistinctDims(op, names.indices_batching_dims,
                                    windows.indices_batching_dims,
                                    indices.rank()));
  if (windows.indices_batching_dims.size() !=
      windows.operand_batching_dims.size()) {
    return op.Error(absl::StrCat(names.indices_batching_dims, ": expected ",
                                 windows.operand_batching_dims.size(),
                                 " entries (as in ",
                                 names.operand_batching_dims, "), found ",
                                 windows.indices_batching_dims.size()));
  }
  for (size_t i = 0; i < windows.indices_batching_dims.size(); ++i) {
    const int64_t dim = windows.indices_batching_dims[i];
    const int64_t operand_dim = windows.operand_batching_dims[i];
    if (dim == windows.index_vector_dim) {
      return op.Error(absl::StrCat(names.indices_batching_dims,
                                   ": expected no index_vector_dim, found ",
                                   dim));
    }
    if (indices.dim(dim) != operand.dim(operand_dim)) {
      return op.Error(absl::StrCat(names.indices_batching_dims, ": dim ", dim,
                                   " of the indices is ", indices.dim(dim),
                                   ", dim ", operand_dim, " of the operand is ",
                                   operand.dim(operand_dim)));
    }
  }
  return absl::OkStatus();
}

// As int64, within +-2^62.
std::vector<int64_t> IndexValues(const LiteralView& indices) {
  constexpr int64_t kLimit = int64_t{1} << 62;
  Literal converted(Shape(ElementType::kS64, indices.shape().dims()));
  ConvertElements(indices, converted.mutable_view());
  std::vector<int64_t> values;
  values.reserve(converted.shape().element_count());
  const bool is_unsigned = indices.shape().element_type() == ElementType::kU64;
  for (int64_t value : converted.data<int64_t>()) {
    if (is_unsigned && value < 0) value = kLimit;
    values.push_back(std::clamp(value, -kLimit, kLimit));
  }
  return values;
}

}  // namespace

std::vector<int64_t> IndexedWindows::WindowOperandDims(
    int64_t operand_rank) const {
  std::vector<int64_t> dims;
  for (int64_t dim = 0; dim < operand_rank; ++dim) {
    if (!absl::c_linear_search(inserted_dims, dim) &&
        !absl::c_linear_search(operand_batching_dims, dim)) {
      dims.push_back(dim);
    }
  }
  return dims;
}

std::vector<int64_t> IndexedWindows::PositionDims(int64_t windows_rank) const {
  std::vector<int64_t> dims;
  for (int64_t dim = 0; dim < windows_rank; ++dim) {
    if (!absl::c_linear_search(window_dims, dim)) dims.push_back(dim);
  }
  return dims;
}

WindowsDim IndexedWindows::SourceOf(int64_t dim, int64_t operand_rank,
                                    int64_t windows_rank) const {
  const auto window = absl::c_find(window_dims, dim);
  if (window != window_dims.end()) {
    return {.is_window = true,
            .operand_dim =
                WindowOperandDims(operand_rank)[window - window_dims.begin()]};
  }
  const std::vector<int64_t> position_dims = PositionDims(windows_rank);
  int64_t indices_dim =
      absl::c_find(position_dims, dim) - position_dims.begin();
  if (indices_dim >= index_vector_dim) ++indices_dim;
  const auto batching = absl::c_find(indices_batching_dims, indices_dim);
  if (batching == indices_batching_dims.end()) {
    return {.indices_dim = indices_dim};
  }
  return {.operand_dim =
              operand_batching_dims[batching - indices_batching_dims.begin()],
          .indices_dim = indices_dim};
}

Dims IndexedWindows::PositionSizes(const Shape& indices) const {
  Dims sizes;
  for (int64_t dim = 0; dim < indices.rank(); ++dim) {
    if (dim != index_vector_dim) sizes.push_back(indices.dim(dim));
  }
  return sizes;
}

absl::StatusOr<IndexedWindows> GatherWindowsOf(const Op& op) {
  return Read(op, kGatherNames);
}

absl::StatusOr<IndexedWindows> ScatterWindowsOf(const Op& op) {
  return Read(op, kScatterNames);
}

absl::Status CheckIndexedWindows(const Op& op, const IndexedWindows& windows,
                                 const Shape& operand, const Shape& indices,
                                 int64_t windows_rank) {
  if (!IsInteger(indices.element_type())) {
    return op.Error(
        absl::StrCat("indices: expected integers, found ", indices.ToString()));
  }
  RETURN_IF_ERROR(CheckIndices(op, windows, indices));
  RETURN_IF_ERROR(CheckDims(op, windows, operand, windows_rank));
  return CheckBatching(op, windows, operand, indices);
}

std::vector<int64_t> WindowStarts(const IndexedWindows& windows,
                                  int64_t operand_rank,
                                  const LiteralView& indices) {
  const Shape& shape = indices.shape();
  const std::vector<int64_t> values = IndexValues(indices);
  const Dims strides = shape.Strides();
  const int64_t vector_stride = windows.index_vector_dim < shape.rank()
                                    ? strides[windows.index_vector_dim]
                                    : 0;
  Dims position_strides;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (dim != windows.index_vector_dim) {
      position_strides.push_back(strides[dim]);
    }
  }
  const Dims sizes = windows.PositionSizes(shape);
  const int64_t count = Shape(ElementType::kPred, sizes).element_count();
  std::vector<int64_t> starts(count * operand_rank, 0);
  Dims position(sizes.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t* start = starts.data() + i * operand_rank;
    int64_t first = 0;
    for (size_t d = 0; d < sizes.size(); ++d) {
      first += position[d] * position_strides[d];
    }
    for (size_t k = 0; k < windows.index_map.size(); ++k) {
      start[windows.index_map[k]] = values[first + k * vector_stride];
    }
    for (size_t k = 0; k < windows.operand_batching_dims.size(); ++k) {
      const int64_t dim = windows.indices_batching_dims[k];
      start[windows.operand_batching_dims[k]] =
          position[dim > windows.index_vector_dim ? dim - 1 : dim];
    }
    for (size_t d = sizes.size(); d-- > 0;) {
      if (++position[d] < sizes[d]) break;
      position[d] = 0;
    }
  }
  return starts;
}

}  // namespace lockstep::internal
