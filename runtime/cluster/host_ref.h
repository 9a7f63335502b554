#ifndef LOCKSTEP_RUNTIME_CLUSTER_HOST_REF_H_
#define LOCKSTEP_RUNTIME_CLUSTER_HOST_REF_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// A host as messages name it, and which life of it is meant.
struct HostRef {
  HostId id;
  std::string name;
  Incarnation incarnation;
  friend bool operator==(const HostRef&, const HostRef&) = default;
};

// "host 3 (gpu03)".
std::string ToString(const HostRef& host);
// 16 hexadecimal digits.
std::string ToString(Incarnation incarnation);

// How many entries of a list a message shows.
inline constexpr size_t kListedHosts = 10;

// "host 0 (a), host 1 (b)"; of more than 10 the first 10 "and 5 more".
std::string HostList(absl::Span<const HostRef> hosts);
// The same for ready-made texts.
std::string CutList(absl::Span<const std::string> texts);

inline std::ostream& operator<<(std::ostream& os, const HostRef& host) {
  return os << ToString(host);
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_HOST_REF_H_
