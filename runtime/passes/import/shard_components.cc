#include "runtime/passes/import/shard_components.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "runtime/passes/import/op_walk.h"

namespace lockstep::internal {
namespace {

enum class Role { kNone, kToShards, kInner, kToWhole };

class Finder {
 public:
  Finder(const Region& region, const ShapeChanges& changes,
         const ValueOrigins& origins)
      : region_(region), changes_(changes), origins_(origins) {}

  std::vector<ShardComponent> Find() {
    const size_t count = region_.ops().size();
    joined_.resize(count);
    std::iota(joined_.begin(), joined_.end(), size_t{0});
    for (size_t i = 0; i < count; ++i) Visit(i);
    // By their first op.
    std::map<size_t, ShardComponent> found;
    for (size_t i = 0; i < count; ++i) Add(i, found[Root(i)]);
    std::vector<ShardComponent> components;
    for (auto& [root, component] : found) {
      if (component.to_shards.empty() && component.to_whole.empty()) continue;
      components.push_back(std::move(component));
    }
    return components;
  }

 private:
  // The depth of a value is in how many regions of shards it is, from here on.
  void Visit(size_t i) {
    const Op& op = *region_.ops()[i];
    const std::vector<Value*> values = FreeValues(op);
    int depth = 0;
    for (const Value* value : values) depth = std::max(depth, DepthOf(value));
    roles_.push_back(&op == region_.terminator() ? Role::kNone
                                                 : RoleOf(op, depth));
    indices_[&op] = i;
    if (roles_[i] != Role::kNone && roles_[i] != Role::kToShards) {
      for (const Value* value : values) Join(i, *value);
    }
    const auto change = changes_.find(&op);
    if (change != changes_.end()) {
      depth = std::max(0, depth + (change->second.is_to_shards ? 1 : -1));
    }
    if (depth == 0) return;
    for (const auto& result : op.results()) depths_[result.get()] = depth;
  }

  int DepthOf(const Value* value) const {
    const auto found = depths_.find(value);
    return found == depths_.end() ? 0 : found->second;
  }

  Role RoleOf(const Op& op, int depth) const {
    const auto change = changes_.find(&op);
    if (change != changes_.end()) {
      if (change->second.is_to_shards && depth == 0) return Role::kToShards;
      if (!change->second.is_to_shards && depth <= 1) return Role::kToWhole;
    }
    return depth > 0 || HasEffects(op) ? Role::kInner : Role::kNone;
  }

  bool HasEffects(const Op& op) const {
    return origins_.Of(op) == ValueOrigins::Origin::kEffects;
  }

  void Join(size_t user, const Value& value) {
    const auto from = indices_.find(value.defining_op());
    if (from == indices_.end()) return;
    if (DepthOf(&value) == 0 && !HasEffects(*value.defining_op())) return;
    const size_t a = Root(user);
    const size_t b = Root(from->second);
    joined_[std::max(a, b)] = std::min(a, b);
  }

  size_t Root(size_t i) {
    while (joined_[i] != i) i = joined_[i] = joined_[joined_[i]];
    return i;
  }

  void Add(size_t i, ShardComponent& component) const {
    if (roles_[i] == Role::kToShards) component.to_shards.push_back(i);
    if (roles_[i] == Role::kInner) component.inner.push_back(i);
    if (roles_[i] == Role::kToWhole) component.to_whole.push_back(i);
  }

  const Region& region_;
  const ShapeChanges& changes_;
  const ValueOrigins& origins_;
  std::vector<Role> roles_;
  std::vector<size_t> joined_;  // a tree for each component
  absl::flat_hash_map<const Op*, size_t> indices_;
  absl::flat_hash_map<const Value*, int> depths_;
};

}  // namespace

size_t ShardComponent::first() const {
  std::optional<size_t> first;
  for (const auto* indices : {&to_shards, &inner, &to_whole}) {
    if (indices->empty()) continue;
    first = std::min(first.value_or(indices->front()), indices->front());
  }
  return first.value_or(0);
}

size_t ShardComponent::last() const {
  size_t last = to_shards.empty() ? 0 : to_shards.back();
  if (!inner.empty()) last = std::max(last, inner.back());
  return to_shards.empty() && inner.empty() ? to_whole.front() : last;
}

std::vector<ShardComponent> FindShardComponents(const Region& region,
                                                const ShapeChanges& changes,
                                                const ValueOrigins& origins) {
  return Finder(region, changes, origins).Find();
}

}  // namespace lockstep::internal
