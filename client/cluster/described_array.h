#ifndef LOCKSTEP_CLIENT_CLUSTER_DESCRIBED_ARRAY_H_
#define LOCKSTEP_CLIENT_CLUSTER_DESCRIBED_ARRAY_H_

#include <memory>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/arrays/view.h"
#include "runtime/cluster/array_description.h"
#include "runtime/mesh/world.h"

namespace lockstep::internal {

// What another client needs to use `array`, which is on devices.
ArrayDescription Describe(const Array& array);

// The inverse: an array of `shards`, which are those of `description` in its
// order. INVALID_ARGUMENT: its parts do not go together, or a device that
// `world` does not have.
absl::StatusOr<Array> MakeDescribed(const ArrayDescription& description,
                                    std::shared_ptr<Shards> shards,
                                    const World& world);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_DESCRIBED_ARRAY_H_
