#ifndef LOCKSTEP_RUNTIME_WORKER_LAUNCH_H_
#define LOCKSTEP_RUNTIME_WORKER_LAUNCH_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "runtime/arrays/buffer.h"
#include "runtime/cluster/progress.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/collectives/launch_id.h"
#include "runtime/executable/launch_info.h"
#include "runtime/executable/profile_recorder.h"
#include "runtime/executable/progress_cell.h"
#include "runtime/executor/device_launch.h"
#include "runtime/executor/launch_arena.h"
#include "runtime/executor/launch_group.h"
#include "runtime/worker/compiled_program.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {

// One launch on this host: what its devices share. Owned by the tasks on the
// lanes, by what is on the devices' queues, and by the list of active launches.
// Thread-safe.
class Launch : public std::enable_shared_from_this<Launch> {
 public:
  struct Options {
    std::shared_ptr<const CompiledProgram> program;
    LaunchInfo info;
    std::vector<CliqueMember> members;          // by flattened id
    CliqueProvider* clique_provider = nullptr;  // outlives the launch
    // A local device failed, with the launch's first cause; see LaunchGroup.
    std::function<void(const Launch&, const absl::Status&)> on_failure;
    // Somebody else ended the launch; before the local devices learn of it.
    std::function<void(const Launch&, const absl::Status&)> on_abort;
    // The last local device is done; nothing of the launch runs any more.
    std::function<void(const Launch&)> on_done;
    absl::Duration verdict_grace;
    // Before on_done.
    ProfileRequest profile;
    // Of LaunchProgress.
    absl::Duration stall_abort;
    absl::Duration late_abort;
  };
  // One argument of one device, held since the launch was asked for.
  struct Argument {
    // The buffer's, which a later launch may be given before this one runs.
    std::shared_ptr<BufferStorage> storage;
    bool is_donated = false;
    // Until the memory is taken, an owner of the storage: another argument that
    // shares it may be donated to the same launch.
    std::shared_ptr<Buffer> buffer;
  };

  explicit Launch(Options options);

  const CompiledProgram& program() const { return *options_.program; }
  const LaunchInfo& info() const { return options_.info; }
  LaunchKey key() const { return {info().sequence, info().number}; }
  LaunchId id() const { return {info().epoch, info().sequence, info().number}; }
  // "launch 5 of jit_step".
  std::string ToString() const;
  // Whether this life of the host takes part.
  bool Involves(HostId host, Incarnation incarnation) const;

  // Ends the launch because of somebody else.
  void Abort(const absl::Status& cause);

  // What a local device needs to run its part.
  struct LocalPart {
    LaunchArena* arena = nullptr;
    std::vector<Argument> arguments;
    std::vector<std::shared_ptr<Buffer>> results;
  };
  // Begins the part of a local device on the calling thread, once its arguments
  // are placed, and places its results, which become ready with values or the
  // first cause. Once per local device.
  void RunOnLocalDevice(size_t local_device, LocalPart part);
  // The same for all local devices, on the calling thread, where they have run
  // when this returns: of short programs on devices whose queues are inline.
  void RunTogether(std::vector<LocalPart> parts);

  // Over the local devices; `waiting_for` stays empty.
  LaunchProgress Progress() const;
  // "all_reduce #812", the collective that some local device is in; "": none.
  std::string RunningCollective() const;

 private:
  absl::StatusOr<std::vector<LaunchArgument>> TakeArguments(
      std::vector<Argument> arguments, ProgressCell& cell);
  absl::StatusOr<LaunchResults> Run(size_t local_device, LocalPart& part);
  absl::StatusOr<std::vector<LaunchResults>> RunAll(
      std::vector<LocalPart>& parts);
  DeviceLaunch LaunchOf(size_t local_device, LaunchArena& arena);
  // Places the results of a local device, or ends them.
  void Place(const std::vector<std::shared_ptr<Buffer>>& results,
             absl::StatusOr<LaunchResults> values);
  // A local device is done.
  void CountDone();
  // The last one is.
  void End();

  const Options options_;
  LaunchGroup group_;
  std::vector<std::unique_ptr<ProgressCell>> cells_;  // by local device
  // By local device; none: nobody asks for a profile.
  std::vector<std::unique_ptr<ProfileRecorder>> recorders_;
  std::atomic<int> unfinished_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_LAUNCH_H_
