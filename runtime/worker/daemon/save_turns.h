#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_SAVE_TURNS_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_SAVE_TURNS_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/checkpoint/checkpoint_folder.h"

namespace lockstep::internal {

// Saves of clients to folders: to each one at a time. A client that was killed
// is followed by another one, which need not know that the save of the first
// still ends here. Thread-safe; outlives its turns.
class SaveTurns {
 public:
  // Whether the client of a save is. Called by any thread during its turn,
  // under the lock, so it does not block.
  using IsGone = std::function<bool()>;

  // Until it ends the folder is that of one save.
  class Turn {
   public:
    ~Turn();

   private:
    friend class SaveTurns;
    Turn(SaveTurns* turns, std::string folder)
        : turns_(*turns), folder_(std::move(folder)) {}

    SaveTurns& turns_;
    const std::string folder_;
    std::unique_ptr<const FolderLease> lease_;
  };

  // Makes the folder. Waits for the end of a save whose client is gone.
  // FAILED_PRECONDITION: another save has the folder; CANCELLED: this one's
  // client is gone.
  absl::StatusOr<std::unique_ptr<const Turn>> Take(const std::string& folder,
                                                   IsGone is_gone);

 private:
  // Of the folder, once it is nobody else's.
  absl::Status Begin(const std::string& folder, IsGone is_gone);

  absl::Mutex mutex_;
  absl::CondVar ended_;
  std::map<std::string, IsGone> running_ ABSL_GUARDED_BY(mutex_);  // by folder
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_SAVE_TURNS_H_
