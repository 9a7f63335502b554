#ifndef LOCKSTEP_CLIENT_CHECKPOINT_CHECKPOINT_SAVE_H_
#define LOCKSTEP_CLIENT_CHECKPOINT_CHECKPOINT_SAVE_H_

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/checkpoint/call_hosts.h"
#include "client/checkpoint/checkpoint.h"
#include "client/checkpoint/host_save.h"
#include "client/checkpoint/save_plan.h"
#include "runtime/checkpoint/checkpoint_folder.h"

namespace lockstep::internal {

// One save, of one thread: its part of the arrays is written first, without
// other hosts; Await is where they meet.
class CheckpointSave {
 public:
  // Writes at once; or, `in_background`, copies, and writes on a thread.
  CheckpointSave(std::string folder, const Tree<Array>& arrays,
                 const SaveOptions& options, bool in_background);
  // Removes what was written, unless it has become the checkpoint.
  ~CheckpointSave();

  // See PendingSave.
  absl::Status Await();

 private:
  absl::Status Begin(const Tree<Array>& arrays, bool in_background);
  // Where hosts write the files, which this process need not see.
  absl::Status BeginOnHosts(const CallHosts::HostFolder& folder,
                            const Tree<Array>& arrays, bool in_background);
  // What it has written is in written_.
  void JoinWriter();
  absl::Status Commit();
  absl::Status CommitWithOthers();
  absl::Status Agree(std::vector<AgreementRecord::Field> fields,
                     const absl::Status& error);
  // What all hosts have written.
  absl::StatusOr<Manifest> Gather();
  // What this host has written, which nobody will use.
  void RemoveOwnFiles();

  const std::string folder_;
  const SaveOptions options_;
  std::optional<CallHosts> hosts_;  // none: there is no view
  std::unique_ptr<const FolderLease> lease_;
  std::unique_ptr<HostSave> by_hosts_;  // null: this process writes
  absl::Status written_;
  // Of the thread, while it runs.
  SavePlan plan_;
  absl::Status written_later_;
  std::thread writer_;
  // Once the manifest may name them, the files are not this host's to remove.
  bool is_handed_over_ = false;
  std::optional<absl::Status> result_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CHECKPOINT_CHECKPOINT_SAVE_H_
