#include "client/pmap/pmap_call.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/arrays/answered_call.h"
#include "client/arrays/placement.h"
#include "client/arrays/row_devices.h"
#include "client/arrays/row_layout.h"
#include "client/host/host_session.h"
#include "client/pmap/call_description.h"
#include "client/pmap/constant_evaluation.h"
#include "client/tracer/trace_function.h"
#include "runtime/base/status.h"
#include "runtime/mesh/pmap_rules.h"

namespace lockstep::internal {
namespace {

using Leaves = std::vector<ArgumentLeafValue>;

absl::StatusOr<MappedAxis> CheckedAxis(const ArgumentLeafValue& leaf,
                                       MappedAxis axis) {
  if (!axis.has_value() || leaf.is_number) return MappedAxis();
  RETURN_IF_ERROR(leaf.value.CheckUsable());
  const int rank = static_cast<int>(leaf.value.rank());
  // A scalar is refused with the other size rules.
  if (rank == 0) return axis;
  if (*axis >= -rank && *axis < rank) {
    return *axis < 0 ? *axis + rank : *axis;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("in_axes: argument ", leaf.path, " has no dimension ", *axis,
                   ": its shape is ", leaf.value.shape().ToString()));
}

// J-3, with the mapped dimension first.
absl::StatusOr<int64_t> AxisSize(const Leaves& leaves,
                                 const std::vector<MappedAxis>& axes) {
  std::vector<ArgumentLeaf> mapped;
  for (size_t i = 0; i < leaves.size(); ++i) {
    ArgumentLeaf leaf{leaves[i].path,
                      leaves[i].is_number ? "number" : "unmapped array",
                      std::nullopt};
    if (axes[i].has_value()) {
      const auto dims = leaves[i].value.shape().dims();
      leaf.dims.emplace(dims.begin(), dims.end());
      if (!dims.empty()) {
        std::rotate(leaf.dims->begin(), leaf.dims->begin() + *axes[i],
                    leaf.dims->begin() + *axes[i] + 1);
      }
    }
    mapped.push_back(std::move(leaf));
  }
  return MappedAxisSize(mapped);
}

std::vector<Shape> RowShapes(const Leaves& leaves,
                             const std::vector<MappedAxis>& axes) {
  std::vector<Shape> rows;
  for (size_t i = 0; i < leaves.size(); ++i) {
    const Shape& shape = leaves[i].value.shape();
    rows.push_back(axes[i].has_value() ? RowShape(shape, *axes[i]) : shape);
  }
  return rows;
}

std::string Signature(absl::string_view form, const Leaves& leaves) {
  std::string signature(form);
  for (const ArgumentLeafValue& leaf : leaves) {
    absl::StrAppend(&signature, ";", leaf.value.shape().ToString(),
                    leaf.is_number ? ":number" : "");
  }
  return signature;
}

// The positions of numbers.
std::vector<int> Numbers(const Leaves& leaves) {
  std::vector<int> numbers;
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].is_number) numbers.push_back(static_cast<int>(i));
  }
  return numbers;
}

absl::StatusOr<std::vector<MappedAxis>> ResultAxes(
    const MappedAxes& out_axes, const std::vector<Shape>& results) {
  RETURN_IF_ERROR(
      out_axes.CheckCount("out_axes", static_cast<int>(results.size())));
  std::vector<MappedAxis> axes;
  for (size_t i = 0; i < results.size(); ++i) {
    const int rank = static_cast<int>(results[i].rank()) + 1;
    MappedAxis axis = out_axes.at(static_cast<int>(i));
    if (axis.has_value() && (*axis < -rank || *axis >= rank)) {
      return absl::InvalidArgumentError(
          absl::StrCat("out_axes: result ", i, " has no place for dimension ",
                       *axis, ": a copy's result is ", results[i].ToString()));
    }
    if (axis.has_value() && *axis < 0) *axis += rank;
    axes.push_back(axis);
  }
  return axes;
}

// J-5: as many rows as the caller passed.
Array BroadcastConstant(const Literal& value, MappedAxis axis, int64_t rows) {
  if (!axis.has_value()) return Array(value);
  return Array(StackAlong(std::vector<Literal>(rows, value), *axis));
}

RowPlacement PlacementOf(MappedAxis axis, int64_t copies) {
  if (!axis.has_value()) return {};
  return {.dim = *axis, .copies = copies};
}

// Not 0.
uint64_t FingerprintOf(const std::vector<Literal>& constants) {
  uint64_t digest = 1;
  for (const Literal& constant : constants) {
    const std::string shape = constant.shape().ToString();
    digest = XXH3_64bits_withSeed(shape.data(), shape.size(), digest);
    digest = XXH3_64bits_withSeed(
        constant.bytes(), static_cast<size_t>(constant.shape().byte_size()),
        digest);
  }
  return digest | 1;
}

}  // namespace

absl::StatusOr<PmapResult> PmapCall::Run(Leaves leaves, int argument_count,
                                         absl::string_view form,
                                         const TraceCallback& trace) {
  ASSIGN_OR_RETURN(const std::shared_ptr<View> view, ResolveView());
  const std::string signature = Signature(form, leaves);
  std::shared_ptr<const Compiled> compiled = Cached(signature, view);
  CallRequest request = RequestOf(compiled);
  if (compiled == nullptr) {
    request.description = DescribeCall(options_, place_, leaves);
  }
  // An argument that cannot be read does not keep the call from its place,
  // where the other hosts are.
  const absl::Status compared = AddReplicatedValues(request, leaves);
  // From here on other hosts wait for this one.
  ASSIGN_OR_RETURN(const std::unique_ptr<ViewCall> call,
                   view->BeginCall(std::move(request)));
  AnsweredCall answer(call.get());
  const auto run = [&]() -> absl::StatusOr<PmapResult> {
    RETURN_IF_ERROR(compared);
    if (compiled == nullptr || compiled->lives != call->lives()) {
      ASSIGN_OR_RETURN(compiled,
                       Compile(view, *call, leaves, argument_count, trace));
      absl::MutexLock lock(&mutex_);
      compiled_[signature] = compiled;
    }
    return Launch(*view, *call, *compiled, leaves);
  };
  absl::StatusOr<PmapResult> result = run();
  answer.Answer(result.status());
  return result;
}

std::shared_ptr<const PmapCall::Compiled> PmapCall::Cached(
    const std::string& signature, const std::shared_ptr<View>& view) const {
  absl::MutexLock lock(&mutex_);
  const auto it = compiled_.find(signature);
  if (it == compiled_.end() || it->second->view.lock() != view) return nullptr;
  return it->second;
}

CallRequest PmapCall::RequestOf(
    const std::shared_ptr<const Compiled>& cached) const {
  CallRequest request;
  // Hosts may have been built in different folders.
  const absl::string_view file = place_.file_name();
  request.function =
      absl::StrCat(ProgramName(), " at ", file.substr(file.rfind('/') + 1), ":",
                   place_.line());
  if (options_.devices.has_value()) {
    request.devices.emplace();
    for (const Device& device : *options_.devices) {
      request.devices->push_back(device.id);
    }
  }
  request.sequence = options_.sequence;
  request.stall_abort = options_.stall_abort;
  request.late_abort = options_.late_abort;
  if (cached != nullptr) {
    request.description = cached->description;
    request.program = {cached->lives, cached->fingerprint};
  }
  return request;
}

absl::Status PmapCall::AddReplicatedValues(CallRequest& request,
                                           const Leaves& leaves) const {
  if (!options_.check_replicated_values) return absl::OkStatus();
  ASSIGN_OR_RETURN(request.description,
                   WithReplicatedValues(request.description, options_, leaves));
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<View>> PmapCall::ResolveView() const {
  if (options_.view != nullptr) return options_.view;
  return HostSessionView("pmap");
}

absl::StatusOr<std::vector<MappedAxis>> PmapCall::LeafAxes(
    const Leaves& leaves, int argument_count) const {
  RETURN_IF_ERROR(options_.in_axes.CheckCount("in_axes", argument_count));
  std::vector<MappedAxis> axes;
  for (const ArgumentLeafValue& leaf : leaves) {
    ASSIGN_OR_RETURN(const MappedAxis axis,
                     CheckedAxis(leaf, options_.in_axes.at(leaf.argument)));
    axes.push_back(axis);
  }
  return axes;
}

absl::StatusOr<std::shared_ptr<const PmapCall::Compiled>> PmapCall::Compile(
    const std::shared_ptr<View>& view, ViewCall& call, const Leaves& leaves,
    int argument_count, const TraceCallback& trace) const {
  ASSIGN_OR_RETURN(std::vector<MappedAxis> in_axes,
                   LeafAxes(leaves, argument_count));
  ASSIGN_OR_RETURN(
      const std::vector<int> donated,
      DonatedLeaves(options_.donate_argnums, argument_count, leaves));
  AxisQuery query;
  query.key = ProgramName();
  query.function = query.key;
  query.axis_name = options_.axis_name;
  query.description = DescribeCall(options_, place_, leaves);
  if (options_.devices.has_value()) {
    query.devices.emplace();
    for (const Device& device : *options_.devices) {
      query.devices->push_back(device.id);
    }
  }
  ASSIGN_OR_RETURN(query.axis_size, AxisSize(leaves, in_axes));
  ASSIGN_OR_RETURN(const int64_t devices_per_row,
                   DevicesPerRow(*view, query, leaves, in_axes, trace));
  AxisQuery in_devices = query;
  in_devices.axis_size *= devices_per_row;
  ASSIGN_OR_RETURN(AxisResolution resolution, call.ResolveAxis(in_devices));
  resolution.global_axis_size /= devices_per_row;
  auto compiled = std::make_shared<Compiled>();
  compiled->view = view;
  compiled->lives = call.lives();
  compiled->description = query.description;
  compiled->axis_size = query.axis_size;
  compiled->in_axes = std::move(in_axes);
  ASSIGN_OR_RETURN(const TracedFunction traced,
                   Trace(resolution, leaves, trace, *compiled));
  if (traced.is_all_constant()) {
    ASSIGN_OR_RETURN(compiled->constants, EvaluateConstants(*traced.module));
    compiled->fingerprint = FingerprintOf(compiled->constants);
    RETURN_IF_ERROR(call.AgreeOn(
        {ProgramName(),
         {{"results, which are constants",
           absl::StrCat(absl::Hex(compiled->fingerprint, absl::kZeroPad16))}},
         /*holds_later=*/true}));
    return compiled;
  }
  RETURN_IF_ERROR(
      Load(*view, call, query, resolution, traced, donated, *compiled));
  return compiled;
}

// How many a copy of the function needs for the maps within it, only tracing
// tells: it is asked when the rows suggest it.
absl::StatusOr<int64_t> PmapCall::DevicesPerRow(
    const View& view, const AxisQuery& query, const Leaves& leaves,
    const std::vector<MappedAxis>& in_axes, const TraceCallback& trace) const {
  const RowDevices devices = DevicesOfRows(view, query);
  if (devices.per_row == 1) return 1;
  // An error of the function is what its caller has to hear: without maps in it
  // the number of rows is wrong too, but that would be the smaller one.
  ASSIGN_OR_RETURN(
      const TracedFunction traced,
      TraceFunction(
          ModuleName("pmap", options_.name),
          AxisEnvironment::OneAxis(options_.axis_name, devices.rows_of_all),
          RowShapes(leaves, in_axes),
          [&](const std::vector<Tensor>& inputs) {
            return trace(inputs).tensors;
          },
          Numbers(leaves)));
  return traced.body_replicas == devices.per_row ? devices.per_row : 1;
}

absl::StatusOr<TracedFunction> PmapCall::Trace(const AxisResolution& resolution,
                                               const Leaves& leaves,
                                               const TraceCallback& trace,
                                               Compiled& compiled) const {
  const auto function = [&](const std::vector<Tensor>& inputs) {
    TracedResult result = trace(inputs);
    compiled.form = std::move(result.form);
    return std::move(result.tensors);
  };
  const AxisEnvironment axes =
      AxisEnvironment::OneAxis(options_.axis_name, resolution.global_axis_size);
  ASSIGN_OR_RETURN(TracedFunction traced,
                   TraceFunction(ModuleName("pmap", options_.name), axes,
                                 RowShapes(leaves, compiled.in_axes), function,
                                 Numbers(leaves)));
  ASSIGN_OR_RETURN(compiled.out_axes,
                   ResultAxes(options_.out_axes, traced.results));
  return traced;
}

absl::Status PmapCall::Load(View& view, ViewCall& call, const AxisQuery& query,
                            const AxisResolution& resolution,
                            const TracedFunction& traced,
                            const std::vector<int>& donated,
                            Compiled& compiled) const {
  const int64_t replicas = traced.replica_count;
  std::vector<GlobalDeviceId> devices = resolution.devices;
  RETURN_IF_ERROR(view.CheckReplicas(query, resolution.global_axis_size,
                                     traced.body_replicas));
  RETURN_IF_ERROR(CheckRowsOnHosts(view, devices, traced.body_replicas));
  if (replicas > static_cast<int64_t>(devices.size())) {
    devices.clear();
    const World world = view.world();
    for (int64_t i = 0; i < replicas; ++i) {
      devices.push_back(world.devices()[i].id);
    }
  }
  ViewProgramSpec spec;
  spec.name = ProgramName();
  spec.module = traced.module;
  spec.callbacks = traced.callbacks;
  spec.donated_arguments = donated;
  spec.results = traced.results;
  ASSIGN_OR_RETURN(spec.assignment,
                   DeviceAssignment::Create(static_cast<int32_t>(replicas), 1,
                                            std::move(devices)));
  compiled.devices = view.Addressable(spec.assignment.devices());
  compiled.copies = static_cast<int64_t>(compiled.devices.size()) /
                    std::max<int64_t>(compiled.axis_size, 1);
  ASSIGN_OR_RETURN(compiled.program, call.Load(std::move(spec)));
  compiled.fingerprint = compiled.program->fingerprint();
  return absl::OkStatus();
}

absl::StatusOr<PmapResult> PmapCall::Launch(View& view, ViewCall& call,
                                            const Compiled& compiled,
                                            const Leaves& leaves) const {
  PmapResult result;
  result.form = compiled.form;
  if (compiled.program == nullptr) {
    for (size_t i = 0; i < compiled.constants.size(); ++i) {
      result.arrays.push_back(BroadcastConstant(
          compiled.constants[i], compiled.out_axes[i], compiled.axis_size));
    }
    return result;
  }
  std::vector<std::shared_ptr<Shards>> arguments;
  for (size_t i = 0; i < leaves.size(); ++i) {
    absl::StatusOr<std::shared_ptr<Shards>> shards = Place(
        view, leaves[i].value,
        PlacementOf(compiled.in_axes[i], compiled.copies), compiled.devices);
    if (!shards.ok()) {
      return Annotate(shards.status(),
                      absl::StrCat("argument ", leaves[i].path));
    }
    arguments.push_back(*std::move(shards));
  }
  ASSIGN_OR_RETURN(const auto outputs,
                   call.Launch(compiled.program, arguments));
  for (size_t i = 0; i < outputs.size(); ++i) {
    result.arrays.push_back(
        Array(outputs[i], PlacementOf(compiled.out_axes[i], compiled.copies)));
  }
  return result;
}

}  // namespace lockstep::internal
