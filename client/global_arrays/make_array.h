#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_MAKE_ARRAY_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_MAKE_ARRAY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/arrays/view.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/shard_index.h"
#include "runtime/types/element_type.h"

// Arrays of global shape from what the hosts have. No data moves between hosts.
//
// In the host view every host of the sharding's mesh makes the same calls in
// the same order, each with its own part; on a host without a device in the
// mesh the result is an array without a shard there (spec M-4). In the global
// view the caller has all parts. Errors of all of them:
//   INVALID_ARGUMENT     dims that the sharding does not divide; data of a
//   wrong
//                        shape or element type; no device of the mesh is here
//                        and no `dtype` says what the array is of
//   FAILED_PRECONDITION  hosts differ in shape, element type or sharding, or in
//                        the data of one part that several of them have
//   ABORTED              the call failed on another host, which it names
//   RESOURCE_EXHAUSTED   no memory on a device

namespace lockstep {

using internal::View;

struct ArrayOptions {
  // Of the elements; none: that of the data.
  std::optional<ElementType> dtype = {};
  // Hosts compare what they say of the array, and digests of the parts that
  // several of them have, and wait for each other (spec M-18, M-20). Without it
  // a host that differs is noticed only by what is computed from the array.
  bool check_equal = true;
  // As of PmapOptions.
  std::string sequence = {};
  // Where the array lies; null: on this host, by Initialize.
  std::shared_ptr<View> view = {};
};

// Gives the part of the array at `index`: a host value of the shard's shape.
using ShardCallback =
    std::function<absl::StatusOr<Array>(const ShardIndex& index)>;

// M-5: `callback` is called once for each different part that devices of this
// host have, in the order of the mesh. Its errors are the call's.
absl::StatusOr<Array> make_array_from_callback(const std::vector<int64_t>& dims,
                                               const NamedSharding& sharding,
                                               const ShardCallback& callback,
                                               ArrayOptions options = {});

// M-7: `data` holds, in every dimension, either all of the array or the slices
// of this host's devices, one after the other. Without `global_dims` the array
// is as many times as large as the hosts have different slices, and they must
// be uniform over the hosts (see HostIndexAndCount).
absl::StatusOr<Array> make_array_from_process_local_data(
    const NamedSharding& sharding, const Array& data,
    const std::optional<std::vector<int64_t>>& global_dims = {},
    ArrayOptions options = {});

// M-6: one array for each device of this host in the mesh, in any order;
// without a copy. In the global view one for each device of the mesh, which are
// read and put again.
absl::StatusOr<Array> make_array_from_single_device_arrays(
    const std::vector<int64_t>& dims, const NamedSharding& sharding,
    const std::vector<Array>& arrays, ArrayOptions options = {});

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_MAKE_ARRAY_H_
