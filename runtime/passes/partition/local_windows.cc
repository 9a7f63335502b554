#include "runtime/passes/partition/local_windows.h"

#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/geometry/convolution_dimensions.h"
#include "runtime/ops/geometry/window.h"
#include "runtime/passes/partition/halo_exchange.h"
#include "runtime/sharding/axis_list.h"

namespace lockstep::internal {
namespace {

// What stands where an operand has no elements; null where nothing reads it.
absl::StatusOr<Value*> FillOf(const Op& op, int operand,
                              const std::vector<ShardedValue>& operands,
                              ShardBuilder& builder) {
  if (op.name() == "stablehlo.pad") return operands[1].local;
  if (op.name() == "stablehlo.reduce_window") {
    return operands[operand + op.result_count()].local;
  }
  if (op.name() == "stablehlo.convolution") {
    return builder.Constant(
        Literal(Shape(operands[operand].local->shape().element_type(), {})));
  }
  return nullptr;
}

// One of `name` for each dim that is read.
absl::Status SetIntegers(absl::string_view name,
                         const std::vector<SplitRead>& reads,
                         int64_t (*value)(const LocalRead&),
                         AttributeMap& attributes) {
  ASSIGN_OR_RETURN(std::vector<int64_t> values,
                   IntegersOf(*attributes.Find(name)));
  for (const SplitRead& read : reads) {
    values[read.read.dim] = value(read.local);
  }
  attributes.Set(name, Attribute::I64Array(values));
  return absl::OkStatus();
}

// `dims`: those of operands along which the window has sizes.
absl::Status SetPadding(const Op& op, const std::vector<int64_t>& dims,
                        const std::vector<SplitRead>& reads,
                        AttributeMap& attributes) {
  const auto rank = static_cast<int64_t>(dims.size());
  ASSIGN_OR_RETURN(const auto pairs, PaddingPairsOf(op, rank));
  Literal padding(Shape(ElementType::kS64, {rank, 2}));
  const auto values = padding.mutable_data<int64_t>();
  for (int64_t i = 0; i < rank; ++i) {
    values[2 * i] = pairs[i].first;
    values[2 * i + 1] = pairs[i].second;
    for (const SplitRead& read : reads) {
      if (read.read.dim != dims[i]) continue;
      values[2 * i] = read.local.low;
      values[2 * i + 1] = read.local.high;
    }
  }
  attributes.Set("padding", Attribute::FromLiteral(std::move(padding)));
  return absl::OkStatus();
}

std::vector<int64_t> AllDims(int64_t rank) {
  std::vector<int64_t> dims(static_cast<size_t>(rank));
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

}  // namespace

absl::StatusOr<std::vector<SplitRead>> SplitReadsOf(
    const Op& op, const std::vector<ShardedValue>& operands,
    const AbstractMesh& mesh) {
  std::vector<Shape> shapes;
  for (const ShardedValue& operand : operands) {
    shapes.push_back(operand.global.is_tensor()
                         ? operand.global.shape()
                         : Shape(ElementType::kPred, {}));
  }
  ASSIGN_OR_RETURN(const std::vector<DimRead> reads, DimReadsOf(op, shapes));
  std::vector<SplitRead> split;
  for (const DimRead& read : reads) {
    const auto& axes = operands[read.operand].sharding.dims[read.dim].axes;
    if (axes.empty()) continue;
    std::optional<SplitRead> one = SplitReadOf(read, op, shapes, axes, mesh);
    if (!one.has_value()) {
      return absl::InternalError(absl::StrCat(
          "operand ", read.operand, " is split along dim ", read.dim));
    }
    split.push_back(*std::move(one));
  }
  return split;
}

// Dim by dim: windows of the next one are of what the first has made, which
// brings the corners along.
absl::Status TakeWindows(const Op& op, const std::vector<SplitRead>& reads,
                         std::vector<ShardedValue>& operands,
                         ShardBuilder& builder) {
  for (const SplitRead& read : reads) {
    ShardedValue& operand = operands[read.read.operand];
    ASSIGN_OR_RETURN(Value * fill,
                     FillOf(op, read.read.operand, operands, builder));
    ASSIGN_OR_RETURN(operand.local,
                     ExchangeHalo(operand.local, read.read.dim, read.axes,
                                  read.local.window, read.plan, fill, builder));
  }
  return absl::OkStatus();
}

absl::Status SetWindowBounds(const Op& op, const std::vector<SplitRead>& reads,
                             AttributeMap& attributes) {
  if (reads.empty()) return absl::OkStatus();
  const std::string& name = op.name();
  if (name == "stablehlo.slice") {
    RETURN_IF_ERROR(SetIntegers(
        "start_indices", reads, [](const LocalRead&) { return int64_t{0}; },
        attributes));
    return SetIntegers(
        "limit_indices", reads,
        [](const LocalRead& local) { return local.window.length; }, attributes);
  }
  if (name == "stablehlo.pad") {
    RETURN_IF_ERROR(SetIntegers(
        "edge_padding_low", reads,
        [](const LocalRead& local) { return local.low; }, attributes));
    return SetIntegers(
        "edge_padding_high", reads,
        [](const LocalRead& local) { return local.high; }, attributes);
  }
  if (name == "stablehlo.reduce_window") {
    return SetPadding(op, AllDims(op.result()->shape().rank()), reads,
                      attributes);
  }
  if (name == "stablehlo.convolution") {
    ASSIGN_OR_RETURN(const ConvolutionDimensions dims,
                     ConvolutionDimensionsOf(op));
    return SetPadding(op, dims.lhs.spatial, reads, attributes);
  }
  return absl::OkStatus();
}

void SetMadePlaces(const std::vector<SplitRead>& reads,
                   std::vector<Type>& result_types) {
  for (const SplitRead& read : reads) {
    if (read.local.made_places == 0) continue;
    for (Type& type : result_types) {
      Dims dims(type.shape().dims().begin(), type.shape().dims().end());
      dims[read.read.tensor_dim] = read.local.made_places;
      type = Shape(type.shape().element_type(), dims);
    }
  }
}

absl::Status CutToShards(const std::vector<SplitRead>& reads,
                         const std::vector<Type>& result_types,
                         std::vector<Value*>& results, ShardBuilder& builder) {
  for (const SplitRead& read : reads) {
    if (read.local.made_places == 0) continue;
    const int64_t dim = read.read.tensor_dim;
    std::vector<int64_t> starts;
    const int64_t shards = ShardCount(read.axes, builder.mesh().abstract());
    for (int64_t i = 0; i < shards; ++i) {
      starts.push_back(read.local.PlacesBefore(i));
    }
    // What another operand has made of the same dim is cut already.
    for (size_t i = 0; i < results.size(); ++i) {
      ASSIGN_OR_RETURN(results[i],
                       PartOfShard(results[i], dim, read.axes, starts,
                                   result_types[i].shape().dim(dim), builder));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Value*> JoinWindows(const std::vector<SplitRead>& reads,
                                   const std::vector<ShardedValue>& operands,
                                   ShardBuilder& builder) {
  Value* joined = operands[reads.back().read.operand].local;
  if (reads.size() == 1) return joined;
  for (size_t i = reads.size() - 1; i-- > 0;) {
    ASSIGN_OR_RETURN(
        joined, builder.Spliced(operands[reads[i].read.operand].local, joined,
                                reads[0].read.dim, reads[0].axes,
                                /*end=*/reads[i + 1].read.low));
  }
  return joined;
}

}  // namespace lockstep::internal
