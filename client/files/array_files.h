#ifndef LOCKSTEP_CLIENT_FILES_ARRAY_FILES_H_
#define LOCKSTEP_CLIENT_FILES_ARRAY_FILES_H_

#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/global_arrays/make_array.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/types/element_type.h"
#include "runtime/types/shape.h"

// Arrays in the files of others: NumPy's .npy and .npz, and safetensors. For
// what several hosts save together, and restore on another mesh, there are
// checkpoints (checkpoint.h).
//
// Saving fetches the array: FAILED_PRECONDITION unless all of it is here
// (Array::is_fetchable). Every caller writes a
// file of its own; a reader sees what was there before, or all of the file. An
// array of a tree has the path of its leaf as its name (tree_paths).
//
// Errors name the file, and the array:
//   NOT_FOUND         there is no such file, or array
//   INVALID_ARGUMENT  a damaged file; a name that the format does not have; two
//                     leaves of one path
//   UNIMPLEMENTED     an element type that the format, or lockstep, lacks

namespace lockstep {

// Types that NumPy does not have are written as bfloat16 is with ml_dtypes
// ('<V2'), and as bytes that say nothing ('|V1'): float8_e4m3fn, int4. NumPy
// reads these as bytes, whose view(ml_dtypes.float8_e4m3fn) they are; here
// `opaque_type` says what they are, a byte for each element. Without it they
// are UNIMPLEMENTED.
absl::Status save_npy(const std::string& path, const Array& array);
absl::StatusOr<Array> load_npy(
    const std::string& path,
    std::optional<ElementType> opaque_type = std::nullopt);
// What its header says: the data is neither read nor missed.
absl::StatusOr<Shape> npy_shape(
    const std::string& path,
    std::optional<ElementType> opaque_type = std::nullopt);

struct SaveNpzOptions {
  bool is_compressed = false;  // as numpy.savez_compressed
};
absl::Status save_npz(const std::string& path, const Tree<Array>& arrays,
                      const SaveNpzOptions& options = {});
template <internal::ContainerOf<Array> T>
absl::Status save_npz(const std::string& path, const T& arrays,
                      const SaveNpzOptions& options = {}) {
  return save_npz(path, internal::TreeOf<Array>(arrays), options);
}
// All arrays of the file, by name, as values in host memory; `opaque_types`, by
// name, as the `opaque_type` of load_npy.
absl::StatusOr<std::map<std::string, Array>> load_npz(
    const std::string& path,
    const std::map<std::string, ElementType>& opaque_types = {});

// `metadata` are words about the file.
absl::Status save_safetensors(
    const std::string& path, const Tree<Array>& arrays,
    const std::map<std::string, std::string>& metadata = {});
template <internal::ContainerOf<Array> T>
absl::Status save_safetensors(
    const std::string& path, const T& arrays,
    const std::map<std::string, std::string>& metadata = {}) {
  return save_safetensors(path, internal::TreeOf<Array>(arrays), metadata);
}
// All arrays of the file, by name, as values in host memory.
absl::StatusOr<std::map<std::string, Array>> load_safetensors(
    const std::string& path);
// Those that `shardings` names, on the devices: a host reads what these have of
// the file and nothing else. In the host view a call of the meshes' hosts, one
// per array in the order of their names, with the errors of make_array.h; that
// of a host that cannot read the file reaches the others.
absl::StatusOr<std::map<std::string, Array>> load_safetensors(
    const std::string& path,
    const std::map<std::string, NamedSharding>& shardings,
    const ArrayOptions& options = {});

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_FILES_ARRAY_FILES_H_
