#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_HOST_ARRAYS_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_HOST_ARRAYS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/global_arrays/make_array.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/partition_spec.h"

// Between arrays of one host, each of which is its part of an array of global
// shape, and that array. Trees keep their form; they are a Tree, or other
// containers (see tree_walk.h), also those of specs. All hosts of the mesh make
// the same calls; no data moves between them. Errors beside those of
// make_array.h have the path of their leaf before them.

namespace lockstep {

// T-27: the host's data covers its part of the mesh, which must be a box (see
// Mesh::LocalMesh); the global shape follows. `specs` is a prefix of the tree:
// the spec of a leaf holds for all that is below it, and nothing is
// PartitionSpec(). INVALID_ARGUMENT: it is no prefix; the host's part is no
// box. FAILED_PRECONDITION: the host has no device in the mesh.
absl::StatusOr<Tree<Array>> host_local_array_to_global_array(
    const Tree<Array>& arrays, const Mesh& mesh,
    const Tree<PartitionSpec>& specs, const ArrayOptions& options = {});
absl::StatusOr<Array> host_local_array_to_global_array(
    const Array& array, const Mesh& mesh, const PartitionSpec& spec,
    const ArrayOptions& options = {});
template <internal::ContainerOf<Array> T, typename Specs>
auto host_local_array_to_global_array(const T& arrays, const Mesh& mesh,
                                      const Specs& specs,
                                      const ArrayOptions& options = {}) {
  return internal::CallOnTree<Array>(arrays, [&](const Tree<Array>& tree) {
    return host_local_array_to_global_array(
        tree, mesh, internal::TreeOf<PartitionSpec>(specs), options);
  });
}

// The way back: the host's part of each array, on its devices, laid out over
// its part of the mesh. An array that is laid out in another way is resharded.
absl::StatusOr<Tree<Array>> global_array_to_host_local_array(
    const Tree<Array>& arrays, const Mesh& mesh,
    const Tree<PartitionSpec>& specs, const ArrayOptions& options = {});
absl::StatusOr<Array> global_array_to_host_local_array(
    const Array& array, const Mesh& mesh, const PartitionSpec& spec,
    const ArrayOptions& options = {});
template <internal::ContainerOf<Array> T, typename Specs>
auto global_array_to_host_local_array(const T& arrays, const Mesh& mesh,
                                      const Specs& specs,
                                      const ArrayOptions& options = {}) {
  return internal::CallOnTree<Array>(arrays, [&](const Tree<Array>& tree) {
    return global_array_to_host_local_array(
        tree, mesh, internal::TreeOf<PartitionSpec>(specs), options);
  });
}

enum class DataPartition {
  kFull,        // dimension 0 over all axes of the mesh
  kReplicated,  // the whole value on every device
};

// L-1, for every mesh. kFull: the host's rows are cut into equal blocks, one
// for each of its devices in the order of the mesh; the array has as many times
// the rows as the world has hosts. kReplicated: all hosts pass the same value,
// which they compare. INVALID_ARGUMENT: rows that the devices do not divide.
// FAILED_PRECONDITION: the host has no device in the mesh.
absl::StatusOr<Tree<Array>> host_to_global_array(
    const Tree<Array>& arrays, const Mesh& mesh,
    DataPartition partition = DataPartition::kFull,
    const ArrayOptions& options = {});
absl::StatusOr<Array> host_to_global_array(
    const Array& array, const Mesh& mesh,
    DataPartition partition = DataPartition::kFull,
    const ArrayOptions& options = {});
template <internal::ContainerOf<Array> T>
auto host_to_global_array(const T& arrays, const Mesh& mesh,
                          DataPartition partition = DataPartition::kFull,
                          const ArrayOptions& options = {}) {
  return internal::CallOnTree<Array>(arrays, [&](const Tree<Array>& tree) {
    return host_to_global_array(tree, mesh, partition, options);
  });
}

struct LocalDataOptions {
  int64_t batch_dim = 0;
  // Over which axes of the mesh the batch is sharded in the end, the major one
  // first; none: all of them.
  std::optional<std::vector<std::string>> axes = {};
};

// S-10: a batch of every host, cut along one dimension into equal parts for the
// host's devices in the order of the world, becomes one array, which has as
// many times the batch as there are hosts. A device's part is the block of its
// position in the mesh; then the array is resharded over `axes`, for which data
// moves between hosts. The mesh has all devices of all hosts. INVALID_ARGUMENT:
// a batch that the devices do not divide; an axis that the mesh lacks. Without
// check_equal such an error is this host's alone: the others make the call that
// reshards, and wait for this host there.
absl::StatusOr<Tree<Array>> local_data_to_global_array(
    const Tree<Array>& batch, const Mesh& mesh,
    const LocalDataOptions& local = {}, const ArrayOptions& options = {});
absl::StatusOr<Array> local_data_to_global_array(
    const Array& batch, const Mesh& mesh, const LocalDataOptions& local = {},
    const ArrayOptions& options = {});
template <internal::ContainerOf<Array> T>
auto local_data_to_global_array(const T& batch, const Mesh& mesh,
                                const LocalDataOptions& local = {},
                                const ArrayOptions& options = {}) {
  return internal::CallOnTree<Array>(batch, [&](const Tree<Array>& tree) {
    return local_data_to_global_array(tree, mesh, local, options);
  });
}

struct GlobalToHostOptions {
  // Parts that several devices here have are joined as often.
  bool keep_duplicate_shards = false;
};

// L-2, the inverse, as values in host memory: the shards that are here, in the
// order of their indices, joined on dimension 0 (kFull), or the first of them
// (kReplicated). Asks no other host. INVALID_ARGUMENT: leaves that differ from
// the first one in dimension 0, or in which of their shards are here; no shard
// here; with kFull, two shards of one index here.
absl::StatusOr<Tree<Array>> global_to_host_array(
    const Tree<Array>& arrays, DataPartition partition = DataPartition::kFull,
    const GlobalToHostOptions& options = {});
absl::StatusOr<Array> global_to_host_array(
    const Array& array, DataPartition partition = DataPartition::kFull,
    const GlobalToHostOptions& options = {});
template <internal::ContainerOf<Array> T>
auto global_to_host_array(const T& arrays,
                          DataPartition partition = DataPartition::kFull,
                          const GlobalToHostOptions& options = {}) {
  return internal::CallOnTree<Array>(arrays, [&](const Tree<Array>& tree) {
    return global_to_host_array(tree, partition, options);
  });
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_HOST_ARRAYS_H_
