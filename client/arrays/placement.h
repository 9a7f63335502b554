#ifndef LOCKSTEP_CLIENT_ARRAYS_PLACEMENT_H_
#define LOCKSTEP_CLIENT_ARRAYS_PLACEMENT_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/arrays/view.h"

namespace lockstep::internal {

// The rows of `array` on `devices`, in order (spec J-12): as they are when they
// lie there already, else fetched and put. The number of devices is that of the
// rows times placement.copies.
absl::StatusOr<std::shared_ptr<Shards>> Place(
    View& view, const Array& array, const RowPlacement& placement,
    const std::vector<GlobalDeviceId>& devices);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_ARRAYS_PLACEMENT_H_
