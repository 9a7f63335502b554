#ifndef LOCKSTEP_CLIENT_ARRAYS_HOST_NAMES_H_
#define LOCKSTEP_CLIENT_ARRAYS_HOST_NAMES_H_

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// What hosts are called in messages. Arrays share it, which may outlive the
// view that they come from. Immutable.
class HostNames {
 public:
  HostNames() = default;
  explicit HostNames(absl::flat_hash_map<HostId, std::string> texts)
      : texts_(std::move(texts)) {}

  // "host 3 (gpu03)"; "host 3" when its name is not known.
  std::string Text(HostId host) const {
    const auto it = texts_.find(host);
    return it == texts_.end() ? absl::StrCat("host ", host.value())
                              : it->second;
  }

 private:
  absl::flat_hash_map<HostId, std::string> texts_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_ARRAYS_HOST_NAMES_H_
