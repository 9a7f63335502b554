#include "client/arrays/placement.h"

#include <utility>

#include "client/arrays/row_layout.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Whether its shards are those of the placement.
bool IsPlaced(const Array& array, const RowPlacement& placement) {
  if (array.layout() == nullptr) return array.placement() == placement;
  return !placement.dim.has_value() && array.is_fully_replicated();
}

// One per index of `dim`: within the whole where they are contiguous there.
std::vector<HostTensor> RowsOf(const HostTensor& whole, int64_t dim) {
  std::vector<HostTensor> rows;
  if (dim != 0) {
    for (Literal& row : SplitAlong(whole.view, dim)) {
      rows.push_back(
          HostTensor::Of(std::make_shared<const Literal>(std::move(row))));
    }
    return rows;
  }
  const Shape row = RowShape(whole.view.shape(), 0);
  for (int64_t i = 0; i < whole.view.shape().dim(0); ++i) {
    const std::byte* const bytes = whole.view.bytes() + i * row.byte_size();
    rows.push_back({LiteralView(row, bytes), whole.owner});
  }
  return rows;
}

}  // namespace

absl::StatusOr<std::shared_ptr<Shards>> Place(
    View& view, const Array& array, const RowPlacement& placement,
    const std::vector<GlobalDeviceId>& devices) {
  const std::shared_ptr<Shards>& shards = array.shards();
  if (shards != nullptr && shards->view() == &view &&
      IsPlaced(array, placement) && shards->devices() == devices) {
    return shards;
  }
  ASSIGN_OR_RETURN(const HostTensor whole, array.Share());
  std::vector<HostTensor> rows;
  if (!placement.dim.has_value()) {
    rows.assign(devices.size(), whole);
  } else {
    for (const HostTensor& row : RowsOf(whole, *placement.dim)) {
      rows.insert(rows.end(), placement.copies, row);
    }
  }
  return view.Put(std::move(rows), devices);
}

}  // namespace lockstep::internal
