#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_EXECUTABLE_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_EXECUTABLE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/executable/buffer_use.h"
#include "runtime/executable/thunk_sequence.h"
#include "runtime/types/literal.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// A compiled program: what every logical device runs. It knows no host and no
// memory; those come with a launch. Immutable and thread-safe; shared by its
// launches.
class Executable {
 public:
  struct Parts {
    std::string name;
    int32_t replica_count = 1;
    int32_t partition_count = 1;
    std::vector<Shape> argument_shapes;
    std::vector<Shape> result_shapes;
    // allocations[0] is the arena.
    std::vector<BufferAllocation> allocations;
    // The allocation of each argument and of each result. A result whose
    // allocation is that of an argument takes over its memory: that argument
    // must be donated.
    std::vector<int> argument_allocations;
    std::vector<int> result_allocations;
    // By the index of the kConstant allocations.
    std::vector<std::shared_ptr<const Literal>> constants;
    // Sets of groups that its collectives use (see AcquiredCliques).
    int clique_slot_count = 0;
    ThunkSequence thunks;
    // What the thunks point into.
    std::shared_ptr<const void> keepalive;
  };

  explicit Executable(Parts parts);

  const std::string& name() const { return parts_.name; }
  int32_t replica_count() const { return parts_.replica_count; }
  int32_t partition_count() const { return parts_.partition_count; }
  const std::vector<Shape>& argument_shapes() const {
    return parts_.argument_shapes;
  }
  const std::vector<Shape>& result_shapes() const {
    return parts_.result_shapes;
  }
  const std::vector<BufferAllocation>& allocations() const {
    return parts_.allocations;
  }
  const std::vector<int>& argument_allocations() const {
    return parts_.argument_allocations;
  }
  const std::vector<int>& result_allocations() const {
    return parts_.result_allocations;
  }
  const std::vector<std::shared_ptr<const Literal>>& constants() const {
    return parts_.constants;
  }
  int clique_slot_count() const { return parts_.clique_slot_count; }
  const ThunkSequence& thunks() const { return parts_.thunks; }

  // The argument whose memory result `i` takes over.
  std::optional<int> AliasedArgument(int i) const;

  int64_t arena_size() const { return parts_.allocations[0].size; }
  // Bytes that one device needs for a launch, beside arguments and constants.
  int64_t launch_bytes() const;
  // Bytes of the constants.
  int64_t constant_bytes() const;

  // For people and for the fingerprint: memory, then the thunks. Deterministic;
  // constants are shown by a hash of their bits.
  struct DumpOptions {
    bool with_locations = true;
  };
  std::string ToString() const { return ToString(DumpOptions()); }
  std::string ToString(const DumpOptions& options) const;

 private:
  const Parts parts_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_EXECUTABLE_H_
