#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_LEDGER_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_LEDGER_H_

#include <cstdint>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/executable/acquired_cliques.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// Which collectives the local devices of one launch are in, so that a device
// never waits for one that has ended the launch: a loop or branch around the
// collective was decided differently (spec M-19). Devices of other hosts are
// not seen. Thread-safe.
class CollectiveLedger {
 public:
  // `device` is about to wait in its `number`-th collective on the clique.
  // FAILED_PRECONDITION when a member has ended the launch with fewer; names
  // both devices and the collective.
  absl::Status Enter(GlobalDeviceId device, const CliqueKey& clique,
                     int64_t number, absl::string_view description);
  void Leave(GlobalDeviceId device);

  // `device` has executed everything. FAILED_PRECONDITION when another one
  // waits for it.
  absl::Status Finish(GlobalDeviceId device, const AcquiredCliques& cliques);

 private:
  struct Wait {
    const CliqueKey* clique = nullptr;  // null: in no collective
    int64_t number = 0;
    std::string description;
  };
  using Counts = absl::flat_hash_map<CliqueKey, int64_t>;

  absl::Status Check(GlobalDeviceId waiting, const Wait& wait,
                     GlobalDeviceId finished, const Counts& counts) const;

  absl::Mutex mutex_;
  absl::flat_hash_map<GlobalDeviceId, Wait> waits_ ABSL_GUARDED_BY(mutex_);
  // Collectives that the finished devices ran, per clique.
  absl::flat_hash_map<GlobalDeviceId, Counts> finished_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_LEDGER_H_
