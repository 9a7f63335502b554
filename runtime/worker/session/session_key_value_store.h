#ifndef LOCKSTEP_RUNTIME_WORKER_SESSION_SESSION_KEY_VALUE_STORE_H_
#define LOCKSTEP_RUNTIME_WORKER_SESSION_SESSION_KEY_VALUE_STORE_H_

#include <functional>

#include "proto/lockstep/coordinator.pb.h"
#include "runtime/collectives/key_value_store.h"

namespace lockstep::internal {

// The coordinator's store, through calls over a session. Thread-safe.
class SessionKeyValueStore : public KeyValueStore {
 public:
  // Sends a request with a timeout (zero: the call's default), waits for the
  // reply.
  using Call = std::function<absl::StatusOr<proto::CoordinatorMessage>(
      proto::WorkerMessage request, absl::Duration timeout)>;
  explicit SessionKeyValueStore(Call call) : call_(std::move(call)) {}

  absl::StatusOr<int64_t> Put(absl::string_view key, absl::string_view value,
                              const PutOptions& options) override;
  absl::StatusOr<std::string> Get(absl::string_view key,
                                  absl::Duration timeout) override;
  absl::StatusOr<std::string> TryGet(absl::string_view key) override;
  absl::StatusOr<int64_t> Increment(absl::string_view key,
                                    int64_t delta) override;
  absl::StatusOr<std::vector<KeyValue>> List(absl::string_view prefix) override;
  absl::Status Delete(absl::string_view key) override;
  absl::StatusOr<std::vector<KeyChange>> Watch(absl::string_view prefix,
                                               int64_t revision,
                                               absl::Duration timeout) override;

 private:
  const Call call_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_SESSION_SESSION_KEY_VALUE_STORE_H_
