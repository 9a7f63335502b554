#include "tests/partition/random_shardings.h"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "runtime/base/check.h"
#include "runtime/ir/op_builder.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/shardings.h"
#include "tests/partition/random_manual_computation.h"

namespace lockstep::internal {
namespace {

constexpr char kMesh[] = "mesh";
constexpr char kFlatMesh[] = "flat";
constexpr char kShuffledMesh[] = "shuffled";

ShardingMesh DrawMesh(RandomShardings& random) {
  const std::vector<std::vector<int64_t>> kSizes = {
      {2},    {4},    {8},    {3},    {6},    {5},       {7},
      {2, 2}, {2, 4}, {4, 2}, {2, 3}, {3, 2}, {2, 2, 2}, {1, 4}};
  const std::vector<int64_t>& sizes =
      kSizes[random.Below(static_cast<int64_t>(kSizes.size()))];
  std::vector<MeshAxis> axes;
  for (const int64_t size : sizes) {
    axes.push_back(
        {std::string(1, static_cast<char>('x' + axes.size())), size});
  }
  AbstractMesh mesh = *AbstractMesh::Create(std::move(axes));
  std::vector<int64_t> ids;
  if (random.Below(3) == 0) {
    ids.resize(static_cast<size_t>(mesh.size()));
    std::iota(ids.begin(), ids.end(), 0);
    random.Shuffle(ids);
  }
  return *ShardingMesh::Create(std::move(mesh), std::move(ids));
}

// All devices along one axis, if their number is a power of two: then all
// parts of it are products of parts of the axes of the mesh.
std::optional<ShardingMesh> FlatMeshOf(const ShardingMesh& mesh) {
  const auto devices = static_cast<uint64_t>(mesh.device_count());
  if (!std::has_single_bit(devices)) return std::nullopt;
  return *ShardingMesh::Create(
      *AbstractMesh::Create({{"all", mesh.device_count()}}),
      {mesh.device_ids().begin(), mesh.device_ids().end()});
}

ShardingMesh ShuffledMeshOf(const ShardingMesh& mesh, RandomShardings& random) {
  std::vector<int64_t> ids(static_cast<size_t>(mesh.device_count()));
  std::iota(ids.begin(), ids.end(), 0);
  random.Shuffle(ids);
  return *ShardingMesh::Create(mesh.abstract(), std::move(ids));
}

class ShardingAdder {
 public:
  // `flat`: what FlatMeshOf says, also declared; none: all is on `mesh`, or on
  // the same axes in another order, if there is such a mesh.
  ShardingAdder(RandomShardings& random, ShardingMesh mesh,
                std::optional<ShardingMesh> flat, bool has_shuffled)
      : random_(random),
        mesh_(std::move(mesh)),
        flat_(std::move(flat)),
        has_shuffled_(has_shuffled) {
    const std::vector<int64_t> kRarities = {2, 3, 6, 20};
    rarity_ = kRarities[random_.Below(4)];
  }

  void Run(Function& function) {
    is_entry_ = function.name() == "main";
    for (size_t i = 0; i < function.body().arguments().size(); ++i) {
      if (!IsChosen()) continue;
      SetSharding(function.argument_attributes()[i],
                  Draw(*function.body().arguments()[i]));
    }
    AddTo(function.body());
    const std::vector<Type>& results = function.result_types();
    for (size_t i = 0; i < results.size(); ++i) {
      if (!IsChosen()) continue;
      SetSharding(function.result_attributes()[i],
                  DrawOfRank(results[i].shape().rank()));
    }
  }

 private:
  bool IsChosen() { return random_.Below(rarity_) == 0; }

  TensorSharding DrawOfRank(int64_t rank) {
    TensorSharding sharding = DrawOnAMesh(rank);
    sharding.unreduced.clear();
    return sharding;
  }
  TensorSharding DrawOnAMesh(int64_t rank) {
    if (!flat_.has_value() || random_.Below(3) > 0) {
      TensorSharding sharding = random_.Sharding(mesh_, rank);
      if (has_shuffled_ && random_.Below(3) == 0) sharding.mesh = kShuffledMesh;
      return sharding;
    }
    TensorSharding sharding = random_.Sharding(*flat_, rank);
    sharding.mesh = kFlatMesh;
    return sharding;
  }
  TensorSharding Draw(const Value& value) {
    return DrawOfRank(value.shape().rank());
  }

  // Perhaps with partial results, where the type has those of all reductions.
  TensorSharding DrawPartial(const Value& value) {
    const ElementType type = value.shape().element_type();
    if (type != ElementType::kS32 && type != ElementType::kF32) {
      return Draw(value);
    }
    TensorSharding sharding = DrawOnAMesh(value.shape().rank());
    if (!sharding.unreduced.empty()) {
      const std::vector<UnreducedKind> kKinds = {
          UnreducedKind::kSum, UnreducedKind::kMax, UnreducedKind::kMin};
      sharding.reduction = kKinds[random_.Below(3)];
    }
    return sharding;
  }

  void AddTo(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    const auto outer = others_;
    for (const auto& argument : region.arguments()) {
      if (!ops.empty()) Mark(*argument, region);
    }
    for (std::unique_ptr<Op>& owned : ops) {
      Op& op = *owned;
      for (int i = 0; i < op.operand_count(); ++i) {
        op.set_operand(i, OneLike(op.operand(i)));
      }
      if (op.def()->kind() == OpKind::kControlFlow) {
        for (const auto& inner : op.regions()) AddTo(*inner);
      }
      region.Append(std::move(owned));
      if (op.result_count() == 0) continue;
      if (IsChosen() && random_.Below(2) == 0) SetAttribute(op);
      for (const auto& result : op.results()) Mark(*result, region);
    }
    others_ = outer;
  }

  void SetAttribute(Op& op) {
    std::vector<TensorSharding> shardings;
    for (const auto& result : op.results()) {
      shardings.push_back(Draw(*result));
    }
    SetResultShardings(op, std::move(shardings));
  }

  // The value, or what was made of it.
  Value* OneLike(Value* value) {
    const auto found = others_.find(value);
    if (found == others_.end()) return value;
    const int64_t place =
        random_.Below(static_cast<int64_t>(found->second.size()) + 1);
    return place == 0 ? value : found->second[place - 1];
  }

  // Members of a group have the same dims.
  int64_t GroupOf(const Value& value) {
    const Dims dims(value.shape().dims().begin(), value.shape().dims().end());
    const auto id = static_cast<int64_t>(groups_.size());
    return groups_.try_emplace(dims, id).first->second;
  }

  void Mark(Value& value, Region& region) {
    while (IsChosen()) {
      const int64_t kind = random_.Below(9);
      if (kind == 8) {
        // Channels of functions would be there once for each call.
        if (value.shape().element_count() == 0 || !is_entry_) continue;
        others_[&value].push_back(
            AddManualComputation(random_, value, manual_mesh_, region));
        continue;
      }
      OpState state;
      state.operands = {&value};
      if (kind == 0) {
        state.name = "sdy.sharding_group";
        state.attributes.Set("group_id", Attribute::I64(GroupOf(value)));
      } else if (kind == 1) {
        const std::vector<std::string> directions = {"NONE", "FORWARD",
                                                     "BACKWARD"};
        state.name = "sdy.propagation_barrier";
        state.attributes.Set("allowed_direction",
                             Attribute::Enum{"propagation_direction",
                                             directions[random_.Below(3)]});
      } else {
        state.name = kind == 2 ? "sdy.reshard" : "sdy.sharding_constraint";
        state.attributes.Set(
            "sharding",
            Attribute::Sharding{kind == 2 ? DrawPartial(value) : Draw(value)});
      }
      OpBuilder builder(&region);
      const absl::StatusOr<Op*> op = builder.Build(std::move(state));
      LOCKSTEP_CHECK(op.ok());
      if ((*op)->result_count() > 0) {
        others_[&value].push_back((*op)->result());
      }
    }
  }

  RandomShardings& random_;
  const ShardingMesh mesh_;
  const std::optional<ShardingMesh> flat_;
  const bool has_shuffled_;
  bool is_entry_ = false;
  ManualMesh manual_mesh_{kMesh, mesh_};
  int64_t rarity_;
  std::map<Dims, int64_t> groups_;
  absl::flat_hash_map<const Value*, std::vector<Value*>> others_;
};

}  // namespace

void AddRandomShardings(RandomShardings& random, Module& module) {
  const ShardingMesh mesh = DrawMesh(random);
  LOCKSTEP_CHECK(module.meshes().Add(kMesh, mesh).ok());
  // Collectives in manual computations are between as many.
  module.attributes().Set(
      "mhlo.num_partitions",
      Attribute::I32(static_cast<int32_t>(mesh.device_count())));
  std::optional<ShardingMesh> flat;
  if (random.Below(4) == 0) flat = FlatMeshOf(mesh);
  if (flat.has_value()) {
    LOCKSTEP_CHECK(module.meshes().Add(kFlatMesh, *flat).ok());
  }
  // As of flat meshes, all parts of axes are products of parts then.
  const bool has_shuffled =
      random.Below(4) == 0 &&
      std::has_single_bit(static_cast<uint64_t>(mesh.device_count()));
  if (has_shuffled) {
    LOCKSTEP_CHECK(
        module.meshes().Add(kShuffledMesh, ShuffledMeshOf(mesh, random)).ok());
  }
  ShardingAdder adder(random, mesh, std::move(flat), has_shuffled);
  for (const auto& function : module.functions()) adder.Run(*function);
}

uint64_t NumberOfVariable(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);
  uint64_t number = 0;
  return text != nullptr && absl::SimpleAtoi(text, &number) ? number
                                                            : otherwise;
}

}  // namespace lockstep::internal
