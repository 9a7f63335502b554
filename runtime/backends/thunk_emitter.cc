#include "runtime/backends/thunk_emitter.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/backends/collective_parameters.h"
#include "runtime/backends/host_call_thunk.h"
#include "runtime/backends/kernel_scratch.h"
#include "runtime/backends/kernel_work.h"
#include "runtime/backends/memory_layout.h"
#include "runtime/backends/schedule_builder.h"
#include "runtime/backends/schedule_overlap.h"
#include "runtime/backends/step_request.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/host_call.h"
#include "runtime/executable/collective_overlap.h"
#include "runtime/executable/copy_thunk.h"
#include "runtime/executable/host_conditional_thunk.h"
#include "runtime/executable/host_while_thunk.h"
#include "runtime/executable/place_thunk.h"
#include "runtime/passes/op_cost.h"

namespace lockstep::internal {
namespace {

class ThunkEmitter {
 public:
  ThunkEmitter(const Schedule& schedule, const MemoryLayout& layout,
               const DeviceAssignment& assignment,
               const CompileOptions& options, KernelEmitter& kernels)
      : schedule_(schedule),
        layout_(layout),
        assignment_(assignment),
        options_(options),
        collectives_(assignment, kernels),
        kernels_(kernels) {}

  absl::StatusOr<ThunkSequence> Emit(const std::vector<Step>& steps) {
    ThunkSequence sequence;
    for (const Step& step : steps) {
      if (step.kind == Step::Kind::kCopy &&
          Slice(step.operands[0]) == Slice(step.results[0])) {
        continue;
      }
      ASSIGN_OR_RETURN(std::unique_ptr<Thunk> thunk, EmitStep(step));
      sequence.Append(std::move(thunk));
    }
    return kernels_.Combine(
        OverlapCollectives(std::move(sequence), options_.overlap));
  }

  int clique_slot_count() const { return collectives_.clique_slot_count(); }

 private:
  BufferSlice Slice(TensorId tensor) const { return layout_.slices[tensor]; }

  std::vector<CollectiveThunk::Scratch> ScratchOf(const Step& step) const {
    std::vector<CollectiveThunk::Scratch> scratch(step.results.size());
    for (size_t i = 0; i < step.packed.size(); ++i) {
      scratch[i].packed = Slice(step.packed[i]);
    }
    for (size_t i = 0; i < step.arriving.size(); ++i) {
      scratch[i].arriving = Slice(step.arriving[i]);
    }
    return scratch;
  }

  absl::StatusOr<std::unique_ptr<Thunk>> EmitStep(const Step& step) {
    std::string location = step.op->location().ToString();
    switch (step.kind) {
      case Step::Kind::kKernel:
        return EmitKernel(step);
      case Step::Kind::kCopy:
        return std::make_unique<CopyThunk>(std::move(location),
                                           Slice(step.operands[0]),
                                           Slice(step.results[0]));
      case Step::Kind::kPlace:
        return std::make_unique<PlaceThunk>(
            std::move(location),
            step.op->name() == "stablehlo.partition_id"
                ? PlaceThunk::Coordinate::kPartition
                : PlaceThunk::Coordinate::kReplica,
            Slice(step.results[0]));
      case Step::Kind::kCollective: {
        ASSIGN_OR_RETURN(CollectiveThunk::Parameters parameters,
                         collectives_.Read(*step.op));
        const KernelRequest request = RequestOf(step, layout_);
        auto collective = std::make_unique<CollectiveThunk>(
            std::move(location), std::move(parameters), request.operands,
            request.results, ScratchOf(step));
        collective->SetWork({.flops = EstimateCost(*step.op).flops});
        return collective;
      }
      case Step::Kind::kWhile: {
        ASSIGN_OR_RETURN(std::unique_ptr<Thunk> loop,
                         kernels_.EmitLoop({schedule_, layout_, step}));
        if (loop != nullptr) return loop;
        ASSIGN_OR_RETURN(ThunkSequence condition, Emit(step.nested[0]));
        ASSIGN_OR_RETURN(ThunkSequence body, Emit(step.nested[1]));
        return std::make_unique<HostWhileThunk>(
            std::move(location), std::move(condition), Slice(step.operands[0]),
            std::move(body));
      }
      case Step::Kind::kConditional:
        return EmitConditional(step, std::move(location));
    }
    return absl::InternalError("unknown kind of step");
  }

  absl::StatusOr<std::unique_ptr<Thunk>> EmitKernel(const Step& step) {
    const KernelRequest request = RequestOf(step, layout_);
    if (IsHostCall(*step.op)) {
      return HostCallThunk::Create(request, options_, assignment_);
    }
    ASSIGN_OR_RETURN(std::unique_ptr<Thunk> thunk, kernels_.Emit(request));
    thunk->SetWork(WorkOf(request));
    return thunk;
  }

  absl::StatusOr<std::unique_ptr<Thunk>> EmitConditional(const Step& step,
                                                         std::string location) {
    std::vector<ThunkSequence> branches;
    for (const std::vector<Step>& nested : step.nested) {
      ASSIGN_OR_RETURN(ThunkSequence branch, Emit(nested));
      branches.push_back(std::move(branch));
    }
    const bool is_predicate =
        schedule_.tensors[step.operands[0]].shape.element_type() ==
        ElementType::kPred;
    return std::make_unique<HostConditionalThunk>(
        std::move(location),
        is_predicate ? HostConditionalThunk::Selector::kPredicate
                     : HostConditionalThunk::Selector::kIndex,
        Slice(step.operands[0]), std::move(branches));
  }

  const Schedule& schedule_;
  const MemoryLayout& layout_;
  const DeviceAssignment& assignment_;
  const CompileOptions& options_;
  CollectiveParameterReader collectives_;
  KernelEmitter& kernels_;
};

absl::Status CheckCounts(const Module& module,
                         const DeviceAssignment& assignment) {
  ASSIGN_OR_RETURN(const int32_t replicas, module.ReplicaCount());
  ASSIGN_OR_RETURN(const int32_t partitions, module.PartitionCount());
  if (replicas == assignment.replica_count() &&
      partitions == assignment.partition_count()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the program has ", replicas, " replicas and ", partitions,
      " partitions, the device assignment ", assignment.ToString(), " has ",
      assignment.replica_count(), " and ", assignment.partition_count()));
}

absl::Status CheckDonated(const CompileOptions& options, size_t arguments) {
  for (size_t i = 0; i < options.donated_arguments.size(); ++i) {
    const int position = options.donated_arguments[i];
    if (position < 0 || static_cast<size_t>(position) >= arguments) {
      return absl::InvalidArgumentError(
          absl::StrCat("donated argument ", position, " of a program with ",
                       arguments, " arguments"));
    }
    if (i > 0 && options.donated_arguments[i - 1] >= position) {
      return absl::InvalidArgumentError(
          absl::StrCat("donated arguments must ascend, found ",
                       options.donated_arguments[i - 1], " before ", position));
    }
  }
  return absl::OkStatus();
}

std::vector<Shape> ShapesOf(const Schedule& schedule,
                            const std::vector<TensorId>& tensors) {
  std::vector<Shape> shapes;
  for (TensorId tensor : tensors) {
    shapes.push_back(schedule.tensors[tensor].shape);
  }
  return shapes;
}

}  // namespace

absl::StatusOr<Executable::Parts> EmitThunks(
    std::shared_ptr<const Module> module, const DeviceAssignment& assignment,
    const CompileOptions& options, KernelEmitter& kernels) {
  RETURN_IF_ERROR(CheckCounts(*module, assignment));
  ASSIGN_OR_RETURN(const Function* entry, module->EntryFunction());
  ASSIGN_OR_RETURN(
      Schedule schedule,
      BuildSchedule(*module, {.has_device_collectives =
                                  kernels.has_device_collectives()}));
  RETURN_IF_ERROR(CheckDonated(options, schedule.arguments.size()));
  AddKernelScratch(schedule, kernels);
  PlanScheduleOverlap(schedule, options.overlap);
  MemoryLayout layout = PlanMemory(schedule, options.donated_arguments,
                                   *entry->body().terminator(), &kernels);
  ThunkEmitter emitter(schedule, layout, assignment, options, kernels);
  ASSIGN_OR_RETURN(ThunkSequence thunks, emitter.Emit(schedule.steps));

  Executable::Parts parts;
  parts.name = module->name().empty() ? entry->name() : module->name();
  parts.replica_count = assignment.replica_count();
  parts.partition_count = assignment.partition_count();
  parts.argument_shapes = ShapesOf(schedule, schedule.arguments);
  for (const Value* result : entry->body().terminator()->operands()) {
    parts.result_shapes.push_back(result->shape());
  }
  parts.allocations = std::move(layout.allocations);
  parts.argument_allocations = std::move(layout.argument_allocations);
  parts.result_allocations = std::move(layout.result_allocations);
  parts.constants = std::move(schedule.constants);
  parts.clique_slot_count = emitter.clique_slot_count();
  parts.thunks = std::move(thunks);
  parts.keepalive = std::move(module);
  return parts;
}

}  // namespace lockstep::internal
