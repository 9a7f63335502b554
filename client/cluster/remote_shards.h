#ifndef LOCKSTEP_CLIENT_CLUSTER_REMOTE_SHARDS_H_
#define LOCKSTEP_CLIENT_CLUSTER_REMOTE_SHARDS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "client/cluster/array_table.h"
#include "client/cluster/global_view.h"
#include "client/view.h"

namespace lockstep::internal {

// An array on the devices of a cluster, by its handle. Values stay there: every
// fetch reads the shards that it needs. Its end ends the array on the hosts.
// Thread-safe.
class RemoteShards : public Shards {
 public:
  // `pending`: the hosts that have yet to compute it; none: it is put.
  RemoteShards(std::shared_ptr<GlobalView> view, ArrayHandle handle,
               Shape shape, std::vector<GlobalDeviceId> devices,
               std::vector<Incarnation> pending);
  ~RemoteShards() override;

  ArrayHandle handle() const { return handle_; }
  // A launch of `program` takes the memory: waits for copies in progress.
  void SetDonated(const std::string& program) const;

  const View* view() const override { return view_.get(); }
  const Shape& shape() const override { return shape_; }
  const std::vector<GlobalDeviceId>& devices() const override {
    return devices_;
  }
  // As far as hosts have told.
  bool is_ready() const override { return state_->is_ready(); }
  absl::Status Await(absl::Time deadline) const override;
  absl::StatusOr<std::vector<Literal>> Fetch(
      absl::Span<const int64_t> positions) const override;
  absl::Status Read(absl::Span<const int64_t> positions,
                    const ByteSink& sink) const override;

 private:
  absl::Status CheckNotDonated() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<RemoteRead> StartRead(
      absl::Span<const GlobalDeviceId> devices) const;
  // Waits for the shards at `positions`, then runs `copy` while no launch can
  // take them.
  absl::Status WithShards(
      absl::Span<const int64_t> positions,
      const std::function<absl::Status(const RemoteRead&)>& copy) const;

  const std::shared_ptr<GlobalView> view_;
  const ArrayHandle handle_;
  const Shape shape_;
  const std::vector<GlobalDeviceId> devices_;
  // Hosts send it with the news that it is there, when it is what they compute
  // last.
  const bool comes_with_news_;
  const std::shared_ptr<ArrayState> state_;
  mutable absl::Mutex mutex_;
  mutable std::string donated_to_ ABSL_GUARDED_BY(mutex_);  // "": is not
  mutable int copies_ ABSL_GUARDED_BY(mutex_) = 0;          // in progress
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_REMOTE_SHARDS_H_
