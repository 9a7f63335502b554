#ifndef LOCKSTEP_CLIENT_CLUSTER_TOKEN_TABLE_H_
#define LOCKSTEP_CLIENT_CLUSTER_TOKEN_TABLE_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/cancellation.h"

namespace lockstep::internal {

// Tokens by key, kept as long as somebody watches. Thread-safe.
template <typename Key>
class TokenTable {
 public:
  std::shared_ptr<CancellationToken> Watch(const Key& key) {
    absl::MutexLock lock(&mutex_);
    std::weak_ptr<CancellationToken>& entry = tokens_[key];
    auto token = entry.lock();
    if (token == nullptr) {
      token = std::make_shared<CancellationToken>();
      if (!all_.ok()) token->Cancel(all_);
      entry = token;
    }
    if (++watches_ % 1024 == 0) Sweep();
    return token;
  }

  void Cancel(const Key& key, const absl::Status& cause) {
    std::shared_ptr<CancellationToken> token;
    {
      absl::MutexLock lock(&mutex_);
      const auto it = tokens_.find(key);
      if (it != tokens_.end()) token = it->second.lock();
    }
    if (token != nullptr) token->Cancel(cause);
  }

  // All present tokens and those still to come.
  void CancelAll(const absl::Status& cause) {
    std::vector<std::shared_ptr<CancellationToken>> tokens;
    {
      absl::MutexLock lock(&mutex_);
      if (all_.ok()) all_ = cause;
      for (auto& [key, entry] : tokens_) {
        if (auto token = entry.lock()) tokens.push_back(std::move(token));
      }
    }
    for (const auto& token : tokens) token->Cancel(cause);
  }

 private:
  void Sweep() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    for (auto it = tokens_.begin(); it != tokens_.end();) {
      const auto entry = it++;
      if (entry->second.expired()) tokens_.erase(entry);
    }
  }

  absl::Mutex mutex_;
  absl::flat_hash_map<Key, std::weak_ptr<CancellationToken>> tokens_
      ABSL_GUARDED_BY(mutex_);
  absl::Status all_ ABSL_GUARDED_BY(mutex_);
  int64_t watches_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_TOKEN_TABLE_H_
