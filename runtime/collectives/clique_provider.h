#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_CLIQUE_PROVIDER_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_CLIQUE_PROVIDER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/communicator.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// Makes the endpoints of one process. A worker has one; the reference
// interpreter has one for all its simulated devices. Thread-safe.
class CliqueProvider {
 public:
  virtual ~CliqueProvider() = default;

  // The endpoint of `device`, which must be a member on this host. Asked for
  // again, the same endpoint; whether others have asked plays no part, so no
  // host can wait for a host that reuses. The endpoint lives as long as the
  // caller keeps it.
  // FAILED_PRECONDITION: the device is no member, or not of this host, or a
  // member's incarnation is not alive (names it).
  virtual absl::StatusOr<std::shared_ptr<Communicator>> Acquire(
      const CliqueKey& key, GlobalDeviceId device) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_CLIQUE_PROVIDER_H_
