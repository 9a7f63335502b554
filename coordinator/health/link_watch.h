#ifndef LOCKSTEP_COORDINATOR_HEALTH_LINK_WATCH_H_
#define LOCKSTEP_COORDINATOR_HEALTH_LINK_WATCH_H_

#include <map>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/base/options.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/cluster/links.h"

namespace lockstep::internal {

// Finds pairs of hosts that cannot reach each other, from what their transports
// report. A host that is dead, or does not report itself, is silent to its
// peers too: only pairs of hosts that both report are looked at. Not
// thread-safe; owned by Coordinator.
class LinkWatch {
 public:
  // `options` outlives this.
  explicit LinkWatch(const CoordinatorOptions* options) : options_(*options) {}

  // The life of `host` begins, or begins again.
  void Add(const HostRef& host, absl::Time now);
  // It left or is dead.
  void Remove(HostId host);
  void Clear();
  void Report(HostId host, std::vector<SilentPeer> silent, absl::Time now);
  // The coordinator itself stood still until now: nobody could report.
  void Excuse(absl::Duration pause, absl::Time now);

  struct Changes {
    std::vector<CutLink> cut;
    std::vector<CutLink> restored;
    // Whether cut() is another one than at the last Check.
    bool is_any = false;
  };
  Changes Check(absl::Time now);

  // The pairs that are cut now.
  std::vector<CutLink> cut() const;

 private:
  using Pair = std::pair<HostId, HostId>;  // ascending
  struct Record {
    HostRef host;
    absl::Time last_report;
    std::vector<SilentPeer> silent;
  };

  // For how long `host` has heard nothing of `peer`; zero: it hears it.
  absl::Duration Silence(const Record& host, const Record& peer) const;
  CutLink Describe(const Record& first, const Record& second,
                   absl::Time now) const;

  const CoordinatorOptions& options_;
  std::map<HostId, Record> hosts_;
  std::map<Pair, CutLink> cut_;
  bool is_changed_ = false;  // cut_, since the last Check
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_HEALTH_LINK_WATCH_H_
