#include "runtime/executable/place_thunk.h"

#include <cstddef>

#include "runtime/base/check.h"

namespace lockstep::internal {

PlaceThunk::PlaceThunk(std::string location, Coordinate coordinate,
                       BufferSlice result)
    : Thunk(coordinate == Coordinate::kReplica ? "replica_id" : "partition_id",
            std::move(location)),
      coordinate_(coordinate),
      result_(result) {
  LOCKSTEP_CHECK(result.size == sizeof(uint32_t));
}

absl::Status PlaceThunk::Execute(ExecuteContext& context) const {
  static_assert(sizeof(context.host.replica_id) == sizeof(uint32_t));
  const int32_t& id = coordinate_ == Coordinate::kReplica
                          ? context.host.replica_id
                          : context.host.partition_id;
  context.queue->CopyFromHost(*context.scope, context.buffers.Address(result_),
                              reinterpret_cast<const std::byte*>(&id));
  return absl::OkStatus();
}

}  // namespace lockstep::internal
