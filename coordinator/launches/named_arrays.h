#ifndef LOCKSTEP_COORDINATOR_LAUNCHES_NAMED_ARRAYS_H_
#define LOCKSTEP_COORDINATOR_LAUNCHES_NAMED_ARRAYS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/cluster/array_description.h"
#include "runtime/cluster/command.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {

// Which arrays have which names. An array with a name has a handle of kNoClient
// on the hosts, whose commands are in one order: what is decided here holds for
// the commands that follow from it in that order. Not thread-safe; owned by
// Coordinator.
class NamedArrays {
 public:
  struct Entry {
    ArrayHandle handle;
    ArrayDescription array;
    std::string client;          // who gave it the name
    std::vector<HostRef> hosts;  // of its devices, as they live
  };

  // INVALID_ARGUMENT: no name that there may be.
  static absl::Status CheckName(const std::string& name);

  // The handle that the array has from now on, and that of the one that had the
  // name before and `replaces`. ALREADY_EXISTS says what has the name.
  struct Named {
    ArrayHandle handle;
    std::optional<ArrayHandle> replaced;
  };
  absl::StatusOr<Named> Add(const std::string& name, Entry entry,
                            bool replaces);
  // NOT_FOUND names similar ones.
  absl::StatusOr<const Entry*> Find(const std::string& name) const;
  // The entry, which has no name any more. NOT_FOUND.
  absl::StatusOr<Entry> Remove(const std::string& name);

  const std::map<std::string, Entry>& entries() const { return entries_; }

 private:
  absl::Status NotFound(const std::string& name) const;

  std::map<std::string, Entry> entries_;
  int64_t last_number_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_LAUNCHES_NAMED_ARRAYS_H_
