#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_COMMAND_EXECUTOR_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_COMMAND_EXECUTOR_H_

#include <atomic>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "runtime/base/thread_pool.h"
#include "runtime/cluster/command.h"
#include "runtime/worker/daemon/array_store.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {

// Carries out the commands of the global view on one host, one after the
// other, in the order of the cluster. A command that fails leaves its status in
// the arrays that it should have made; later commands go on. Owns one thread;
// what is short runs on the caller's when nothing waits before it.
class CommandExecutor {
 public:
  // Both outlive this object.
  CommandExecutor(Worker* worker, ArrayStore* arrays);

  // Carries out `command` now or later. From one thread at a time, in order.
  void Enqueue(Command command);

 private:
  using LoadResult = absl::StatusOr<std::shared_ptr<LoadedProgram>>;

  using Place = CallRequest::CommandPlace;

  void Execute(const Command& command);
  void Execute(const LoadProgram& load, const Place& place);
  void Execute(const LaunchProgram& launch, const Place& place);
  void Execute(const DeleteArrays& deletion, const Place& place);
  void Execute(const JoinArrays& join, const Place& place);
  void Execute(const CloseClient& close, const Place& place);
  LoadResult TryLoad(const LoadProgram& load, const Place& place);
  // NOT_FOUND: a device of this host has no shard of a part.
  absl::Status TryJoin(const JoinArrays& join);
  absl::Status TryLaunch(const LaunchProgram& launch, const Place& place);
  absl::Status LaunchInCall(const LaunchProgram& launch,
                            const std::shared_ptr<LoadedProgram>& program,
                            const CallTurn& call);
  // Of a launch that is to be timed: what is found, or why nothing is, becomes
  // an array.
  ProfileRequest ProfileRequestOf(const LaunchProgram::Profile& profile,
                                  const LoadedProgram& program) const;
  absl::StatusOr<ShardLists> FindArguments(const LoadedProgram& program,
                                           const LaunchProgram& launch) const;

  Worker* const worker_;
  ArrayStore* const arrays_;
  // Of the thread that carries out a command.
  absl::flat_hash_map<ProgramHandle, LoadResult> programs_;
  std::atomic<int> queued_ = 0;  // those that run included
  ThreadPool queue_;             // last: its thread uses the members above
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_COMMAND_EXECUTOR_H_
