#ifndef LOCKSTEP_CLIENT_ARRAYS_CHECKPOINT_HOSTS_H_
#define LOCKSTEP_CLIENT_ARRAYS_CHECKPOINT_HOSTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/ids.h"
#include "runtime/types/box.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

class Shards;

// Hosts that one caller drives and that write and read checkpoints themselves:
// their bytes do not pass the caller. Manifests are texts here (Manifest).
// Calls block; errors name the host, ABORTED one that is lost. Thread-safe.
class CheckpointHosts {
 public:
  virtual ~CheckpointHosts() = default;

  // Whether `hosts` may use `folder`; false when none of them may use any.
  // FAILED_PRECONDITION names one that may not, unlike others.
  virtual absl::StatusOr<bool> MayUse(const std::string& folder,
                                      const std::set<HostId>& hosts) = 0;

  // A shard of an array, which the host of its device writes.
  struct Source {
    size_t array = 0;  // its place in the manifest
    std::vector<int64_t> starts;
    std::shared_ptr<Shards> shards;
    int64_t position = 0;  // in them
  };
  // Writes the sources, ascending by array and starts: on each host a file of
  // those it has. `manifest`: of all arrays, without shards. What each host has
  // written. After an error it is removed on the hosts that can be reached.
  // `on_copied`: not null when the arrays are copied first; called once all of
  // them are.
  virtual absl::StatusOr<std::vector<std::string>> Write(
      const std::string& folder, const std::string& manifest,
      absl::Span<const Source> sources,
      const std::function<void()>& on_copied) = 0;
  // Puts the manifest in place, on one of `hosts`.
  virtual absl::Status PutInPlace(const std::string& folder,
                                  const std::string& manifest,
                                  const std::set<HostId>& hosts) = 0;
  // Removes the files of these manifests, as far as hosts can be reached.
  virtual void GiveUp(const std::string& folder,
                      absl::Span<const std::string> manifests,
                      const std::set<HostId>& hosts) = 0;

  // The manifest in the folder, as one of `hosts` sees it. NOT_FOUND.
  virtual absl::StatusOr<std::string> Read(const std::string& folder,
                                           const std::set<HostId>& hosts) = 0;
  // What is to be read of one array.
  struct Target {
    std::string path;
    Shape shard_shape;
    std::vector<GlobalDeviceId> devices;
    std::vector<Box> boxes;  // by device
  };
  // On their devices. Every host reads all of its parts before it puts one.
  virtual absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Restore(
      const std::string& folder, const std::string& manifest,
      absl::Span<const Target> targets) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_ARRAYS_CHECKPOINT_HOSTS_H_
