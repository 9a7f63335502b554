#ifndef LOCKSTEP_CLIENT_ARRAYS_PROGRAM_CACHE_H_
#define LOCKSTEP_CLIENT_ARRAYS_PROGRAM_CACHE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace lockstep::internal {

class ViewProgram;

// Programs of the library itself that a view has loaded, by what they do and
// the lives of the hosts that agreed on them (ViewCall::lives). Nothing is
// dropped: hosts that make the same calls must have the same programs, or one
// would wait for the others to load. Thread-safe.
class ProgramCache {
 public:
  // Null: not there.
  std::shared_ptr<ViewProgram> Find(const std::string& signature,
                                    uint64_t lives) const {
    absl::MutexLock lock(&mutex_);
    const auto it = programs_.find({signature, lives});
    return it == programs_.end() ? nullptr : it->second;
  }
  void Add(const std::string& signature, uint64_t lives,
           std::shared_ptr<ViewProgram> program) {
    absl::MutexLock lock(&mutex_);
    programs_[{signature, lives}] = std::move(program);
  }

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<std::pair<std::string, uint64_t>,
                      std::shared_ptr<ViewProgram>>
      programs_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_ARRAYS_PROGRAM_CACHE_H_
