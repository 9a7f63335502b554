#include "runtime/kernels/update_step.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/ops/geometry/indexed_windows.h"

namespace lockstep::internal {
namespace {

// Whether `dims` is first, first + 1, .. in order.
bool AreNeighbours(absl::Span<const int64_t> dims, int64_t first) {
  for (const int64_t dim : dims) {
    if (dim != first++) return false;
  }
  return true;
}

// Whether the indexed dims of the input lie between batches and rows, every dim
// is one of them, and the updates are batches, updates, rows.
bool HasRows(const IndexedWindows& windows, const Shape& input,
             const Shape& indices, const Shape& updates) {
  const int64_t batch_dims = std::ssize(windows.operand_batching_dims);
  std::vector<int64_t> indexed = windows.index_map;
  std::sort(indexed.begin(), indexed.end());
  const int64_t outer = batch_dims + std::ssize(indexed);
  const std::vector<int64_t> window_dims =
      windows.WindowOperandDims(input.rank());
  if (indexed.empty() || indexed != windows.inserted_dims ||
      !AreNeighbours(windows.operand_batching_dims, 0) ||
      !AreNeighbours(windows.indices_batching_dims, 0) ||
      !AreNeighbours(indexed, batch_dims) ||
      !AreNeighbours(window_dims, outer) ||
      outer + std::ssize(window_dims) != input.rank() ||
      !AreNeighbours(windows.window_dims,
                     updates.rank() - std::ssize(window_dims))) {
    return false;
  }
  for (size_t i = 0; i < window_dims.size(); ++i) {
    if (updates.dim(windows.window_dims[i]) != input.dim(window_dims[i])) {
      return false;
    }
  }
  // Else the indices of a batch are not one distance apart.
  return windows.index_vector_dim >= indices.rank() - 1 ||
         windows.index_vector_dim == batch_dims;
}

std::string TextOf(const UpdateRows& rows) {
  std::string text = absl::StrCat(" rows of ", rows.row, " indices ",
                                  StablehloName(rows.index_type), " by ",
                                  rows.index_stride, ":");
  for (const UpdateRows::Component& component : rows.components) {
    absl::StrAppend(&text, " ", component.offset, ",", component.size, ",",
                    component.stride);
  }
  return text;
}

struct BodyValues {
  std::vector<const Value*> results, updates;
};

BodyValues ValuesOf(const Region& body) {
  const size_t count = body.arguments().size() / 2;
  BodyValues values;
  for (size_t i = 0; i < count; ++i) {
    values.results.push_back(body.arguments()[i].get());
    values.updates.push_back(body.arguments()[count + i].get());
  }
  return values;
}

}  // namespace

std::optional<UpdateRows> UpdateRowsOf(const Op& scatter) {
  const auto windows = ScatterWindowsOf(scatter);
  if (!windows.ok()) return std::nullopt;
  const int count = scatter.result_count();
  const Shape& input = scatter.operand(0)->shape();
  const Shape& indices = scatter.operand(count)->shape();
  const Shape& updates = scatter.operand(count + 1)->shape();
  if (!HasRows(*windows, input, indices, updates)) return std::nullopt;
  const Dims input_strides = input.Strides(), index_strides = indices.Strides();
  const int64_t batch_dims = std::ssize(windows->operand_batching_dims);
  UpdateRows rows;
  rows.index_type = indices.element_type();
  const bool has_vector = windows->index_vector_dim < indices.rank();
  const int64_t vector_stride =
      has_vector ? index_strides[windows->index_vector_dim] : 0;
  // Index dims before the vector are a vector apart.
  rows.index_stride =
      has_vector && windows->index_vector_dim == indices.rank() - 1
          ? indices.dim(windows->index_vector_dim)
          : 1;
  const int64_t indexed = std::ssize(windows->index_map);
  rows.components.resize(indexed);
  for (int64_t k = 0; k < indexed; ++k) {
    const int64_t dim = windows->index_map[k];
    rows.components[dim - batch_dims] = {k * vector_stride, input.dim(dim),
                                         input_strides[dim]};
  }
  for (int64_t dim = batch_dims + indexed; dim < input.rank(); ++dim) {
    rows.row *= input.dim(dim);
  }
  for (int64_t dim = 0; dim < batch_dims; ++dim) rows.batches *= input.dim(dim);
  const int64_t of_batches = std::max<int64_t>(1, rows.batches);
  rows.batch_indices = indices.element_count() / of_batches;
  rows.batch_input = input.element_count() / of_batches;
  rows.updates = rows.batch_indices / (has_vector ? indexed : 1);
  return rows;
}

KernelGraph UpdateStep(const Op& op, const Region& body,
                       UpdateVariant variant) {
  auto [results, updates] = ValuesOf(body);
  return StepGraph(KernelGraph::Kind::kUpdate, op, body, std::move(updates),
                   std::move(results), variant, TextOf(body));
}

KernelGraph UpdateRowsStep(const Op& scatter, const UpdateRows& rows) {
  auto [results, updates] = ValuesOf(scatter.region());
  return StepGraph(KernelGraph::Kind::kUpdate, scatter, scatter.region(),
                   std::move(updates), std::move(results), kUpdateRows,
                   absl::StrCat(TextOf(scatter.region()), TextOf(rows)));
}

}  // namespace lockstep::internal
