#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_HOST_EXCHANGE_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_HOST_EXCHANGE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/arrays/array.h"
#include "client/arrays/view.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"

// Values from host to host, outside of programs, in the host view (spec M-13,
// M-14). Every host of the cluster, or of those that are named, makes these
// calls, in the same order; they are among the calls that SyncHosts and pmap
// count. Trees are a Tree or other
// containers (see tree_walk.h), and keep their form. Results are values in host
// memory. Element types stay as they are. Errors of all of them:
//   INVALID_ARGUMENT     hosts have trees of another form, or leaves of another
//                        shape or element type, on all hosts: names a leaf and
//                        what both have; hosts are named without this one, or
//                        one that the cluster does not have
//   FAILED_PRECONDITION  hosts make different calls; the global view, in which
//                        the caller has everything already
//   DEADLINE_EXCEEDED    a host did not come in time, on all, also on it: names
//                        those that did not
//   ABORTED              the call failed on another host, which it names

namespace lockstep {

using internal::View;

struct ExchangeOptions {
  // As of PmapOptions.
  std::string sequence = {};
  // Those that take part, by id; none: all of the cluster.
  std::vector<int> hosts = {};
  // How long hosts wait in this call for one that does not come, or is stuck in
  // it; the first one's counts. Zero: what the coordinator was told. Once all
  // have come and data is under way, four seconds at least.
  absl::Duration deadline = {};
  // Null: this host, by Initialize.
  std::shared_ptr<View> view = {};
};

struct GatherHostsOptions {
  // Joined on dimension 0 instead of on a new one.
  bool tiled = false;
  ExchangeOptions exchange = {};
};

// The values of all hosts in the order of their ids: (hosts, shape...), or
// joined on dimension 0. A scalar gives (hosts) in both modes. An array of
// global shape is gathered whole, and only `tiled`.
absl::StatusOr<Tree<Array>> process_allgather(
    const Tree<Array>& values, const GatherHostsOptions& options = {});
absl::StatusOr<Array> process_allgather(const Array& value,
                                        const GatherHostsOptions& options = {});
template <internal::ContainerOf<Array> T>
auto process_allgather(const T& values,
                       const GatherHostsOptions& options = {}) {
  return internal::CallOnTree<Array>(values, [&](const Tree<Array>& tree) {
    return process_allgather(tree, options);
  });
}

// The bits of the source on every host. None: host 0 is the source.
// INVALID_ARGUMENT: not exactly one host says that it is; names them.
absl::StatusOr<Tree<Array>> broadcast_one_to_all(
    const Tree<Array>& values, std::optional<bool> is_source = {},
    const ExchangeOptions& options = {});
absl::StatusOr<Array> broadcast_one_to_all(const Array& value,
                                           std::optional<bool> is_source = {},
                                           const ExchangeOptions& options = {});
template <internal::ContainerOf<Array> T>
auto broadcast_one_to_all(const T& values, std::optional<bool> is_source = {},
                          const ExchangeOptions& options = {}) {
  return internal::CallOnTree<Array>(values, [&](const Tree<Array>& tree) {
    return broadcast_one_to_all(tree, is_source, options);
  });
}

// OK when the bits are equal on all hosts: equal NaNs are equal, -0 is not 0.
// FAILED_PRECONDITION, on all: names the leaf, which hosts agree, and the first
// element that differs with two of its values.
absl::Status assert_equal(const Tree<Array>& values,
                          const ExchangeOptions& options = {});
template <internal::ContainerOf<Array> T>
absl::Status assert_equal(const T& values,
                          const ExchangeOptions& options = {}) {
  return assert_equal(internal::TreeOf<Array>(values), options);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_HOST_EXCHANGE_H_
