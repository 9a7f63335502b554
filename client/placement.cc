#include "client/placement.h"

#include <utility>

#include "client/row_layout.h"
#include "runtime/base/status.h"

namespace lockstep {

absl::StatusOr<std::shared_ptr<Shards>> Place(
    View& view, const Array& array, const RowPlacement& placement,
    const std::vector<GlobalDeviceId>& devices) {
  const std::shared_ptr<Shards>& shards = array.shards();
  if (shards != nullptr && shards->view() == &view &&
      array.placement() == placement && shards->devices() == devices) {
    return shards;
  }
  ASSIGN_OR_RETURN(const Literal whole, array.Fetch());
  if (!placement.dim.has_value()) {
    return view.Put(std::vector<Literal>(devices.size(), whole), devices);
  }
  std::vector<Literal> rows = SplitAlong(whole, *placement.dim);
  if (placement.copies == 1) return view.Put(std::move(rows), devices);
  std::vector<Literal> copies;
  for (const Literal& row : rows) {
    copies.insert(copies.end(), placement.copies, row);
  }
  return view.Put(std::move(copies), devices);
}

}  // namespace lockstep
