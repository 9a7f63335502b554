#ifndef LOCKSTEP_CLIENT_CHECKPOINT_HOST_SAVE_H_
#define LOCKSTEP_CLIENT_CHECKPOINT_HOST_SAVE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/arrays/checkpoint_hosts.h"
#include "client/checkpoint/call_hosts.h"
#include "client/trees/tree.h"
#include "runtime/checkpoint/manifest.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// A save of which hosts write all files, driven by one caller. Of one thread at
// a time.
class HostSave {
 public:
  // `target` outlives this; `folder`: as hosts see it.
  HostSave(CheckpointHosts* target, std::string folder, CallHosts hosts)
      : target_(*target),
        folder_(std::move(folder)),
        hosts_(std::move(hosts)) {}

  // Finds what each host writes; values in host memory go to a device. Errors
  // as of save().
  absl::Status Plan(const Tree<Array>& arrays);
  // Until all is written. `on_copied`: see CheckpointHosts::Write.
  absl::Status Write(const std::function<void()>& on_copied);
  absl::Status PutInPlace();
  // Removes what was written.
  void GiveUp();

 private:
  absl::Status PlanArray(const Array& array, ManifestArray& planned,
                         std::map<HostId, int64_t>& bytes);
  void Add(const Array& array, std::vector<int64_t> starts, int64_t position);

  CheckpointHosts& target_;
  const std::string folder_;
  const CallHosts hosts_;
  Manifest manifest_;  // of all arrays, without shards
  std::vector<CheckpointHosts::Source> sources_;
  std::vector<std::string> written_;  // by host
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CHECKPOINT_HOST_SAVE_H_
