#include "runtime/worker/daemon/save_turns.h"

#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// How often one that waits looks whether its own client is still there.
constexpr absl::Duration kClientCheck = absl::Milliseconds(200);
// How long the save of a client that is gone may take to end: the time of a
// block, unless the disk hangs.
constexpr absl::Duration kEndLimit = absl::Minutes(1);

}  // namespace

absl::StatusOr<std::unique_ptr<const SaveTurns::Turn>> SaveTurns::Take(
    const std::string& folder, IsGone is_gone) {
  RETURN_IF_ERROR(Begin(folder, std::move(is_gone)));
  auto turn = absl::WrapUnique(new Turn(this, folder));
  ASSIGN_OR_RETURN(turn->lease_, FolderLease::Take(folder));
  return turn;
}

absl::Status SaveTurns::Begin(const std::string& folder, IsGone is_gone) {
  absl::MutexLock lock(&mutex_);
  const absl::Time limit = absl::Now() + kEndLimit;
  for (auto it = running_.find(folder); it != running_.end();
       it = running_.find(folder)) {
    if (!it->second()) {
      return absl::FailedPreconditionError(absl::StrCat(
          folder, ": another client has not ended its save to this folder"));
    }
    if (is_gone()) return absl::CancelledError("the client is gone");
    if (absl::Now() >= limit) {
      return absl::FailedPreconditionError(absl::StrCat(
          folder, ": the save of a client that is gone has not ended within ",
          absl::FormatDuration(kEndLimit)));
    }
    ended_.WaitWithTimeout(&mutex_, kClientCheck);
  }
  running_.emplace(folder, std::move(is_gone));
  return absl::OkStatus();
}

SaveTurns::Turn::~Turn() {
  lease_.reset();
  absl::MutexLock lock(&turns_.mutex_);
  turns_.running_.erase(folder_);
  turns_.ended_.SignalAll();
}

}  // namespace lockstep::internal
