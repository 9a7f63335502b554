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
    std::vector<HostRef> hosts;  // of its devices, in the lives that had it
    bool is_settled = false;     // see Settle
  };

  // INVALID_ARGUMENT: no name that there may be.
  static absl::Status CheckName(const std::string& name);

  // The name belongs to the array from now on. Whether that remains is known
  // when its command has its place: Settle or Undo follows. ALREADY_EXISTS says
  // what has the name, unless it is replaced; ABORTED: that is not settled.
  struct Named {
    ArrayHandle handle;             // of the array, from now on
    std::optional<Entry> replaced;  // what had the name
  };
  absl::StatusOr<Named> Add(const std::string& name, Entry entry,
                            bool replaces);
  void Settle(const std::string& name, const Named& named);
  // What was replaced has the name again; false: somebody has removed the name
  // meanwhile.
  bool Undo(const std::string& name, const Named& named);

  // NOT_FOUND lists names.
  absl::StatusOr<const Entry*> Find(const std::string& name) const;
  // The entry, which has no name any more. NOT_FOUND.
  absl::StatusOr<Entry> Remove(const std::string& name);
  // The hosts that had them have ended.
  void Clear() { entries_.clear(); }

  const std::map<std::string, Entry>& entries() const { return entries_; }

 private:
  absl::Status NotFound(const std::string& name) const;
  // Null: the name has been removed, or given anew.
  Entry* Find(const std::string& name, const Named& named);

  std::map<std::string, Entry> entries_;
  int64_t last_number_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_LAUNCHES_NAMED_ARRAYS_H_
