#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_DEVICE_PUT_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_DEVICE_PUT_H_

#include <concepts>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/arrays/sharding.h"
#include "client/global_arrays/make_array.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// `x` laid out by `sharding`, or on one device (spec M-9). options.dtype is
// that of `x`, when it is given.
//
// A host value, in the host view also rows of this host, is cut up and copied
// to the devices here. Where devices of several hosts are among them every one
// of those hosts passes the whole value; unless options.check_equal is false,
// they compare its digest.
//
// An array on the devices of any mesh is resharded: what a device has stays
// there, all else goes from device to device, directly from host to host, in
// the order of the calls. All hosts of both meshes make the call; on other
// hosts nothing happens, and the result has no shard there. Where every device
// has its part already nothing is called.
//
// Errors beside those of make_array.h:
//   INVALID_ARGUMENT     in the host view, an array on one device to devices of
//                        several hosts: see broadcast_one_to_all,
//                        make_array_from_single_device_arrays
//   FAILED_PRECONDITION  an array to one device whose host cannot fetch it;
//                        hosts make different calls
// and those of the launch, which are in the result.
absl::StatusOr<Array> device_put(const Array& x, const NamedSharding& sharding,
                                 ArrayOptions options = {});
absl::StatusOr<Array> device_put(const Array& x, const Device& device,
                                 ArrayOptions options = {});

// Every leaf of a tree, in the order of a Tree. `shardings` is a prefix of it:
// the sharding of a leaf holds for all that is below it, and where there is
// nothing the array remains what it is. INVALID_ARGUMENT: it is no prefix.
// Errors have the path of their leaf before them.
absl::StatusOr<Tree<Array>> device_put(const Tree<Array>& arrays,
                                       const Tree<NamedSharding>& shardings,
                                       const ArrayOptions& options = {});
// The same in containers of C++ types, which both keep; or to one device.
template <internal::ContainerOf<Array> T, typename Shardings>
auto device_put(const T& arrays, const Shardings& shardings,
                const ArrayOptions& options = {}) {
  return internal::CallOnTree<Array>(arrays, [&](const Tree<Array>& tree) {
    if constexpr (std::same_as<Shardings, Device>) {
      return device_put(
          tree, Tree<NamedSharding>(SingleDeviceSharding(shardings)), options);
    } else {
      return device_put(tree, internal::TreeOf<NamedSharding>(shardings),
                        options);
    }
  });
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_DEVICE_PUT_H_
