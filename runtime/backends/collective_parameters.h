#ifndef LOCKSTEP_RUNTIME_BACKENDS_COLLECTIVE_PARAMETERS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_COLLECTIVE_PARAMETERS_H_

#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/backends/kernel_emitter.h"
#include "runtime/executable/collective_thunk.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/device_assignment.h"

namespace lockstep::internal {

// Turns collective ops into what their thunks need. One per executable: numbers
// the collectives and the sets of groups that they use.
class CollectiveParameterReader {
 public:
  // Both outlive it.
  CollectiveParameterReader(const DeviceAssignment& assignment,
                            KernelEmitter& kernels)
      : assignment_(assignment), kernels_(kernels) {}

  // INVALID_ARGUMENT or UNIMPLEMENTED, with the op's location: groups that do
  // not fit the assignment, a reduction body that cannot run.
  absl::StatusOr<CollectiveThunk::Parameters> Read(const Op& op);

  int clique_slot_count() const { return static_cast<int>(slots_.size()); }

 private:
  absl::Status CheckShapes(const Op& op,
                           const CollectiveThunk::Parameters& parameters) const;

  const DeviceAssignment& assignment_;
  KernelEmitter& kernels_;
  std::map<std::vector<std::vector<int32_t>>, int> slots_;
  int next_ordinal_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_COLLECTIVE_PARAMETERS_H_
