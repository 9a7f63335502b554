#include "client/global_arrays/host_arrays.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/global_arrays/array_assembly.h"
#include "client/global_arrays/device_put.h"
#include "client/trees/tree_map.h"
#include "client/trees/tree_prefix.h"
#include "runtime/base/status.h"
#include "runtime/mesh/host_data_layout.h"
#include "runtime/mesh/host_shapes.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {

using internal::ArrayLayout;
using internal::ArrayParts;
using internal::AssembleArray;
using internal::BroadcastPrefix;
using internal::TakeShards;
using internal::TupleText;
using internal::ViewOf;

namespace {

// `f` for each leaf, with its spec.
template <typename F>
absl::StatusOr<Tree<Array>> WithSpecs(const Tree<Array>& arrays,
                                      const Tree<PartitionSpec>& specs, F&& f) {
  ASSIGN_OR_RETURN(const Tree<PartitionSpec> of_leaves,
                   BroadcastPrefix(specs, arrays, PartitionSpec()));
  return tree_map(f, arrays, of_leaves);
}

// All axes of the mesh over dimension 0.
PartitionSpec RowsOverAll(const Mesh& mesh) {
  AxisTuple axes;
  for (const MeshAxis& axis : mesh.axes()) axes.names.push_back(axis.name);
  return PartitionSpec(std::move(axes));
}

// The batch dimension over `axes`, and the others whole.
PartitionSpec BatchOver(int64_t batch_dim, std::vector<std::string> axes) {
  std::vector<SpecEntry> entries(std::max<int64_t>(batch_dim, 0) + 1);
  entries.back() = AxisTuple(std::move(axes));
  return PartitionSpec::FromEntries(std::move(entries));
}

// What a function of host views does in the global view, where the caller's
// part is all of it.
bool IsGlobal(const View& view) { return !view.host().has_value(); }

// A shard of the array, here or elsewhere.
struct PlacedShard {
  ShardIndex index;
  GlobalDeviceId device;
  std::optional<Array> data;
};

std::vector<PlacedShard> InOrder(const Array& array) {
  std::vector<PlacedShard> shards;
  for (ArrayShard& shard : array.global_shards()) {
    shards.push_back(
        {std::move(shard.index), shard.device, std::move(shard.data)});
  }
  std::stable_sort(shards.begin(), shards.end(),
                   [](const PlacedShard& a, const PlacedShard& b) {
                     return std::lexicographical_compare(
                         a.index.begin(), a.index.end(), b.index.begin(),
                         b.index.end());
                   });
  return shards;
}

// "[True, False]".
std::string PatternOf(const std::vector<PlacedShard>& shards) {
  return absl::StrCat(
      "[",
      absl::StrJoin(shards, ", ",
                    [](std::string* out, const PlacedShard& shard) {
                      absl::StrAppend(
                          out, shard.data.has_value() ? "True" : "False");
                    }),
      "]");
}

absl::Status NoShardHere(const Array& array) {
  return absl::InvalidArgumentError(
      absl::StrCat("no shard is here of ", array.Describe()));
}

// Rows of equal shape but for dimension 0, one after the other.
absl::StatusOr<Literal> Concatenate(const std::vector<Literal>& parts) {
  const Shape& first = parts[0].shape();
  Dims dims(first.dims().begin(), first.dims().end());
  dims[0] = 0;
  for (const Literal& part : parts) dims[0] += part.shape().dim(0);
  ASSIGN_OR_RETURN(const Shape shape,
                   Shape::Create(first.element_type(), dims));
  ASSIGN_OR_RETURN(Literal whole, Literal::Allocate(shape));
  std::byte* end = whole.mutable_bytes();
  for (const Literal& part : parts) {
    end = std::copy(part.byte_span().begin(), part.byte_span().end(), end);
  }
  return whole;
}

absl::StatusOr<Array> JoinShards(const Array& array,
                                 const std::vector<PlacedShard>& shards,
                                 DataPartition partition,
                                 const GlobalToHostOptions& options) {
  if (array.layout() == nullptr) {  // rows: all of them are here
    ASSIGN_OR_RETURN(Literal rows, array.Fetch());
    return Array(std::move(rows));
  }
  std::vector<Literal> parts;
  const PlacedShard* last = nullptr;
  for (const PlacedShard& shard : shards) {
    if (!shard.data.has_value()) continue;
    if (last != nullptr && last->index == shard.index &&
        !options.keep_duplicate_shards) {
      return absl::InvalidArgumentError(absl::StrCat(
          "devices ", last->device.value(), " and ", shard.device.value(),
          " both have the part ", ShardIndexText(shard.index), " of ",
          array.sharding().ToString(),
          ": it is not split along dimension 0 alone"));
    }
    last = &shard;
    ASSIGN_OR_RETURN(Literal value, shard.data->Fetch());
    parts.push_back(std::move(value));
    if (partition == DataPartition::kReplicated) break;
  }
  if (parts.empty()) return NoShardHere(array);
  if (partition == DataPartition::kReplicated)
    return Array(std::move(parts[0]));
  if (array.rank() == 0) {
    return absl::InvalidArgumentError("a scalar has no rows to join");
  }
  ASSIGN_OR_RETURN(Literal whole, Concatenate(parts));
  return Array(std::move(whole));
}

// The value may come from a cast.
absl::Status CheckPartition(DataPartition partition) {
  if (partition == DataPartition::kFull ||
      partition == DataPartition::kReplicated) {
    return absl::OkStatus();
  }
  return absl::UnimplementedError(absl::StrCat(
      "data partition: expected kFull (0) or kReplicated (1), found ",
      static_cast<int>(partition)));
}

// Leaves against the first one.
class FirstLeaf {
 public:
  explicit FirstLeaf(const Tree<Array>& arrays) {
    arrays.Transform([&](const Array& array, const std::string& path) {
      shapes_.push_back(
          absl::StrCat(path, ": ", TupleText(array.shape().dims())));
      return 0;
    });
  }

  absl::Status Check(const Array& array, const std::string& pattern,
                     const std::string& path) {
    if (!path_.has_value()) {
      path_ = path;
      pattern_ = pattern;
      if (array.rank() > 0) rows_ = array.dim(0);
      return absl::OkStatus();
    }
    const int64_t rows = array.rank() > 0 ? array.dim(0) : -1;
    if (rows != rows_) {
      return absl::InvalidArgumentError(absl::StrCat(
          "dimension 0 is ", rows, ", but ", rows_, " at '", *path_,
          "': the arrays are not of one batch; their shapes are ",
          absl::StrJoin(shapes_, ", ")));
    }
    if (pattern != pattern_) {
      return absl::InvalidArgumentError(
          absl::StrCat("of its shards, in order, these are here: ", pattern,
                       ", but of '", *path_, "' ", pattern_));
    }
    return absl::OkStatus();
  }

 private:
  std::vector<std::string> shapes_;
  std::optional<std::string> path_;
  std::string pattern_;
  int64_t rows_ = -1;
};

absl::StatusOr<NamedSharding> LocalSharding(const NamedSharding& sharding,
                                            HostId host) {
  ASSIGN_OR_RETURN(Mesh local, sharding.mesh().LocalMesh(host));
  return NamedSharding::Create(std::move(local), sharding.spec(),
                               sharding.memory_kind());
}

}  // namespace

absl::StatusOr<Array> host_local_array_to_global_array(
    const Array& array, const Mesh& mesh, const PartitionSpec& spec,
    const ArrayOptions& options) {
  const std::string call = "host_local_array_to_global_array";
  ASSIGN_OR_RETURN(const auto view, ViewOf(options, call));
  ASSIGN_OR_RETURN(const NamedSharding sharding,
                   NamedSharding::Create(mesh, spec));
  if (IsGlobal(*view)) return device_put(array, sharding, options);
  const auto take = [&]() -> absl::StatusOr<ArrayParts> {
    RETURN_IF_ERROR(array.CheckUsable());  // such an array has no shape
    ASSIGN_OR_RETURN(
        const HostDataLayout where,
        LayOutLocalMesh(sharding, *view->host(), array.shape().dims()));
    return TakeShards(array, where, sharding);
  };
  return AssembleArray(view, call, sharding, take(), options);
}

absl::StatusOr<Tree<Array>> host_local_array_to_global_array(
    const Tree<Array>& arrays, const Mesh& mesh,
    const Tree<PartitionSpec>& specs, const ArrayOptions& options) {
  return WithSpecs(
      arrays, specs, [&](const Array& array, const PartitionSpec& spec) {
        return host_local_array_to_global_array(array, mesh, spec, options);
      });
}

absl::StatusOr<Array> global_array_to_host_local_array(
    const Array& array, const Mesh& mesh, const PartitionSpec& spec,
    const ArrayOptions& options) {
  const std::string call = "global_array_to_host_local_array";
  ASSIGN_OR_RETURN(const auto view, ViewOf(options, call));
  ASSIGN_OR_RETURN(const NamedSharding sharding,
                   NamedSharding::Create(mesh, spec));
  ASSIGN_OR_RETURN(const Array global, device_put(array, sharding, options));
  if (IsGlobal(*view)) return global;
  ASSIGN_OR_RETURN(NamedSharding local, LocalSharding(sharding, *view->host()));
  ASSIGN_OR_RETURN(
      const std::vector<int64_t> dims,
      GlobalToLocalShape(sharding, *view->host(), array.shape().dims()));
  ASSIGN_OR_RETURN(auto layout,
                   ArrayLayout::Create(std::move(local), array.dtype(), dims));
  return Array(std::move(layout), global.shards());
}

absl::StatusOr<Tree<Array>> global_array_to_host_local_array(
    const Tree<Array>& arrays, const Mesh& mesh,
    const Tree<PartitionSpec>& specs, const ArrayOptions& options) {
  return WithSpecs(
      arrays, specs, [&](const Array& array, const PartitionSpec& spec) {
        return global_array_to_host_local_array(array, mesh, spec, options);
      });
}

absl::StatusOr<Array> host_to_global_array(const Array& array, const Mesh& mesh,
                                           DataPartition partition,
                                           const ArrayOptions& options) {
  const std::string call = "host_to_global_array";
  ASSIGN_OR_RETURN(const auto view, ViewOf(options, call));
  const bool is_full = partition == DataPartition::kFull;
  ASSIGN_OR_RETURN(const NamedSharding sharding,
                   NamedSharding::Create(
                       mesh, is_full ? RowsOverAll(mesh) : PartitionSpec()));
  // Other hosts wait for this one.
  if (const absl::Status known = CheckPartition(partition); !known.ok()) {
    return AssembleArray(view, call, sharding, known, options);
  }
  if (IsGlobal(*view)) return device_put(array, sharding, options);
  RETURN_IF_ERROR(mesh.CheckHasDevices(*view->host()));
  if (!is_full) return device_put(array, sharding, options);
  const auto take = [&]() -> absl::StatusOr<ArrayParts> {
    RETURN_IF_ERROR(array.CheckUsable());  // such an array has no shape
    ASSIGN_OR_RETURN(
        const HostDataLayout where,
        LayOutRows(sharding, *view->host(), view->world().host_count(),
                   array.shape().dims()));
    return TakeShards(array, where, sharding);
  };
  return AssembleArray(view, call, sharding, take(), options);
}

absl::StatusOr<Tree<Array>> host_to_global_array(const Tree<Array>& arrays,
                                                 const Mesh& mesh,
                                                 DataPartition partition,
                                                 const ArrayOptions& options) {
  return tree_map(
      [&](const Array& array) {
        return host_to_global_array(array, mesh, partition, options);
      },
      arrays);
}

absl::StatusOr<Array> local_data_to_global_array(const Array& batch,
                                                 const Mesh& mesh,
                                                 const LocalDataOptions& local,
                                                 const ArrayOptions& options) {
  const std::string call = "local_data_to_global_array";
  ASSIGN_OR_RETURN(const auto view, ViewOf(options, call));
  const std::vector<std::string> all = mesh.abstract().axis_names();
  ASSIGN_OR_RETURN(
      const NamedSharding blocks,
      NamedSharding::Create(mesh, BatchOver(local.batch_dim, all)));
  // Its error is said where other hosts hear of it.
  const absl::StatusOr<NamedSharding> target = NamedSharding::Create(
      mesh, BatchOver(local.batch_dim, local.axes.value_or(all)));
  const World world = view->world();
  const auto take = [&]() -> absl::StatusOr<ArrayParts> {
    RETURN_IF_ERROR(target.status());
    RETURN_IF_ERROR(batch.CheckUsable());
    std::vector<GlobalDeviceId> devices;
    for (const Device& device :
         IsGlobal(*view) ? world.devices() : world.local(*view->host())) {
      devices.push_back(device.id);
    }
    ASSIGN_OR_RETURN(const HostDataLayout where,
                     LayOutBatch(blocks, local.batch_dim, devices,
                                 IsGlobal(*view) ? 1 : world.host_count(),
                                 batch.shape().dims()));
    return TakeShards(batch, where, blocks);
  };
  ASSIGN_OR_RETURN(const Array array,
                   AssembleArray(view, call, blocks, take(), options));
  return device_put(array, *target, options);
}

absl::StatusOr<Tree<Array>> local_data_to_global_array(
    const Tree<Array>& batch, const Mesh& mesh, const LocalDataOptions& local,
    const ArrayOptions& options) {
  return tree_map(
      [&](const Array& array) {
        return local_data_to_global_array(array, mesh, local, options);
      },
      batch);
}

absl::StatusOr<Tree<Array>> global_to_host_array(
    const Tree<Array>& arrays, DataPartition partition,
    const GlobalToHostOptions& options) {
  RETURN_IF_ERROR(CheckPartition(partition));
  FirstLeaf first(arrays);
  return tree_map_with_path(
      [&](const std::string& path,
          const Array& array) -> absl::StatusOr<Array> {
        RETURN_IF_ERROR(array.CheckUsable());
        if (!array.sharding().is_on_devices()) {
          return absl::InvalidArgumentError(
              "the array is in host memory, not a global one");
        }
        const std::vector<PlacedShard> shards = InOrder(array);
        RETURN_IF_ERROR(first.Check(array, PatternOf(shards), path));
        return JoinShards(array, shards, partition, options);
      },
      arrays);
}

absl::StatusOr<Array> global_to_host_array(const Array& array,
                                           DataPartition partition,
                                           const GlobalToHostOptions& options) {
  ASSIGN_OR_RETURN(
      const Tree<Array> tree,
      global_to_host_array(Tree<Array>(array), partition, options));
  return tree.leaf();
}

}  // namespace lockstep
