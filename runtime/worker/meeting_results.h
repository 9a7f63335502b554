#ifndef LOCKSTEP_RUNTIME_WORKER_MEETING_RESULTS_H_
#define LOCKSTEP_RUNTIME_WORKER_MEETING_RESULTS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "runtime/cluster/agreement_record.h"
#include "runtime/cluster/axis_query.h"

namespace lockstep::internal {

// What the hosts of a sequence of calls found out when they met in it, and need
// not meet for again: programs that they agreed on, and sizes of axes.
//
// Whether a host meets the others in a call must depend on nothing but the
// calls before it, which are the same on all hosts. It must not depend on what
// this host alone has compiled or kept: of two hosts that call one function
// through objects of their own, one may have made its object anew. So this is
// filled by meetings only, and what it drops it drops by their order.
// Thread-safe.
class MeetingResults {
 public:
  // How many of each kind are kept.
  static constexpr size_t kAgreementsKept = 65536;
  static constexpr size_t kAxesKept = 4096;

  // Equal for records that name the same program and fields.
  static uint64_t DigestOf(const AgreementRecord& record);

  bool HasAgreed(uint64_t digest) const;
  void AddAgreed(uint64_t digest);

  // The answer to a query of this host that was the same but for its call.
  std::optional<AxisResolution> FindAxis(const AxisQuery& query) const;
  void AddAxis(const AxisQuery& query, AxisResolution axis);

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_set<uint64_t> agreed_ ABSL_GUARDED_BY(mutex_);
  std::deque<uint64_t> agreed_order_ ABSL_GUARDED_BY(mutex_);
  // By a text of the query. Most name the same devices: all there are.
  absl::flat_hash_map<std::string, SharedAxis> axes_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::string> axes_order_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_MEETING_RESULTS_H_
