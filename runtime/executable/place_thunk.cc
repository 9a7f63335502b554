#include "runtime/executable/place_thunk.h"

#include <cstring>

#include "runtime/base/check.h"

namespace lockstep {

PlaceThunk::PlaceThunk(std::string location, Coordinate coordinate,
                       BufferSlice result)
    : Thunk(coordinate == Coordinate::kReplica ? "replica_id" : "partition_id",
            std::move(location)),
      coordinate_(coordinate),
      result_(result) {
  LOCKSTEP_CHECK(result.size == sizeof(uint32_t));
}

absl::Status PlaceThunk::Execute(ExecuteContext& context) const {
  const uint32_t id = static_cast<uint32_t>(coordinate_ == Coordinate::kReplica
                                                ? context.replica_id
                                                : context.partition_id);
  std::memcpy(context.buffers.Address(result_), &id, sizeof(id));
  return absl::OkStatus();
}

}  // namespace lockstep
