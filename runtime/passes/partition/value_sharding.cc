#include "runtime/passes/partition/value_sharding.h"

#include <cstddef>
#include <utility>

#include "runtime/ir/shardings.h"
#include "runtime/ops/sdy/manual_computation.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/sharding/exported_sharding.h"

namespace lockstep::internal {
namespace {

TensorSharding ArgumentSharding(const Value* value, const std::string& mesh) {
  const Region& region = *value->region();
  const TensorSharding whole =
      UnshardedOn(mesh, RankOf(value->type()), /*is_closed=*/true);
  if (const Function* function = region.parent_function()) {
    const TensorSharding* sharding =
        ShardingOf(function->argument_attributes(value->index()));
    return sharding == nullptr ? whole : ClosedSharding(*sharding);
  }
  const Op& op = *region.parent_op();
  if (op.name() == "stablehlo.while") {
    return ShardingOfValue(op.result(value->index()), mesh);
  }
  if (op.name() == "sdy.manual_computation") {
    return ClosedSharding(BodyArgumentSharding(op, value->index()));
  }
  return whole;
}

}  // namespace

TensorSharding ShardingOfValue(const Value* value, const std::string& mesh) {
  if (value->defining_op() == nullptr) return ArgumentSharding(value, mesh);
  const TensorSharding* sharding =
      ResultSharding(*value->defining_op(), value->index());
  if (sharding != nullptr) return ClosedSharding(*sharding);
  return UnshardedOn(mesh, RankOf(value->type()), /*is_closed=*/true);
}

bool IsSameSplit(const TensorSharding& a, const TensorSharding& b) {
  if (a.dims.size() != b.dims.size() || a.unreduced != b.unreduced) {
    return false;
  }
  for (size_t i = 0; i < a.dims.size(); ++i) {
    if (a.dims[i].axes != b.dims[i].axes) return false;
  }
  return true;
}

bool DividesDims(const TensorSharding& sharding, absl::Span<const int64_t> dims,
                 const AbstractMesh& mesh) {
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    if (dims[dim] % sharding.dims[dim].ShardCount(mesh) != 0) return false;
  }
  return true;
}

}  // namespace lockstep::internal
