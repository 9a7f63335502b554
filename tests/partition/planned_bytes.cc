#include "tests/partition/planned_bytes.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/base/check.h"
#include "runtime/collectives/hierarchical/hierarchical_clique_provider.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/passes/op_cost.h"
#include "runtime/passes/pipelines.h"
#include "runtime/types/element_type.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {
namespace {

// At most as many bytes of an all_reduce go whole.
double DirectBytes() {
  return static_cast<double>(
      HierarchicalCliqueProvider::Options().direct_max_bytes);
}

bool IsCollective(const Op& op) {
  return op.def() != nullptr && op.def()->kind() == OpKind::kCollective;
}

bool HasCollectives(const Region& region) {
  for (const auto& op : region.ops()) {
    if (IsCollective(*op)) return true;
    for (const auto& inner : op->regions()) {
      if (HasCollectives(*inner)) return true;
    }
  }
  return false;
}

const Attribute::Elements& TableOf(const Op& op, absl::string_view name) {
  return *op.attribute(name)->As<Attribute::Elements>();
}

// How often a host sends its partial result then, where each of `size` devices
// is on a host of its own: to one per doubling, else to all.
double DirectMessages(uint64_t size) {
  return static_cast<double>(std::has_single_bit(size) ? std::countr_zero(size)
                                                       : size - 1);
}

// Of all devices: how many send their operand to another one.
int64_t SendingPairs(const Op& op) {
  const Literal pairs = TableOf(op, "source_target_pairs").ToLiteral();
  const auto ids = pairs.data<int64_t>();
  int64_t count = 0;
  for (size_t i = 0; i < ids.size(); i += 2) {
    if (ids[i] != ids[i + 1]) ++count;
  }
  return count;
}

// Sums and products of halves are rounded once, at the end; the largest of some
// is one of them.
bool TravelsWide(const Op& reduction, ElementType type) {
  const std::string& body = reduction.region(0).ops().front()->name();
  return (type == ElementType::kF16 || type == ElementType::kBF16) &&
         (body == "stablehlo.add" || body == "stablehlo.multiply");
}

double BytesOf(const Op& op, int64_t devices) {
  if (op.name() == "stablehlo.collective_permute") {
    return static_cast<double>(SendingPairs(op) *
                               op.operand(0)->shape().byte_size());
  }
  double sent = EstimateCost(op).bytes_sent;
  const bool reduces = op.name() == "stablehlo.all_reduce";
  if (!reduces && op.name() != "stablehlo.reduce_scatter") {
    return sent * static_cast<double>(devices);
  }
  sent = 0;
  const auto size =
      static_cast<double>(TableOf(op, "replica_groups").shape.dim(1));
  for (const Value* operand : op.operands()) {
    const auto bytes = static_cast<double>(operand->shape().byte_size());
    const ElementType type = operand->shape().element_type();
    const double partial = TravelsWide(op, type) ? 2 * bytes : bytes;
    const double others = (size - 1) / size;
    if (!reduces) {
      sent += others * partial;
    } else if (partial <= DirectBytes()) {
      sent += DirectMessages(static_cast<uint64_t>(size)) * partial;
    } else {
      sent += others * (partial + bytes);
    }
  }
  return sent * static_cast<double>(devices);
}

}  // namespace

std::optional<int64_t> PlannedBytes(const Module& module, int64_t devices) {
  const std::unique_ptr<Module> optimised = CloneModule(module);
  PassManager passes;
  AddOptimizationPasses(passes);
  LOCKSTEP_CHECK(passes.Run(*optimised).ok());
  const Function* const entry = *optimised->EntryFunction();
  double bytes = 0;
  for (const auto& function : optimised->functions()) {
    if (function.get() != entry && HasCollectives(function->body())) {
      return std::nullopt;
    }
  }
  for (const auto& op : entry->body().ops()) {
    if (IsCollective(*op)) {
      bytes += BytesOf(*op, devices);
      continue;
    }
    for (const auto& region : op->regions()) {
      if (HasCollectives(*region)) return std::nullopt;
    }
  }
  return static_cast<int64_t>(bytes + 0.5);
}

}  // namespace lockstep::internal
