#ifndef LOCKSTEP_CLIENT_PROGRAMS_PROGRAM_ARRAYS_H_
#define LOCKSTEP_CLIENT_PROGRAMS_PROGRAM_ARRAYS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/arrays/array.h"
#include "client/arrays/array_layout.h"
#include "client/arrays/view.h"
#include "client/global_arrays/make_array.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/world.h"
#include "runtime/passes/partition/partition_module.h"

namespace lockstep::internal {

// The whole arrays that a program takes and gives, on the devices of a view,
// which are those of its partitions, in order.

// How the arrays lie on `devices`. Errors of DeviceSharding and of
// ArrayLayout::Create, with "`what` i: " before them.
absl::StatusOr<std::vector<std::shared_ptr<const ArrayLayout>>> LayoutsOn(
    absl::Span<const Device> devices, const ShardingMesh& mesh,
    absl::Span<const TensorLayout> arrays, absl::string_view what);

// Whether the shards of an array of this shape lie so already.
bool LiesAs(const View& view, const Array& array, const ArrayLayout& layout);
// The shards of `array` on `devices`, in order: where they lie that way already
// nothing moves, else as of device_put with these options, but for the view.
// The array has the shape of the layout.
absl::StatusOr<std::shared_ptr<Shards>> PlaceWhole(
    const std::shared_ptr<View>& view, const Array& array,
    const ArrayLayout& layout, absl::Span<const GlobalDeviceId> devices,
    ArrayOptions options = {});

// The array of such shards, of which the addressable ones are here.
absl::StatusOr<Array> WholeArray(const std::shared_ptr<Shards>& shards,
                                 std::shared_ptr<const ArrayLayout> layout);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROGRAMS_PROGRAM_ARRAYS_H_
