#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_PROFILE_RECORDER_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_PROFILE_RECORDER_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/cluster/device_profile.h"
#include "runtime/executable/duration_sample.h"

namespace lockstep::internal {

class Thunk;
class ThunkSequence;

// Times the thunks of one device in one launch, where they run on the thread
// that executes them. One thread at a time calls what is not said to be
// thread-safe.
class ProfileRecorder {
 public:
  struct Options {
    // How many executions are kept as events; the others are in the sums.
    int64_t most_events = 0;
    // Nanoseconds of a clock that never goes back; null: the system's.
    std::function<int64_t()> now = nullptr;
  };
  // `thunks` outlives this.
  ProfileRecorder(const ThunkSequence& thunks, Options options);

  // The device begins with its part, at `now`; it is over.
  void BeginLaunch(absl::Time now);
  void EndLaunch();
  void SetThreads(int threads) { profile_.threads = threads; }

  // A thunk begins; the one that began last is over.
  void Begin(const Thunk& thunk);
  void End();

  // A collective with this number on the device is queued beside the others.
  // Thread-safe, as are the next two, which come one after the other.
  void QueueBeside(int64_t number, const Thunk& collective);
  // The collective with this number begins; it is over. Nothing when it was not
  // queued beside the others.
  void BeginBeside(int64_t number);
  void EndBeside(int64_t number);

  // Once, when nothing of the launch runs any more.
  DeviceProfile Take();

 private:
  struct Row {
    int64_t count = 0;
    int64_t total = 0;
    int64_t nested = 0;
    int64_t longest = 0;
    DurationSample sample;
    // How often it has begun in the run of its loop with this number.
    int64_t loop_run = -1;
    int64_t begun_in_loop_run = 0;
  };
  struct Open {
    int32_t row = 0;
    int64_t start = 0;
    int64_t nested = 0;
    int64_t event = -1;  // its position; -1: left out
  };
  // Events of thunks that do not overlap but by nesting.
  struct Track {
    std::vector<ThunkEvent> events;
    int64_t left_out = 0;
  };

  void AddRows(const ThunkSequence& thunks, int32_t parent);
  void AddRow(const Thunk& thunk, int32_t parent, bool is_beside);
  int64_t Now() const;
  Open OpenRow(int32_t row, int64_t iteration, Track& track);
  // How long it took.
  int64_t CloseRow(const Open& open, Track& track);

  const Options options_;
  absl::flat_hash_map<const Thunk*, int32_t> positions_;
  DeviceProfile profile_;
  int64_t begin_ = 0;
  // Of thunks beside the others those that run the collective use these, else
  // the executing thread.
  std::vector<Row> rows_;
  std::vector<Open> open_;
  Track track_;

  absl::Mutex mutex_;
  absl::flat_hash_map<int64_t, Open> beside_ ABSL_GUARDED_BY(mutex_);
  Track beside_track_ ABSL_GUARDED_BY(mutex_);
};

// One execution of a thunk, from construction to destruction; of nobody when
// `recorder` is null.
class ProfiledExecution {
 public:
  ProfiledExecution(ProfileRecorder* recorder, const Thunk& thunk)
      : recorder_(recorder) {
    if (recorder_ != nullptr) recorder_->Begin(thunk);
  }
  ~ProfiledExecution() {
    if (recorder_ != nullptr) recorder_->End();
  }
  ProfiledExecution(const ProfiledExecution&) = delete;
  ProfiledExecution& operator=(const ProfiledExecution&) = delete;

 private:
  ProfileRecorder* const recorder_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_PROFILE_RECORDER_H_
