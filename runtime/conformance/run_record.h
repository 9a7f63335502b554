#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_RUN_RECORD_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_RUN_RECORD_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// What the programs of a case leave behind besides their results: tensors that
// they probed, in order, and text that they printed. Thread-safe.
class RunRecord {
 public:
  RunRecord() = default;
  RunRecord(const RunRecord&) = delete;
  RunRecord& operator=(const RunRecord&) = delete;

  void AddProbe(const std::string& id, const LiteralView& value);
  // What was probed under `id` for the n-th time, from 0; null when there is
  // none. Valid while the record lives.
  const Literal* FindProbe(const std::string& id, int64_t n) const;

  // In one piece: programs that run at the same time do not mix their lines.
  void AddText(const std::string& text);
  std::string text() const;

 private:
  mutable absl::Mutex mutex_;
  // Vectors of pointers: what FindProbe returns must stay where it is.
  std::map<std::string, std::vector<std::unique_ptr<const Literal>>> probes_
      ABSL_GUARDED_BY(mutex_);
  std::string text_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_RUN_RECORD_H_
