#include "runtime/passes/op_cost.h"

#include <algorithm>

#include "runtime/ir/op_def.h"
#include "runtime/ops/geometry/dot_dimensions.h"
#include "runtime/ops/lockstep/ragged_all_to_all.h"

namespace lockstep::internal {
namespace {

double Elements(const Value* value) {
  return value->type().is_tensor()
             ? static_cast<double>(value->shape().element_count())
             : 0;
}
int64_t Bytes(const Value* value) {
  return value->type().is_tensor() ? value->shape().byte_size() : 0;
}

double DotFlops(const Op& op) {
  const auto dims = DotDimensionsOf(op);
  double products = Elements(op.result());
  if (dims.ok()) {
    for (int64_t dim : dims->lhs_contracting) {
      products *= static_cast<double>(op.operand(0)->shape().dim(dim));
    }
  }
  return 2 * products;
}

// Each result element takes the kernel's elements of one output feature.
double ConvolutionFlops(const Op& op) {
  const Attribute* numbers = op.attribute("dimension_numbers");
  const auto* fields =
      numbers == nullptr ? nullptr : numbers->As<Attribute::Struct>();
  const Attribute* feature =
      fields == nullptr
          ? nullptr
          : fields->fields.Find("kernel_output_feature_dimension");
  double per_element = Elements(op.operand(1));
  if (feature != nullptr) {
    const auto dim = IntegerOf(*feature);
    if (dim.ok() && *dim >= 0 && *dim < op.operand(1)->shape().rank()) {
      per_element /= std::max<double>(
          1, static_cast<double>(op.operand(1)->shape().dim(*dim)));
    }
  }
  return 2 * per_element * Elements(op.result());
}

double Flops(const Op& op);

double RegionFlops(const Op& op) {
  double flops = 0;
  for (const auto& region : op.regions()) {
    for (const auto& nested : region->ops()) flops += Flops(*nested);
  }
  return flops;
}

double Flops(const Op& op) {
  if (op.def() == nullptr || op.result_count() == 0) return 0;
  switch (op.def()->kind()) {
    case OpKind::kElementwise:
      return Elements(op.result());
    case OpKind::kDot:
      return DotFlops(op);
    case OpKind::kConvolution:
      return ConvolutionFlops(op);
    case OpKind::kReduce:
    case OpKind::kMap:
      return RegionFlops(op) * Elements(op.operand(0));
    case OpKind::kCollective:
      return op.region_count() == 0 ? 0 : Elements(op.operand(0));
    case OpKind::kFusion:
    case OpKind::kControlFlow:
      return RegionFlops(op);
    default:
      return 0;
  }
}

// The size of the groups that the op says; 1 where it says none.
double GroupSize(const Op& op) {
  const Attribute* groups = op.attribute("replica_groups");
  const auto* table =
      groups == nullptr ? nullptr : groups->As<Attribute::Elements>();
  if (table == nullptr || table->shape.rank() != 2) return 1;
  return static_cast<double>(std::max<int64_t>(table->shape.dim(1), 1));
}

double BytesSent(const Op& op) {
  double sent = 0;
  for (const auto& region : op.regions()) {
    for (const auto& nested : region->ops()) sent += BytesSent(*nested);
  }
  if (op.def() == nullptr || op.def()->kind() != OpKind::kCollective) {
    return sent;
  }
  const double size = GroupSize(op);
  const double others = (size - 1) / size;
  // As if every row went to one member, and as many to each.
  if (op.name() == kRaggedAllToAllOp) {
    return others * static_cast<double>(Bytes(op.operand(0)));
  }
  double read = 0, written = 0;
  for (const Value* operand : op.operands()) {
    read += static_cast<double>(Bytes(operand));
  }
  for (const auto& result : op.results()) {
    written += static_cast<double>(Bytes(result.get()));
  }
  if (op.name() == "stablehlo.all_reduce") return 2 * others * read;
  if (op.name() == "stablehlo.all_gather") return others * written;
  if (op.name() == "stablehlo.reduce_scatter") return others * read;
  if (op.name() == "stablehlo.all_to_all") return others * read;
  return read;  // collective_permute, collective_broadcast
}

}  // namespace

OpCost EstimateCost(const Op& op) {
  OpCost cost;
  cost.flops = Flops(op);
  for (const Value* operand : op.operands()) cost.bytes_read += Bytes(operand);
  for (const auto& result : op.results()) {
    cost.bytes_written += Bytes(result.get());
  }
  cost.bytes_sent = BytesSent(op);
  return cost;
}

}  // namespace lockstep::internal
