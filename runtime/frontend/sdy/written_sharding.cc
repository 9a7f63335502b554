#include "runtime/frontend/sdy/written_sharding.h"

#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"
#include "runtime/ir/shardings.h"

namespace lockstep::internal {

const TensorSharding* WrittenSharding(const Value& value) {
  const Op* op = value.defining_op();
  if (op == nullptr) {
    const Function* function = value.region()->parent_function();
    return function == nullptr
               ? nullptr
               : ShardingOf(function->argument_attributes(value.index()));
  }
  if (!absl::StartsWith(op->name(), "sdy.")) {
    return ResultSharding(*op, value.index());
  }
  for (const absl::string_view name : {"sharding", "out_sharding"}) {
    const Attribute* attribute = op->attribute(name);
    const auto* sharding =
        attribute == nullptr ? nullptr : attribute->As<Attribute::Sharding>();
    if (sharding != nullptr) return &sharding->value;
  }
  const Attribute* out = op->attribute("out_shardings");
  const auto* all =
      out == nullptr ? nullptr : out->As<Attribute::ShardingPerValue>();
  const auto index = static_cast<size_t>(value.index());
  return all == nullptr || index >= all->values.size()
             ? ResultSharding(*op, value.index())
             : &all->values[index];
}

}  // namespace lockstep::internal
