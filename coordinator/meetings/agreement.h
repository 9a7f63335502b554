#ifndef LOCKSTEP_COORDINATOR_MEETINGS_AGREEMENT_H_
#define LOCKSTEP_COORDINATOR_MEETINGS_AGREEMENT_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/base/worker_link.h"
#include "coordinator/meetings/meeting_table.h"
#include "coordinator/membership/host_directory.h"
#include "runtime/cluster/agreement_record.h"

namespace lockstep::internal {

enum class AgreementAnswer {
  kEqual,
  // The digests differ: every participant comes again with the fields.
  kFieldsWanted,
};

// Programs must be equal on all participants before their first launch (spec
// M-18). Records with a digest in the place of their fields meet first, those
// with fields only when digests differ. A participant that brings an error ends
// the agreement at once; records that differ end it when all are there, or
// after a short patience. A host that has not come by the deadline, and has not
// announced to be busy, is the origin of the failure. Not thread-safe; owned by
// Coordinator.
class Agreements {
 public:
  // `directory` outlives this. `patience`: how long participants may take to
  // come once it is known that records differ.
  Agreements(const HostDirectory* directory, absl::Duration patience)
      : directory_(*directory), patience_(patience) {}

  void Arrive(const HostRef& host, AgreementRecord record,
              absl::Duration timeout, absl::Time now,
              Done<AgreementAnswer> done);
  void Cancel(const HostRef& host, const std::string& key);
  // The call is over because of `cause`.
  void FailCall(const LaunchKey& call, const absl::Status& cause) {
    meetings_.End(MeetingKey(call), cause);
    meetings_.End(DigestKey(MeetingKey(call)), cause);
  }
  void Lose(const HostRef& host, const absl::Status& cause);
  void Tick(absl::Time now);
  void ForgetOutcomes() { meetings_.ForgetOutcomes(); }

  std::vector<PendingWait> Waits(absl::Time begun_by) const;

 private:
  using Meetings = MeetingTable<AgreementRecord, AgreementAnswer>;

  void ConcludeIfDecided(Meetings::Meeting& meeting, absl::Time now);
  static absl::StatusOr<AgreementAnswer> Verdict(
      const Meetings::Meeting& meeting);
  // Under which the digests of the records of `key` meet.
  static std::string DigestKey(const std::string& key) {
    return key + ", digests";
  }

  const HostDirectory& directory_;
  const absl::Duration patience_;
  Meetings meetings_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEETINGS_AGREEMENT_H_
