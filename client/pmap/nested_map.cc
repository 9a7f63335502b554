#include "client/pmap/nested_map.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "client/tracer/emit.h"
#include "client/tracer/emit_collective.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"
#include "runtime/mesh/axis_groups.h"

namespace lockstep::internal {
namespace {

std::string AxisText(const std::string& name) {
  return name.empty() ? "a private axis" : absl::StrCat("axis '", name, "'");
}

// J-15: the outermost map alone says where its copies run.
absl::Status CheckNoDevices(const AxisEnvironment& outer,
                            const PmapOptions& inner) {
  if (!inner.devices.has_value()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "nested maps and explicit devices cannot be combined: ",
      AxisText(inner.axis_name), " is mapped within ",
      AxisText(outer.names.empty() ? "" : outer.names.back()),
      ", and the inner one has devices; give them to the outermost"));
}

// The index on the innermost axis, s32.
ValueOr InnerIndex(Trace& trace) {
  const AxisEnvironment& axes = trace.axes();
  int64_t stride = axes.replica_count;
  for (int64_t size : axes.sizes) stride /= size;
  const Shape u32(ElementType::kU32, {});
  ValueOr index = EmitReplicaId(trace);
  index = EmitBinary(trace, "stablehlo.divide", index,
                     EmitSplat(trace, u32, Literal::Scalar(stride)));
  index = EmitBinary(trace, "stablehlo.remainder", index,
                     EmitSplat(trace, u32, Literal::Scalar(axes.sizes.back())));
  return EmitConvert(trace, index, ElementType::kS32);
}

// One start per dimension: the inner index at `dim`, 0 elsewhere.
absl::StatusOr<std::vector<TraceValue*>> StartsAt(Trace& trace, int64_t rank,
                                                  int64_t dim) {
  ASSIGN_OR_RETURN(TraceValue * zero,
                   EmitNumber(trace, Shape(ElementType::kS32, {}), 0));
  std::vector<TraceValue*> starts(rank, zero);
  ASSIGN_OR_RETURN(starts[dim], InnerIndex(trace));
  return starts;
}

ValueOr TakeRow(Trace& trace, TraceValue* x, int64_t dim) {
  Dims sizes = DimsOf(x);
  sizes[dim] = 1;
  ASSIGN_OR_RETURN(const auto starts, StartsAt(trace, x->shape().rank(), dim));
  ValueOr row = EmitDynamicSlice(trace, x, starts, sizes);
  sizes.erase(sizes.begin() + dim);
  return EmitReshape(trace, row, sizes);
}

// `row` at the inner index along `dim` of zeros.
ValueOr PlaceRow(Trace& trace, TraceValue* row, int64_t dim, int64_t size) {
  Dims dims = DimsOf(row);
  dims.insert(dims.begin() + dim, 1);
  ASSIGN_OR_RETURN(TraceValue * piece, EmitReshape(trace, row, dims));
  dims[dim] = size;
  const Shape whole(row->shape().element_type(), dims);
  ASSIGN_OR_RETURN(TraceValue * zeros, EmitNumber(trace, whole, 0));
  ASSIGN_OR_RETURN(const auto starts, StartsAt(trace, whole.rank(), dim));
  return EmitDynamicUpdateSlice(trace, zeros, piece, starts);
}

// A constant is all rows at once, without a sum (J-5).
ValueOr Repeat(Trace& trace, TraceValue* row, int64_t dim, int64_t size) {
  Dims dims = DimsOf(row);
  dims.insert(dims.begin() + dim, size);
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < row->shape().rank(); ++i) {
    kept.push_back(i < dim ? i : i + 1);
  }
  return EmitBroadcastInDim(trace, row, kept, dims);
}

// A result that is not mapped is the same on every copy.
ValueOr RestackOne(Trace& trace, const Tensor& result, MappedAxis axis,
                   int64_t size) {
  ASSIGN_OR_RETURN(TraceValue * row, trace.Resolve(result));
  if (!axis.has_value()) return row;
  ASSIGN_OR_RETURN(const int64_t dim,
                   CheckedDim(*axis, row->shape().rank() + 1));
  if (row->is_constant) return Repeat(trace, row, dim, size);
  ASSIGN_OR_RETURN(TraceValue * placed, PlaceRow(trace, row, dim, size));
  const AxisEnvironment& axes = trace.axes();
  const int64_t innermost = static_cast<int64_t>(axes.sizes.size()) - 1;
  ASSIGN_OR_RETURN(const ReplicaGroups groups,
                   AxisGroups(axes.replica_count, axes.sizes, {innermost}));
  // On bool, add is a logical or.
  return EmitAllReduce(trace, placed, "stablehlo.add",
                       placed->shape().element_type(), groups);
}

}  // namespace

NestedMap::NestedMap(const PmapOptions& options, const SourceLocation& place,
                     const std::vector<Tensor>& arguments,
                     const std::vector<int>& argument_of, int argument_count)
    : options_(options), place_(place), rows_(arguments) {
  for (const Tensor& argument : arguments) {
    if (argument.trace() == nullptr || argument.trace()->has_ended()) continue;
    trace_ = argument.trace();
  }
  if (trace_ == nullptr && Trace::Current() != nullptr) {
    trace_ = Trace::Current()->shared_from_this();
  }
  if (trace_ == nullptr) return;
  const Trace::PlaceScope scope(*trace_, place_);
  const absl::Status status = Enter(arguments, argument_of, argument_count);
  if (status.ok()) return;
  trace_->Fail(AtCall(place_, "pmap", status));
  rows_.assign(arguments.size(), Tensor(trace_, nullptr));
}

NestedMap::~NestedMap() {
  if (has_entered_) trace_->PopAxis();
}

absl::Status NestedMap::Enter(const std::vector<Tensor>& arguments,
                              const std::vector<int>& argument_of,
                              int argument_count) {
  if (trace_->mesh() != nullptr) {
    return absl::UnimplementedError(
        "pmap within a program over whole arrays; see shard_map");
  }
  RETURN_IF_ERROR(CheckNoDevices(trace_->axes(), options_));
  RETURN_IF_ERROR(options_.in_axes.CheckCount("in_axes", argument_count));
  std::vector<TraceValue*> values;
  std::vector<std::optional<int64_t>> dims;
  for (size_t i = 0; i < arguments.size(); ++i) {
    ASSIGN_OR_RETURN(TraceValue * value, trace_->Resolve(arguments[i]));
    values.push_back(value);
    std::optional<int64_t>& dim = dims.emplace_back();
    const MappedAxis axis = options_.in_axes.at(argument_of[i]);
    const bool is_number = value->is_weak && value->shape().rank() == 0;
    if (!axis.has_value() || is_number) continue;
    ASSIGN_OR_RETURN(dim, CheckedDim(*axis, value->shape().rank()));
    const int64_t size = value->shape().dim(*dim);
    if (size_ == 0) size_ = size;
    if (size != size_) {
      return absl::InvalidArgumentError(
          absl::StrCat("argument ", argument_of[i], " has ", size,
                       " rows, expected ", size_));
    }
  }
  if (size_ == 0) {
    return absl::InvalidArgumentError("no argument has a mapped dimension");
  }
  trace_->PushAxis(options_.axis_name, size_);
  has_entered_ = true;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!dims[i].has_value()) continue;
    ASSIGN_OR_RETURN(TraceValue * row, TakeRow(*trace_, values[i], *dims[i]));
    rows_[i] = trace_->Wrap(row);
  }
  return absl::OkStatus();
}

std::vector<Tensor> NestedMap::Restack(
    const std::vector<Tensor>& results) const {
  std::vector<Tensor> whole;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!has_entered_) {
      whole.push_back(Tensor(trace_, nullptr));
      continue;
    }
    whole.push_back(
        TraceOperation("pmap", place_, {}, [&](Trace& trace) -> ValueOr {
          const int count = static_cast<int>(results.size());
          RETURN_IF_ERROR(options_.out_axes.CheckCount("out_axes", count));
          return RestackOne(trace, results[i],
                            options_.out_axes.at(static_cast<int>(i)), size_);
        }));
  }
  return whole;
}

}  // namespace lockstep::internal
