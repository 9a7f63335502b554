#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_PLACE_THUNK_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_PLACE_THUNK_H_

#include <string>
#include <vector>

#include "runtime/executable/thunk.h"

namespace lockstep::internal {

// Writes the replica or partition id of the device, a ui32 scalar.
class PlaceThunk : public Thunk {
 public:
  enum class Coordinate { kReplica, kPartition };

  PlaceThunk(std::string location, Coordinate coordinate, BufferSlice result);

  std::vector<BufferUse> buffer_uses() const override {
    return {BufferUse::Write(result_)};
  }
  absl::Status Execute(ExecuteContext& context) const override;

 private:
  const Coordinate coordinate_;
  const BufferSlice result_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_PLACE_THUNK_H_
