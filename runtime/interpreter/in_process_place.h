#ifndef LOCKSTEP_RUNTIME_INTERPRETER_IN_PROCESS_PLACE_H_
#define LOCKSTEP_RUNTIME_INTERPRETER_IN_PROCESS_PLACE_H_

#include <memory>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "runtime/base/cancellation.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/interpreter/execution_place.h"
#include "runtime/interpreter/host_channels.h"
#include "runtime/mesh/device_assignment.h"

namespace lockstep::internal {

// One simulated device of the oracle: all devices are threads of this process.
class InProcessPlace : public ExecutionPlace {
 public:
  // All outlive the place; `process` is a flattened id. The endpoints of
  // `cliques` are for memory of the host.
  InProcessPlace(const DeviceAssignment& assignment, int32_t process,
                 CliqueProvider& cliques, HostChannels& channels,
                 CancellationToken& cancellation)
      : assignment_(assignment),
        process_(process),
        cliques_(cliques),
        channels_(channels),
        cancellation_(cancellation) {}

  int32_t replica_id() const override {
    return assignment_.FromFlattenedId(process_).replica;
  }
  int32_t partition_id() const override {
    return assignment_.FromFlattenedId(process_).partition;
  }
  absl::Status CheckRunning() override { return cancellation_.status(); }
  absl::Status RunCollective(
      const Op& op, const CollectiveSpec& spec,
      absl::Span<const LiteralView> operands,
      absl::Span<const MutableLiteralView> results) override;

 private:
  struct Endpoint {
    std::shared_ptr<Communicator> communicator;
    // Counted per clique: members may meet after different branches.
    int64_t next_number = 0;
  };
  absl::StatusOr<Endpoint*> EndpointOf(absl::Span<const int32_t> group);
  absl::StatusOr<const Reduction*> ReductionFor(const CollectiveSpec& spec);

  const DeviceAssignment& assignment_;
  const int32_t process_;
  CliqueProvider& cliques_;
  HostChannels& channels_;
  CancellationToken& cancellation_;
  absl::node_hash_map<CliqueKey, Endpoint> endpoints_;
  absl::flat_hash_map<const Region*, std::shared_ptr<const Reduction>>
      reductions_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_INTERPRETER_IN_PROCESS_PLACE_H_
