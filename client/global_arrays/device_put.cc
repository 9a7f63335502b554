#include "client/global_arrays/device_put.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "client/global_arrays/array_assembly.h"
#include "client/global_arrays/reshard.h"
#include "client/trees/tree_prefix.h"
#include "runtime/base/status.h"
#include "runtime/mesh/host_data_layout.h"
#include "runtime/types/box.h"

namespace lockstep {

using internal::AddressableDevices;
using internal::ArrayLayout;
using internal::ArrayParts;
using internal::AssembleArray;
using internal::DigestText;
using internal::TakeShards;
using internal::ViewOf;

namespace {

constexpr char kCall[] = "device_put";

absl::StatusOr<ArrayParts> CutUp(const View& view, const Array& x,
                                 const NamedSharding& sharding) {
  RETURN_IF_ERROR(x.CheckUsable());
  ArrayParts parts;
  ASSIGN_OR_RETURN(parts.layout,
                   ArrayLayout::Create(sharding, x.dtype(), x.shape().dims()));
  HostDataLayout whole;
  const absl::Span<const int64_t> dims = x.shape().dims();
  whole.global_shape.assign(dims.begin(), dims.end());
  whole.data_shape = whole.global_shape;
  const absl::Span<const int64_t> shard = parts.layout->shard_shape().dims();
  whole.shard_shape.assign(shard.begin(), shard.end());
  const std::vector<GlobalDeviceId> devices =
      AddressableDevices(view, sharding.mesh());
  if (devices.empty()) return parts;  // the value is not looked at
  for (int64_t position : parts.layout->PositionsOf(devices)) {
    whole.starts.push_back(parts.layout->box(position).starts);
  }
  return TakeShards(x, whole, sharding);
}

absl::StatusOr<Array> PutHostValue(const std::shared_ptr<View>& view,
                                   const Array& x,
                                   const NamedSharding& sharding,
                                   const ArrayOptions& options) {
  absl::StatusOr<ArrayParts> parts = CutUp(*view, x, sharding);
  const bool is_compared = options.check_equal && view->host().has_value() &&
                           sharding.mesh().hosts().size() > 1;
  if (is_compared && parts.ok() && !parts->tensors.empty()) {
    const auto value = x.Share();
    if (value.ok()) {
      // All of it, also what no two hosts take.
      parts->fields.push_back({"value", DigestText(value->view)});
    } else {
      parts = value.status();
    }
  }
  return AssembleArray(view, kCall, sharding, std::move(parts), options);
}

// Whether the devices of `host` have all parts.
bool HasAllParts(const ArrayLayout& layout, HostId host) {
  absl::flat_hash_set<int64_t> numbers;
  for (int64_t position : layout.mesh().LocalPositions(host)) {
    numbers.insert(layout.number(position));
  }
  return static_cast<int64_t>(numbers.size()) == layout.shard_count();
}

absl::Status CheckTarget(const View& view, const Array& x,
                         const NamedSharding& sharding) {
  if (!view.host().has_value()) return absl::OkStatus();
  const Mesh& from = x.layout()->mesh();
  const Mesh& to = sharding.mesh();
  if (from.size() == 1 && to.hosts().size() > 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        kCall, ": the array is on device ", from.devices()[0].id.value(),
        " alone, but ", sharding.ToString(), " has devices of ",
        to.hosts().size(),
        " hosts; use broadcast_one_to_all, or "
        "make_array_from_single_device_arrays with an array of every host"));
  }
  if (to.size() == 1 && from.hosts().size() > 1 &&
      !HasAllParts(*x.layout(), to.hosts()[0])) {
    return absl::FailedPreconditionError(
        absl::StrCat(kCall, ": device ", to.devices()[0].id.value(), " is of ",
                     view.HostText(to.hosts()[0]),
                     ", which cannot fetch the array: it has not all "
                     "parts of ",
                     x.sharding().ToString()));
  }
  return absl::OkStatus();
}

// The layout of rows, as if by a mesh of rows and their copies.
absl::StatusOr<std::shared_ptr<const ArrayLayout>> LayoutOfRows(
    const View& view, const Array& x) {
  const RowPlacement& placement = x.placement();
  const World world = view.world();
  std::vector<Device> devices;
  for (GlobalDeviceId id : x.devices()) {
    const Device* device = world.Find(id);
    if (device == nullptr) {
      return absl::FailedPreconditionError(absl::StrCat(
          kCall, ": the cluster has no device ", id.value(), " any more"));
    }
    devices.push_back(*device);
  }
  const auto count = static_cast<int64_t>(devices.size());
  const int64_t copies = placement.dim.has_value() ? placement.copies : count;
  ASSIGN_OR_RETURN(Mesh mesh,
                   Mesh::Create({{count / copies, copies}, std::move(devices)},
                                {"rows", "copies"}));
  std::vector<SpecEntry> entries;
  if (placement.dim.has_value()) {
    entries.resize(*placement.dim + 1);
    entries.back() = SpecEntry("rows");
  }
  ASSIGN_OR_RETURN(
      NamedSharding sharding,
      NamedSharding::Create(std::move(mesh),
                            PartitionSpec::FromEntries(std::move(entries))));
  return ArrayLayout::Create(std::move(sharding), x.dtype(), x.shape().dims());
}

}  // namespace

absl::StatusOr<Array> device_put(const Array& x, const NamedSharding& sharding,
                                 ArrayOptions options) {
  ASSIGN_OR_RETURN(const std::shared_ptr<View> view, ViewOf(options, kCall));
  const bool is_here =
      x.shards() != nullptr && x.shards()->view() == view.get();
  const bool is_rows = is_here && x.layout() == nullptr;
  if (!is_here || (is_rows && view->host().has_value())) {
    return PutHostValue(view, x, sharding, options);
  }
  if (options.dtype.has_value() && x.dtype() != *options.dtype) {
    return absl::InvalidArgumentError(
        absl::StrCat(kCall, ": the array is ", NumpyName(x.dtype()),
                     ", asked for is ", NumpyName(*options.dtype)));
  }
  std::shared_ptr<const ArrayLayout> from = x.layout();
  if (is_rows) {
    ASSIGN_OR_RETURN(from, LayoutOfRows(*view, x));
  } else {
    RETURN_IF_ERROR(CheckTarget(*view, x, sharding));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const ArrayLayout> to,
                   ArrayLayout::Create(sharding, x.dtype(), x.shape().dims()));
  if (view->host().has_value() && sharding.mesh().size() == 1 &&
      from->mesh().hosts().size() > 1) {
    // Its host has all parts.
    options.check_equal = false;
    return PutHostValue(view, x, sharding, options);
  }
  return internal::Reshard(view, x, *from, std::move(to),
                           {.sequence = options.sequence});
}

absl::StatusOr<Array> device_put(const Array& x, const Device& device,
                                 ArrayOptions options) {
  return device_put(x, SingleDeviceSharding(device), std::move(options));
}

absl::StatusOr<Tree<Array>> device_put(const Tree<Array>& arrays,
                                       const Tree<NamedSharding>& shardings,
                                       const ArrayOptions& options) {
  return internal::MapWithPrefix<Array>(
      arrays, shardings,
      [&](const Array& leaf,
          const NamedSharding* sharding) -> absl::StatusOr<Array> {
        if (sharding == nullptr) return leaf;
        return device_put(leaf, *sharding, options);
      });
}

}  // namespace lockstep
