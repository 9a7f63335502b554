#include "client/files/array_files.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/files/npz.h"
#include "runtime/files/safetensors.h"
#include "runtime/types/box.h"
#include "runtime/types/host_tensor.h"
#include "runtime/types/literal.h"
#include "runtime/types/npy.h"

namespace lockstep {

using internal::Annotate;
using internal::Box;
using internal::HostTensor;

namespace {

// The arrays by their names, held for as long as this lives.
struct NamedTensors {
  std::map<std::string, HostTensor> tensors;

  std::map<std::string, LiteralView> views() const {
    std::map<std::string, LiteralView> views;
    for (const auto& [name, tensor] : tensors) views.emplace(name, tensor.view);
    return views;
  }
};

absl::StatusOr<NamedTensors> TensorsOf(const std::string& file,
                                       const Tree<Array>& arrays) {
  NamedTensors named;
  absl::Status status;
  arrays.Transform([&](const Array& array, const std::string& path) {
    if (!status.ok()) return 0;
    absl::StatusOr<HostTensor> tensor = array.Share();
    if (!tensor.ok()) {
      status =
          Annotate(tensor.status(), absl::StrCat(file, ": array '", path, "'"));
    } else if (!named.tensors.emplace(path, *std::move(tensor)).second) {
      status = absl::InvalidArgumentError(absl::StrCat(
          file, ": two leaves of the tree have the path '", path, "'"));
    }
    return 0;
  });
  RETURN_IF_ERROR(status);
  return named;
}

std::map<std::string, Array> ArraysOf(std::map<std::string, Literal> values) {
  std::map<std::string, Array> arrays;
  for (auto& [name, value] : values) {
    arrays.emplace(name, Array(std::move(value)));
  }
  return arrays;
}

Box BoxOf(const ShardIndex& index, const Shape& shape) {
  Box box;
  for (size_t i = 0; i < index.size(); ++i) {
    box.starts.push_back(index[i].start());
    box.sizes.push_back(index[i].stop(shape.dim(static_cast<int>(i))) -
                        index[i].start());
  }
  return box;
}

}  // namespace

absl::Status save_npy(const std::string& path, const Array& array) {
  const absl::StatusOr<HostTensor> tensor = array.Share();
  if (!tensor.ok()) return Annotate(tensor.status(), path);
  return WriteNpyFile(path, tensor->view);
}

absl::StatusOr<Array> load_npy(const std::string& path) {
  ASSIGN_OR_RETURN(Literal value, ReadNpyFile(path));
  return Array(std::move(value));
}

absl::StatusOr<Shape> npy_shape(const std::string& path) {
  return ReadNpyShape(path);
}

absl::Status save_npz(const std::string& path, const Tree<Array>& arrays,
                      const SaveNpzOptions& options) {
  ASSIGN_OR_RETURN(const NamedTensors named, TensorsOf(path, arrays));
  return WriteNpzFile(path, named.views(),
                      {.is_compressed = options.is_compressed});
}

absl::StatusOr<std::map<std::string, Array>> load_npz(const std::string& path) {
  ASSIGN_OR_RETURN(auto values, ReadNpzFile(path));
  return ArraysOf(std::move(values));
}

absl::Status save_safetensors(
    const std::string& path, const Tree<Array>& arrays,
    const std::map<std::string, std::string>& metadata) {
  ASSIGN_OR_RETURN(const NamedTensors named, TensorsOf(path, arrays));
  return WriteSafetensorsFile(path, named.views(), metadata);
}

absl::StatusOr<std::map<std::string, Array>> load_safetensors(
    const std::string& path) {
  ASSIGN_OR_RETURN(auto values, ReadSafetensorsFile(path));
  return ArraysOf(std::move(values));
}

absl::StatusOr<std::map<std::string, Array>> load_safetensors(
    const std::string& path,
    const std::map<std::string, NamedSharding>& shardings,
    const ArrayOptions& options) {
  ASSIGN_OR_RETURN(const SafetensorsFile file, SafetensorsFile::Open(path));
  // Before the first call, so that all hosts stop at the same one.
  for (const auto& [name, sharding] : shardings) {
    if (file.tensors().contains(name)) continue;
    return absl::NotFoundError(
        absl::StrCat(path, ": safetensors: no tensor \"", name, "\""));
  }
  std::map<std::string, Array> arrays;
  for (const auto& [name, sharding] : shardings) {
    const Shape& shape = file.tensors().find(name)->second.shape;
    ArrayOptions of_array = options;
    if (!of_array.dtype.has_value()) of_array.dtype = shape.element_type();
    absl::StatusOr<Array> array = make_array_from_callback(
        {shape.dims().begin(), shape.dims().end()}, sharding,
        [&, &name = name](const ShardIndex& index) -> absl::StatusOr<Array> {
          ASSIGN_OR_RETURN(Literal part,
                           file.ReadBox(name, BoxOf(index, shape)));
          return Array(std::move(part));
        },
        of_array);
    if (!array.ok()) {
      return Annotate(array.status(), absl::StrCat(path, ": \"", name, "\""));
    }
    arrays.emplace(name, *std::move(array));
  }
  return arrays;
}

}  // namespace lockstep
