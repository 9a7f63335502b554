#include "client/global_arrays/make_array.h"

#include <exception>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/global_arrays/array_assembly.h"
#include "runtime/base/status.h"
#include "runtime/mesh/host_data_layout.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {

using internal::AddressableDevices;
using internal::ArrayLayout;
using internal::ArrayParts;
using internal::AssembleArray;
using internal::HostTensor;
using internal::Shards;
using internal::TakeShards;
using internal::TupleText;
using internal::ViewOf;

namespace {

absl::Status NoTypeError(const View& view, const Mesh& mesh) {
  return absl::InvalidArgumentError(absl::StrCat(
      "no device of the mesh is here, so dtype must say what the array is of; "
      "its devices are on ",
      absl::StrJoin(mesh.hosts(), ", ", [&](std::string* out, HostId host) {
        absl::StrAppend(out, view.HostText(host));
      })));
}

// What is wrong with the data of a shard, named `device` in messages.
absl::Status CheckShard(const Shape& found, const ArrayLayout& layout,
                        GlobalDeviceId device) {
  if (found.element_type() != layout.shape().element_type()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the shard for device ", device.value(), " is ",
                     NumpyName(found.element_type()), ", expected ",
                     NumpyName(layout.shape().element_type())));
  }
  if (found != layout.shard_shape()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the shard for device ", device.value(), " has shape ",
        TupleText(found.dims()), ", expected ",
        TupleText(layout.shard_shape().dims()), " for the array of shape ",
        TupleText(layout.shape().dims()), " with ",
        layout.sharding().ToString()));
  }
  return absl::OkStatus();
}

// Other hosts wait for this one, whatever the callback does.
absl::StatusOr<Array> Caught(const ShardCallback& callback,
                             const ShardIndex& index) {
  try {
    return callback(index);
  } catch (const std::exception& e) {
    return absl::UnknownError(absl::StrCat("the callback threw: ", e.what()));
  } catch (...) {
    return absl::UnknownError("the callback threw something");
  }
}

absl::StatusOr<ArrayParts> CallBack(const View& view,
                                    absl::Span<const int64_t> dims,
                                    const NamedSharding& sharding,
                                    const ShardCallback& callback,
                                    std::optional<ElementType> type) {
  const std::vector<GlobalDeviceId> devices =
      AddressableDevices(view, sharding.mesh());
  if (devices.empty() && !type.has_value()) {
    return NoTypeError(view, sharding.mesh());
  }
  ArrayParts parts;
  ASSIGN_OR_RETURN(
      parts.layout,
      ArrayLayout::Create(sharding, type.value_or(ElementType::kPred), dims));
  absl::flat_hash_map<int64_t, HostTensor> values;
  for (GlobalDeviceId device : devices) {
    const int64_t position = *sharding.mesh().PositionOf(device);
    const int64_t number = parts.layout->number(position);
    auto it = values.find(number);
    if (it == values.end()) {
      ASSIGN_OR_RETURN(const Array value,
                       Caught(callback, parts.layout->index(position)));
      if (!type.has_value()) {
        type = value.dtype();
        ASSIGN_OR_RETURN(parts.layout,
                         ArrayLayout::Create(sharding, *type, dims));
      }
      RETURN_IF_ERROR(CheckShard(value.shape(), *parts.layout, device));
      ASSIGN_OR_RETURN(HostTensor tensor, value.Share());
      it = values.emplace(number, std::move(tensor)).first;
    }
    parts.tensors.push_back(it->second);
  }
  return parts;
}

std::string IdsText(absl::Span<const GlobalDeviceId> devices) {
  return absl::StrJoin(devices, ", ", [](std::string* out, GlobalDeviceId id) {
    absl::StrAppend(out, id.value());
  });
}

// The one shard of an array on a single device of the view.
absl::StatusOr<std::shared_ptr<Shards>> OnlyShard(const View& view,
                                                  const Array& array) {
  RETURN_IF_ERROR(array.CheckUsable());
  const std::shared_ptr<Shards>& shards = array.shards();
  if (shards == nullptr) {
    return absl::InvalidArgumentError(
        "an array is in host memory, not on a device; device_put puts it "
        "there");
  }
  const bool is_whole = array.layout() != nullptr
                            ? array.layout()->mesh().size() == 1
                            : !array.placement().dim.has_value();
  if (shards->devices().size() != 1 || !is_whole || shards->view() != &view) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected arrays on single devices, found one of ",
                     array.sharding().ToString()));
  }
  return shards;
}

absl::StatusOr<ArrayParts> JoinArrays(View& view,
                                      absl::Span<const int64_t> dims,
                                      const NamedSharding& sharding,
                                      const std::vector<Array>& arrays,
                                      std::optional<ElementType> type) {
  const std::vector<GlobalDeviceId> devices =
      AddressableDevices(view, sharding.mesh());
  if (!type.has_value() && arrays.empty()) {
    if (devices.empty()) return NoTypeError(view, sharding.mesh());
  }
  if (!type.has_value() && !arrays.empty()) type = arrays[0].dtype();
  ArrayParts parts;
  ASSIGN_OR_RETURN(
      parts.layout,
      ArrayLayout::Create(sharding, type.value_or(ElementType::kPred), dims));
  std::map<GlobalDeviceId, std::shared_ptr<Shards>> by_device;
  std::vector<GlobalDeviceId> given;
  for (const Array& array : arrays) {
    ASSIGN_OR_RETURN(std::shared_ptr<Shards> shard, OnlyShard(view, array));
    given.push_back(shard->devices()[0]);
    RETURN_IF_ERROR(CheckShard(array.shape(), *parts.layout, given.back()));
    if (!by_device.emplace(given.back(), std::move(shard)).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("two arrays are on device ", given.back().value()));
    }
  }
  std::vector<std::shared_ptr<Shards>> ordered;
  for (GlobalDeviceId device : devices) {
    const auto it = by_device.find(device);
    if (it != by_device.end()) ordered.push_back(it->second);
  }
  if (ordered.size() != devices.size() || given.size() != devices.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected an array on each of the ", devices.size(),
                     " addressable devices of the mesh, ", IdsText(devices),
                     ", found ", given.size(), " on devices ", IdsText(given)));
  }
  if (!ordered.empty()) {
    ASSIGN_OR_RETURN(parts.shards, view.Join(std::move(ordered)));
  }
  return parts;
}

}  // namespace

absl::StatusOr<Array> make_array_from_callback(const std::vector<int64_t>& dims,
                                               const NamedSharding& sharding,
                                               const ShardCallback& callback,
                                               ArrayOptions options) {
  const std::string call = "make_array_from_callback";
  ASSIGN_OR_RETURN(const auto view, ViewOf(options, call));
  return AssembleArray(view, call, sharding,
                       CallBack(*view, dims, sharding, callback, options.dtype),
                       options);
}

absl::StatusOr<Array> make_array_from_process_local_data(
    const NamedSharding& sharding, const Array& data,
    const std::optional<std::vector<int64_t>>& global_dims,
    ArrayOptions options) {
  const std::string call = "make_array_from_process_local_data";
  ASSIGN_OR_RETURN(const auto view, ViewOf(options, call));
  const auto take = [&]() -> absl::StatusOr<ArrayParts> {
    // Data that carries an error has no shape to complain about.
    RETURN_IF_ERROR(data.CheckUsable());
    std::optional<absl::Span<const int64_t>> global;
    if (global_dims.has_value()) {
      global = *global_dims;
      if (AddressableDevices(*view, sharding.mesh()).empty()) {
        ArrayParts parts;
        ASSIGN_OR_RETURN(
            parts.layout,
            ArrayLayout::Create(sharding, data.dtype(), *global_dims));
        return parts;
      }
    }
    ASSIGN_OR_RETURN(
        const HostDataLayout where,
        LayOutHostData(sharding, view->host(), data.shape().dims(), global));
    return TakeShards(data, where, sharding);
  };
  return AssembleArray(view, call, sharding, take(), options);
}

absl::StatusOr<Array> make_array_from_single_device_arrays(
    const std::vector<int64_t>& dims, const NamedSharding& sharding,
    const std::vector<Array>& arrays, ArrayOptions options) {
  const std::string call = "make_array_from_single_device_arrays";
  ASSIGN_OR_RETURN(const auto view, ViewOf(options, call));
  return AssembleArray(view, call, sharding,
                       JoinArrays(*view, dims, sharding, arrays, options.dtype),
                       options);
}

}  // namespace lockstep
