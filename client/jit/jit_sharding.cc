#include "client/jit/jit_sharding.h"

#include "client/jit/sharding_kind.h"
#include "client/partitioning/device_memory.h"

namespace lockstep {
namespace {

Tree<JitSharding> Replaced(const Tree<JitSharding>& tree,
                           const JitSharding& sharding) {
  if (tree.is_leaf()) {
    const bool is_null =
        tree.leaf().rule().is_null() && tree.leaf().status().ok();
    return is_null ? sharding : tree;
  }
  if (tree.is_list()) {
    Tree<JitSharding>::ListType children;
    for (const Tree<JitSharding>& child : tree.list()) {
      children.push_back(Replaced(child, sharding));
    }
    return Tree<JitSharding>::List(std::move(children));
  }
  if (tree.is_map()) {
    Tree<JitSharding>::MapType children;
    for (const auto& [key, child] : tree.map()) {
      children.emplace(key, Replaced(child, sharding));
    }
    return Tree<JitSharding>::Map(std::move(children));
  }
  return sharding;
}

}  // namespace

JitSharding::JitSharding(NamedSharding sharding)
    : rule_(sharding.spec()),
      mesh_(sharding.mesh()),
      status_(internal::CheckDeviceMemory(sharding)) {}

JitSharding::JitSharding(const Sharding& sharding) {
  if (const NamedSharding* named = sharding.named()) {
    *this = JitSharding(*named);
  } else if (sharding.pmap() != nullptr) {
    status_ = CheckShardingKind("PmapSharding");
  }
}

JitShardings JitShardings::WithNullAs(const JitSharding& sharding) const {
  JitShardings replaced;
  replaced.tree_ = Replaced(tree_, sharding);
  return replaced;
}

}  // namespace lockstep
