#include "client/jit/shard_map_call.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/jit/replication.h"
#include "client/partitioning/mesh_context.h"
#include "client/tracer/emit_sharding.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/mesh/sharding/manual_shardings.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/passes/import/op_walk.h"

namespace lockstep::internal {
namespace {

std::string Quoted(absl::Span<const std::string> names) {
  return absl::StrJoin(names, ", ", [](std::string* out, const auto& name) {
    absl::StrAppend(out, "'", name, "'");
  });
}

std::vector<std::string> PathsOf(absl::string_view what,
                                 const Tree<size_t>& structure, size_t count) {
  std::vector<std::string> paths(count);
  structure.Transform([&](size_t leaf, const std::string& path) {
    paths[leaf] =
        path.empty() ? std::string(what) : absl::StrCat(what, " ", path);
    return 0;
  });
  return paths;
}

// The axes of a dimension are all manual, those of the spec.
absl::StatusOr<Shape> LocalShape(absl::string_view what, const Shape& shape,
                                 const TensorSharding& sharding,
                                 const Mesh& mesh) {
  std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t shards = sharding.dims[d].ShardCount(mesh.abstract());
    if (dims[d] % shards != 0) {
      std::vector<std::string> axes;
      for (const AxisRef& axis : sharding.dims[d].axes) {
        axes.push_back(axis.name());
      }
      return absl::InvalidArgumentError(
          absl::StrCat(what, ": dimension ", d, " of ", shape.ToString(),
                       ", of size ", dims[d], ", is not divided by the axes ",
                       Quoted(axes), ", of size ", shards));
    }
    dims[d] /= shards;
  }
  return Shape::Create(shape.element_type(), dims);
}

// The whole array whose shards have this shape.
absl::StatusOr<Shape> GlobalShape(const Shape& shape,
                                  const TensorSharding& sharding,
                                  const Mesh& mesh) {
  std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
  for (size_t d = 0; d < dims.size(); ++d) {
    dims[d] *= sharding.dims[d].ShardCount(mesh.abstract());
  }
  return Shape::Create(shape.element_type(), dims);
}

}  // namespace

ShardMapCall::ShardMapCall(const ShardMapSpecs& specs,
                           const SourceLocation& place,
                           std::vector<Tensor> tensors, Tree<size_t> structure)
    : specs_(specs),
      place_(place),
      tensors_(std::move(tensors)),
      structure_(std::move(structure)) {
  for (const Tensor& tensor : tensors_) {
    if (trace_ == nullptr && !tensor.is_poisoned()) {
      trace_ = tensor.trace().get();
    }
  }
  if (trace_ == nullptr) trace_ = Trace::Current();
}

std::vector<Tensor> ShardMapCall::Run(const JitTrace& body) {
  const auto run = [&]() -> absl::StatusOr<std::vector<TraceValue*>> {
    std::vector<TraceValue*> operands;
    for (const Tensor& tensor : tensors_) {
      ASSIGN_OR_RETURN(operands.emplace_back(), trace_->Resolve(tensor));
    }
    RETURN_IF_ERROR(ResolveMesh());
    return RunIn(*trace_, operands, body);
  };
  if (trace_ != nullptr) {
    const Trace::PlaceScope scope(*trace_, place_);
    const absl::StatusOr<std::vector<TraceValue*>> values = run();
    if (values.ok()) {
      std::vector<Tensor> results;
      for (TraceValue* value : *values) results.push_back(trace_->Wrap(value));
      return results;
    }
    if (values.status().code() != absl::StatusCode::kAborted) {
      trace_->Fail(AtCall(place_, specs_.names.operation, values.status()));
    }
  }
  // For the form of its result.
  const JitTraced traced = body(std::vector<Tensor>(tensors_.size()));
  return std::vector<Tensor>(traced.tensors.size());
}

absl::Status ShardMapCall::ResolveMesh() {
  if (specs_.mesh.has_value()) {
    mesh_ = *specs_.mesh;
  } else if (global_mesh_defined()) {
    mesh_ = *global_mesh();
  } else if (trace_->mesh() != nullptr) {
    mesh_ = *trace_->mesh();
  }
  ASSIGN_OR_RETURN(symbol_, trace_->SymbolOf(mesh_));
  // Groups of collectives are of positions in the mesh.
  if (!absl::c_equal(mesh_.devices(), trace_->mesh()->devices())) {
    return absl::UnimplementedError(absl::StrCat(
        "a mesh with the devices of ", trace_->mesh()->ToString(),
        ", which the program runs on, in another order: ", mesh_.ToString()));
  }
  const std::vector<std::string>& auto_axes = specs_.options.auto_axes;
  for (const std::string& axis : auto_axes) {
    if (mesh_.abstract().FindAxis(axis).has_value()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("auto_axes: expected axes of ", mesh_.ToString(),
                     ", found ", Quoted(auto_axes)));
  }
  const AxisEnvironment& around = trace_->axes();
  for (const MeshAxis& axis : mesh_.axes()) {
    const bool is_bound =
        around.is_mesh && absl::c_linear_search(around.names, axis.name);
    if (is_bound) bound_axes_.push_back(axis.name);
    if (is_bound || absl::c_linear_search(auto_axes, axis.name)) continue;
    manual_axes_.push_back(axis.name);
    bound_axes_.push_back(axis.name);
  }
  return absl::OkStatus();
}

// Open where axes that are not manual may still be added.
absl::StatusOr<TensorSharding> ShardMapCall::ShardingOf(
    absl::string_view what, const PartitionSpec& spec, int64_t rank) const {
  ASSIGN_OR_RETURN(TensorSharding sharding,
                   ShardingOfSpec(symbol_, spec, rank));
  const bool is_open = manual_axes_.size() < static_cast<size_t>(mesh_.rank());
  for (DimSharding& dim : sharding.dims) {
    dim.is_closed = !is_open;
    for (const AxisRef& axis : dim.axes) {
      if (absl::c_linear_search(manual_axes_, axis.name())) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          what, ": expected a spec of the manual axes ", Quoted(manual_axes_),
          ", found '", axis.name(), "' in ", spec.ToString()));
    }
  }
  return sharding;
}

absl::StatusOr<std::vector<TensorSharding>> ShardMapCall::InShardings() {
  std::vector<Shape> shapes;
  for (const Tensor& tensor : tensors_) shapes.push_back(tensor.shape());
  ASSIGN_OR_RETURN(const auto specs, MatchSpecs(specs_.names.in, specs_.in,
                                                structure_, shapes, mesh_));
  const std::vector<std::string> paths =
      PathsOf("argument", structure_, shapes.size());
  std::vector<TensorSharding> shardings;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (!specs[i].has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(
          specs_.names.in, ": expected a PartitionSpec for ", paths[i],
          ", of type ", shapes[i].ToString(), ", found none"));
    }
    ASSIGN_OR_RETURN(shardings.emplace_back(),
                     ShardingOf(absl::StrCat(specs_.names.in, ": ", paths[i]),
                                *specs[i], shapes[i].rank()));
  }
  return shardings;
}

absl::StatusOr<std::vector<Shape>> ShardMapCall::LocalShapes(
    const std::vector<TensorSharding>& shardings) {
  const std::vector<std::string> paths =
      PathsOf("argument", structure_, tensors_.size());
  std::vector<Shape> shapes;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    ASSIGN_OR_RETURN(Shape shape, LocalShape(paths[i], tensors_[i].shape(),
                                             shardings[i], mesh_));
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

// Members are all devices; axes that are left to propagation have no name.
AxisEnvironment ShardMapCall::AxesOfBody() const {
  AxisEnvironment axes;
  axes.is_mesh = true;
  axes.replica_count = mesh_.size();
  for (const MeshAxis& axis : mesh_.axes()) {
    axes.names.push_back(
        absl::c_linear_search(bound_axes_, axis.name) ? axis.name : "");
    axes.sizes.push_back(axis.size);
  }
  return axes;
}

// What the function uses of values around it becomes operands, of which each
// device has all along the manual axes.
absl::Status ShardMapCall::AddCaptured(
    Region& body, std::vector<Value*>& captured,
    std::vector<TensorSharding>& shardings) const {
  ValueMap inside;
  for (Value* value : FreeValues(body)) {
    const int64_t rank = value->shape().rank();
    ASSIGN_OR_RETURN(shardings.emplace_back(),
                     ShardingOf("captured", PartitionSpec(), rank));
    inside.Set(value, body.AddArgument(value->type()));
    captured.push_back(value);
  }
  for (const auto& op : body.ops()) RemapOperands(*op, inside);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<TraceValue*>> ShardMapCall::RunIn(
    Trace& trace, const std::vector<TraceValue*>& operands,
    const JitTrace& body) {
  ManualShardings manual;
  manual.manual_axes = manual_axes_;
  ASSIGN_OR_RETURN(manual.in, InShardings());
  ASSIGN_OR_RETURN(const std::vector<Shape> local, LocalShapes(manual.in));
  JitTraced traced;
  const auto build = [&](const std::vector<TraceValue*>& arguments)
      -> absl::StatusOr<std::vector<TraceValue*>> {
    const Trace::MeshAxesScope axes(trace, AxesOfBody());
    std::vector<Tensor> inputs;
    for (TraceValue* argument : arguments) {
      inputs.push_back(trace.Wrap(argument));
    }
    traced = body(inputs);
    std::vector<TraceValue*> values;
    for (const Tensor& result : traced.tensors) {
      ASSIGN_OR_RETURN(values.emplace_back(), trace.Resolve(result));
    }
    return values;
  };
  ASSIGN_OR_RETURN(Trace::TracedRegion region,
                   trace.BuildRegion(local, build, "sdy.return"));
  std::vector<Shape> shapes;
  for (const TraceValue* value : region.results) {
    shapes.push_back(value->shape());
  }
  ASSIGN_OR_RETURN(const auto specs,
                   MatchSpecs(specs_.names.out, specs_.out, traced.structure,
                              shapes, mesh_));
  const std::vector<std::string> paths =
      PathsOf("result", traced.structure, shapes.size());
  std::vector<Shape> results;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (!specs[i].has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(
          specs_.names.out, ": expected a PartitionSpec for ", paths[i],
          ", of type ", shapes[i].ToString(), " on each device, found none"));
    }
    ASSIGN_OR_RETURN(manual.out.emplace_back(),
                     ShardingOf(absl::StrCat(specs_.names.out, ": ", paths[i]),
                                *specs[i], shapes[i].rank()));
    ASSIGN_OR_RETURN(Shape result,
                     GlobalShape(shapes[i], manual.out.back(), mesh_));
    results.push_back(std::move(result));
  }
  std::vector<Value*> captured;
  RETURN_IF_ERROR(AddCaptured(*region.region, captured, manual.in));
  if (specs_.options.check_replication) {
    RETURN_IF_ERROR(CheckReplication(*region.region, manual, mesh_.abstract(),
                                     specs_.names.out, paths));
  }
  std::vector<TraceValue*> all = operands;
  std::deque<TraceValue> of_captured;  // for the op alone
  for (Value* value : captured) {
    all.push_back(&of_captured.emplace_back(value, /*region=*/0));
  }
  return EmitManualComputation(trace, all, std::move(manual),
                               std::move(region.region), std::move(results));
}

}  // namespace lockstep::internal
