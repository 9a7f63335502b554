#ifndef LOCKSTEP_CLIENT_CLUSTER_REMOTE_SHARDS_H_
#define LOCKSTEP_CLIENT_CLUSTER_REMOTE_SHARDS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "client/arrays/view.h"
#include "client/cluster/array_table.h"
#include "client/cluster/global_view.h"

namespace lockstep::internal {

// An array that a cluster has, by its handle: as long as shards of it are held
// here. Its end ends the array on the hosts. Thread-safe.
class RemoteArray {
 public:
  // `lives`: the hosts that have a part of it; `is_pending`: that have yet to
  // compute it.
  RemoteArray(std::shared_ptr<GlobalView> view, ArrayHandle handle,
              std::vector<Incarnation> lives, bool is_pending);
  ~RemoteArray();

  GlobalView& view() const { return *view_; }
  ArrayHandle handle() const { return handle_; }
  const std::vector<Incarnation>& lives() const { return lives_; }
  ArrayState& state() const { return *state_; }

  // A launch of `program` takes the memory: waits for copies in progress.
  void SetDonated(const std::string& program);
  // FAILED_PRECONDITION names the program that has taken the memory.
  absl::Status CheckNotDonated() const;
  // Until EndCopy nobody can take it.
  absl::Status BeginCopy();
  void EndCopy();

 private:
  absl::Status CheckNotDonatedLocked() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<GlobalView> view_;
  const ArrayHandle handle_;
  const std::vector<Incarnation> lives_;
  const std::shared_ptr<ArrayState> state_;
  mutable absl::Mutex mutex_;
  std::string donated_to_ ABSL_GUARDED_BY(mutex_);  // "": is not
  int copies_ ABSL_GUARDED_BY(mutex_) = 0;          // in progress
};

// Shards of an array on the devices of a cluster. Values stay there: every
// fetch reads the shards that it needs. A launch that takes some shards of an
// array takes all of them. Thread-safe.
class RemoteShards : public Shards {
 public:
  // As of RemoteArray.
  RemoteShards(std::shared_ptr<GlobalView> view, ArrayHandle handle,
               Shape shape, std::vector<GlobalDeviceId> devices,
               std::vector<Incarnation> lives, bool is_pending);

  ArrayHandle handle() const { return array_->handle(); }
  // The hosts that have a part of the array.
  const std::vector<Incarnation>& lives() const { return array_->lives(); }
  void SetDonated(const std::string& program) const {
    array_->SetDonated(program);
  }

  // FAILED_PRECONDITION names the program that has taken the memory.
  absl::Status CheckNotDonated() const { return array_->CheckNotDonated(); }
  // As of RemoteArray.
  absl::Status BeginCopy() const { return array_->BeginCopy(); }
  void EndCopy() const { array_->EndCopy(); }

  const View* view() const override { return &array_->view(); }
  std::shared_ptr<View> live_view() const override {
    return array_->view().shared_from_this();
  }
  const Shape& shape() const override { return shape_; }
  const std::vector<GlobalDeviceId>& devices() const override {
    return devices_;
  }
  std::string HostText(HostId host) const override {
    return array_->view().HostText(host);
  }
  // As far as hosts have told.
  bool is_ready() const override { return array_->state().is_ready(); }
  absl::Status Await(absl::Time deadline) const override;
  absl::StatusOr<std::shared_ptr<Shards>> Select(
      absl::Span<const int64_t> positions) const override;
  absl::StatusOr<std::vector<Literal>> Fetch(
      absl::Span<const int64_t> positions) const override;
  absl::Status Read(absl::Span<const int64_t> positions,
                    const ByteSink& sink) const override;
  absl::Status ReadInto(absl::Span<const int64_t> positions,
                        absl::Span<std::byte> to) const override;

 private:
  RemoteShards(std::shared_ptr<RemoteArray> array, Shape shape,
               std::vector<GlobalDeviceId> devices, bool comes_with_news);
  absl::StatusOr<RemoteRead> StartRead(
      absl::Span<const GlobalDeviceId> devices) const;
  // Waits for the shards at `positions`, then runs `copy` while no launch can
  // take them.
  absl::Status WithShards(
      absl::Span<const int64_t> positions,
      const std::function<absl::Status(const RemoteRead&)>& copy) const;

  const Shape shape_;
  const std::vector<GlobalDeviceId> devices_;
  // Hosts send it with the news that it is there, when it is what they compute
  // last.
  const bool comes_with_news_;
  const std::shared_ptr<RemoteArray> array_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_REMOTE_SHARDS_H_
