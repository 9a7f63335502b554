#include "client/files/array_files.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/arrays/array_layout.h"
#include "client/global_arrays/array_assembly.h"
#include "runtime/base/status.h"
#include "runtime/files/npz.h"
#include "runtime/files/safetensors.h"
#include "runtime/types/host_tensor.h"
#include "runtime/types/literal.h"
#include "runtime/types/npy.h"

namespace lockstep {

using internal::AddressableDevices;
using internal::Annotate;
using internal::ArrayLayout;
using internal::ArrayParts;
using internal::AssembleArray;
using internal::HostTensor;
using internal::ViewOf;

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

// With all tensors that `shardings` names.
absl::StatusOr<SafetensorsFile> OpenFor(
    const std::string& path,
    const std::map<std::string, NamedSharding>& shardings) {
  ASSIGN_OR_RETURN(SafetensorsFile file, SafetensorsFile::Open(path));
  for (const auto& [name, sharding] : shardings) {
    if (file.tensors().contains(name)) continue;
    return absl::NotFoundError(
        absl::StrCat(path, ": safetensors: no tensor \"", name, "\""));
  }
  return file;
}

// What the addressable devices have of a tensor, each part once.
absl::StatusOr<ArrayParts> ReadParts(
    const View& view, const absl::StatusOr<SafetensorsFile>& file,
    const std::string& name, const NamedSharding& sharding) {
  RETURN_IF_ERROR(file.status());
  const Shape& shape = file->tensors().find(name)->second.shape;
  ArrayParts parts;
  ASSIGN_OR_RETURN(
      parts.layout,
      ArrayLayout::Create(sharding, shape.element_type(), shape.dims()));
  std::map<int64_t, HostTensor> by_number;
  for (int64_t position :
       parts.layout->PositionsOf(AddressableDevices(view, sharding.mesh()))) {
    HostTensor& tensor = by_number[parts.layout->number(position)];
    if (tensor.owner == nullptr) {
      ASSIGN_OR_RETURN(Literal part,
                       file->ReadBox(name, parts.layout->box(position)));
      tensor = HostTensor::Of(std::make_shared<const Literal>(std::move(part)));
    }
    parts.tensors.push_back(tensor);
  }
  return parts;
}

}  // namespace

absl::Status save_npy(const std::string& path, const Array& array) {
  const absl::StatusOr<HostTensor> tensor = array.Share();
  if (!tensor.ok()) return Annotate(tensor.status(), path);
  return WriteNpyFile(path, tensor->view);
}

absl::StatusOr<Array> load_npy(const std::string& path,
                               std::optional<ElementType> opaque_type) {
  ASSIGN_OR_RETURN(Literal value, ReadNpyFile(path, opaque_type));
  return Array(std::move(value));
}

absl::StatusOr<Shape> npy_shape(const std::string& path,
                                std::optional<ElementType> opaque_type) {
  return ReadNpyShape(path, opaque_type);
}

absl::Status save_npz(const std::string& path, const Tree<Array>& arrays,
                      const SaveNpzOptions& options) {
  ASSIGN_OR_RETURN(const NamedTensors named, TensorsOf(path, arrays));
  return WriteNpzFile(path, named.views(),
                      {.is_compressed = options.is_compressed});
}

absl::StatusOr<std::map<std::string, Array>> load_npz(
    const std::string& path,
    const std::map<std::string, ElementType>& opaque_types) {
  ASSIGN_OR_RETURN(auto values, ReadNpzFile(path, opaque_types));
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
  const std::string call = "load_safetensors";
  ASSIGN_OR_RETURN(const auto view, ViewOf(options, call));
  // An error of this host alone goes to the others, who wait for the first of
  // the arrays.
  const absl::StatusOr<SafetensorsFile> file = OpenFor(path, shardings);
  std::map<std::string, Array> arrays;
  for (const auto& [name, sharding] : shardings) {
    absl::StatusOr<Array> array = AssembleArray(
        view, call, sharding, ReadParts(*view, file, name, sharding), options);
    if (!array.ok()) {
      return Annotate(array.status(), absl::StrCat(path, ": \"", name, "\""));
    }
    arrays.emplace(name, *std::move(array));
  }
  return arrays;
}

}  // namespace lockstep
