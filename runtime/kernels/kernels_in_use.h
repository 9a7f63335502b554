#ifndef LOCKSTEP_RUNTIME_KERNELS_KERNELS_IN_USE_H_
#define LOCKSTEP_RUNTIME_KERNELS_KERNELS_IN_USE_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
namespace lockstep::internal {

// The compiled kernels of a backend that executables of this process use, by
// the fingerprints of their graphs. Thread-safe.
template <typename Kernel>
class KernelsInUse {
 public:
  static KernelsInUse& Get() {
    static auto* kernels = new KernelsInUse();
    return *kernels;
  }

  // Null: none.
  std::shared_ptr<const Kernel> Find(const std::string& fingerprint) {
    absl::MutexLock lock(&mutex_);
    auto it = kernels_.find(fingerprint);
    return it == kernels_.end() ? nullptr : it->second.lock();
  }
  void Insert(const std::string& fingerprint,
              const std::shared_ptr<const Kernel>& kernel) {
    absl::MutexLock lock(&mutex_);
    kernels_[fingerprint] = kernel;
    if (kernels_.size() < prune_at_) return;
    std::erase_if(kernels_,
                  [](const auto& entry) { return entry.second.expired(); });
    prune_at_ = 2 * kernels_.size() + 64;
  }

 private:
  absl::Mutex mutex_;
  std::map<std::string, std::weak_ptr<const Kernel>> kernels_
      ABSL_GUARDED_BY(mutex_);
  size_t prune_at_ ABSL_GUARDED_BY(mutex_) = 64;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_KERNELS_IN_USE_H_
