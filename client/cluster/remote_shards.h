#ifndef LOCKSTEP_CLIENT_CLUSTER_REMOTE_SHARDS_H_
#define LOCKSTEP_CLIENT_CLUSTER_REMOTE_SHARDS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "client/cluster/global_view.h"
#include "client/view.h"

namespace lockstep {

// An array on the devices of a cluster, by its handle. What was fetched once is
// kept. Its end ends the array on the hosts. Thread-safe.
class RemoteShards : public Shards {
 public:
  RemoteShards(std::shared_ptr<GlobalView> view, ArrayHandle handle,
               Shape shape, std::vector<GlobalDeviceId> devices)
      : view_(std::move(view)),
        handle_(handle),
        shape_(std::move(shape)),
        devices_(std::move(devices)),
        failure_(view_->connection().WatchArray(handle_)) {}
  ~RemoteShards() override;

  ArrayHandle handle() const { return handle_; }
  // The values are there: they were put, not computed.
  void SetPresent();
  // A launch of `program` took the memory.
  void SetDonated(const std::string& program) const;

  const View* view() const override { return view_.get(); }
  const Shape& shape() const override { return shape_; }
  const std::vector<GlobalDeviceId>& devices() const override {
    return devices_;
  }
  // Whether it is known here to be ready: hosts are not asked.
  bool is_ready() const override;
  absl::Status Await(absl::Time deadline) const override;
  absl::StatusOr<std::vector<Literal>> Fetch(
      absl::Span<const int64_t> positions) const override;

 private:
  absl::StatusOr<std::vector<Literal>> FetchUntil(
      absl::Span<const int64_t> positions, absl::Time deadline) const;

  const std::shared_ptr<GlobalView> view_;
  const ArrayHandle handle_;
  const Shape shape_;
  const std::vector<GlobalDeviceId> devices_;
  const std::shared_ptr<CancellationToken> failure_;
  mutable absl::Mutex mutex_;
  mutable bool is_present_ ABSL_GUARDED_BY(mutex_) = false;
  mutable std::string donated_to_ ABSL_GUARDED_BY(mutex_);  // "": is not
  mutable absl::flat_hash_map<int64_t, Literal> fetched_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_CLUSTER_REMOTE_SHARDS_H_
