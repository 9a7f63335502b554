#include "runtime/backends/cpu/loop_builder.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cpu/thunks/loop_thunk.h"
#include "runtime/backends/kernel_work.h"
#include "runtime/backends/memory_layout.h"
#include "runtime/backends/step_request.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/host_call.h"
#include "runtime/passes/op_cost.h"

namespace lockstep::internal {
namespace {

using Role = ScheduledTensor::TensorRole;

// Kernels with more work take so much longer than a call that they stay thunks,
// which may use several threads.
constexpr int64_t kMaxWork = int64_t{1} << 16;
// The same of products, in flops: oneDNN is better at larger ones, but for
// those with a few vectors, which mostly read.
constexpr int64_t kMaxProductWork = int64_t{1} << 16;
constexpr int64_t kMaxVectorProductWork = int64_t{1} << 20;
// More code than that costs more time to compile than it saves: LLVM looks at
// all loops of a function together. In kernels, and in instructions.
constexpr int kMaxParts = 96;
constexpr int64_t kMaxCode = 4000;
// Loops of so many steps, calls included, have most of their time in those.
constexpr int kMaxSteps = 1024;
// Buffers of the function's own, on the stack; and constants in its code.
constexpr int64_t kMaxLocalBytes = 4096;
constexpr int64_t kMaxAllLocalBytes = int64_t{1} << 16;
constexpr int64_t kMaxConstantBytes = 1024;

bool CanBeInFunction(const Step& step) {
  return step.kind != Step::Kind::kPlace &&
         step.kind != Step::Kind::kCollective &&
         !(step.kind == Step::Kind::kKernel && IsHostCall(*step.op));
}

// False when a step inside cannot, or when there are more than `room`, which
// is reduced.
bool CanBeOneFunction(const Step& step, int& room) {
  if (!CanBeInFunction(step) || --room < 0) return false;
  for (const std::vector<Step>& nested : step.nested) {
    for (const Step& inner : nested) {
      if (!CanBeOneFunction(inner, room)) return false;
    }
  }
  return true;
}

// About how many scalar operations an op is.
int64_t WorkOf(const Op& op) {
  int64_t elements = 0;
  for (const auto& result : op.results()) {
    elements += result->shape().element_count();
  }
  return std::max(elements, static_cast<int64_t>(EstimateCost(op).flops));
}

bool IsProduct(const Op& op) {
  return op.name() == "stablehlo.dot_general" || op.name() == "stablehlo.dot";
}

// Whether one operand is a few vectors: each element of the other one is used
// no more often than that.
bool IsProductWithVectors(const Op& op) {
  constexpr int64_t kVectors = 4;
  return WorkOf(op) <= 2 * kVectors *
                           std::max(op.operand(0)->shape().element_count(),
                                    op.operand(1)->shape().element_count());
}

int64_t MaxWorkOf(const Op& op) {
  if (!IsProduct(op)) return kMaxWork;
  return IsProductWithVectors(op) ? kMaxVectorProductWork : kMaxProductWork;
}

// How much one round of each loop copies.
int64_t CopiedBytes(const LoopProgram& program,
                    const std::vector<LoopProgram::Step>& steps) {
  int64_t bytes = 0;
  for (const LoopProgram::Step& step : steps) {
    if (step.kind == LoopProgram::Step::Kind::kCopy) {
      bytes += program.buffers[step.buffers[0]].size;
    }
    for (const auto& nested : step.nested)
      bytes += CopiedBytes(program, nested);
  }
  return bytes;
}

bool HasEmptyTensor(const KernelRequest& request) {
  const auto is_empty = [](const TensorSlice& tensor) {
    return tensor.slice.size == 0;
  };
  return std::any_of(request.operands.begin(), request.operands.end(),
                     is_empty) ||
         std::any_of(request.results.begin(), request.results.end(), is_empty);
}

}  // namespace

int LoopBuilder::BufferOf(const BufferSlice& slice) {
  for (size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].slice == slice) return static_cast<int>(i);
  }
  places_.push_back({slice});
  program_.buffers.emplace_back().size = slice.size;
  return static_cast<int>(places_.size()) - 1;
}

int LoopBuilder::BufferOf(TensorId tensor) {
  const int buffer = BufferOf(request_.layout.slices[tensor]);
  const ScheduledTensor& scheduled = request_.schedule.tensors[tensor];
  if (scheduled.role == Role::kConstant) {
    places_[buffer].constant = scheduled.index;
  }
  return buffer;
}

absl::StatusOr<std::vector<LoopProgram::Step>> LoopBuilder::AddAll(
    const std::vector<Step>& steps) {
  std::vector<LoopProgram::Step> added;
  for (const Step& step : steps) RETURN_IF_ERROR(AddStep(step, added));
  return added;
}

absl::StatusOr<LoopProgram::Step> LoopBuilder::AddLoop(const Step& step) {
  LoopProgram::Step loop;
  loop.kind = LoopProgram::Step::Kind::kWhile;
  for (const std::vector<Step>& nested : step.nested) {
    ASSIGN_OR_RETURN(loop.nested.emplace_back(), AddAll(nested));
  }
  loop.buffers = {BufferOf(step.operands[0])};
  return loop;
}

absl::Status LoopBuilder::AddStep(const Step& step,
                                  std::vector<LoopProgram::Step>& steps) {
  switch (step.kind) {
    case Step::Kind::kKernel:
      return AddKernel(step, steps);
    case Step::Kind::kCopy:
      BufferOf(step.operands[0]);
      AddCopy(request_.layout.slices[step.operands[0]],
              request_.layout.slices[step.results[0]], steps);
      return absl::OkStatus();
    case Step::Kind::kWhile: {
      ASSIGN_OR_RETURN(LoopProgram::Step loop, AddLoop(step));
      steps.push_back(std::move(loop));
      return absl::OkStatus();
    }
    case Step::Kind::kConditional: {
      LoopProgram::Step conditional;
      conditional.kind = LoopProgram::Step::Kind::kConditional;
      conditional.buffers = {BufferOf(step.operands[0])};
      for (const std::vector<Step>& nested : step.nested) {
        ASSIGN_OR_RETURN(conditional.nested.emplace_back(), AddAll(nested));
      }
      steps.push_back(std::move(conditional));
      return absl::OkStatus();
    }
    case Step::Kind::kPlace:
    case Step::Kind::kCollective:
      break;
  }
  return absl::InternalError("a step that a loop cannot have");
}

absl::Status LoopBuilder::AddKernel(const Step& step,
                                    std::vector<LoopProgram::Step>& steps) {
  for (TensorId operand : step.operands) BufferOf(operand);
  const KernelRequest request = RequestOf(step, request_.layout);
  const int64_t work = WorkOf(*step.op);
  if (part_count_ < kMaxParts && work <= MaxWorkOf(*step.op) &&
      !HasEmptyTensor(request) && request.captures.empty() &&
      AddPart(request, work, steps)) {
    ++part_count_;
    return absl::OkStatus();
  }
  return AddCall(request, work, steps);
}

bool LoopBuilder::AddPart(const KernelRequest& request, int64_t work,
                          std::vector<LoopProgram::Step>& steps) {
  const Op& op = *request.op;
  if (op.name() == "stablehlo.dynamic_update_slice") {
    std::vector<int> inputs(op.operand_count() - 1);
    std::iota(inputs.begin(), inputs.end(), 1);
    const int64_t updated = op.operand(1)->shape().element_count();
    return AddUpdate(request, KernelGraph::Kind::kUpdateSlice, inputs, updated,
                     steps);
  }
  if (op.name() == "stablehlo.scatter" && op.result_count() == 1) {
    const int64_t updated = op.operand(2)->shape().element_count();
    return AddUpdate(request, KernelGraph::Kind::kScatter, {1, 2}, updated,
                     steps);
  }
  if (IsProduct(op)) {
    return AddGraph(
        OpGraph(KernelGraph::Kind::kDot, op, {op.operand(0), op.operand(1)}),
        {request.operands[0], request.operands[1], request.results[0]}, work,
        steps);
  }
  std::optional<GraphRequest> matched = MatchKernelGraph(request);
  return matched.has_value() &&
         AddGraph(std::move(matched->graph), matched->buffers, work, steps);
}

bool LoopBuilder::AddUpdate(const KernelRequest& request,
                            KernelGraph::Kind kind,
                            const std::vector<int>& inputs, int64_t work,
                            std::vector<LoopProgram::Step>& steps) {
  const Op& op = *request.op;
  std::vector<const Value*> values;
  std::vector<TensorSlice> buffers;
  for (int i : inputs) {
    values.push_back(op.operand(i));
    buffers.push_back(request.operands[i]);
    if (request.operands[i].slice == request.results[0].slice) return false;
  }
  buffers.push_back(request.results[0]);
  const size_t before = steps.size();
  AddCopy(request.operands[0].slice, request.results[0].slice, steps);
  if (AddGraph(OpGraph(kind, op, values), buffers, work, steps)) return true;
  steps.resize(before);
  return false;
}

bool LoopBuilder::AddGraph(KernelGraph graph,
                           const std::vector<TensorSlice>& buffers,
                           int64_t work,
                           std::vector<LoopProgram::Step>& steps) {
  const int64_t code = compiler_.PartCode(graph);
  if (code == 0 || code_ + code > kMaxCode) return false;
  code_ += code;
  LoopProgram::Step step;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const int buffer = BufferOf(buffers[i].slice);
    step.buffers.push_back(buffer);
    if (i >= graph.inputs.size()) places_[buffer].is_written = true;
  }
  step.graph = std::move(graph);
  step.work = work;
  steps.push_back(std::move(step));
  return true;
}

void LoopBuilder::AddCopy(const BufferSlice& source, const BufferSlice& target,
                          std::vector<LoopProgram::Step>& steps) {
  if (source == target || source.size == 0) return;
  LoopProgram::Step copy;
  copy.kind = LoopProgram::Step::Kind::kCopy;
  copy.buffers = {BufferOf(source), BufferOf(target)};
  copy.work = source.size / 16;
  places_[copy.buffers[1]].is_written = true;
  steps.push_back(std::move(copy));
}

absl::Status LoopBuilder::AddCall(const KernelRequest& request, int64_t work,
                                  std::vector<LoopProgram::Step>& steps) {
  ASSIGN_OR_RETURN(std::unique_ptr<HostThunk> thunk, emit_(request));
  thunk->SetWork(internal::WorkOf(request));
  for (const BufferUse& use : thunk->buffer_uses()) call_uses_.push_back(use);
  LoopProgram::Step call;
  call.kind = LoopProgram::Step::Kind::kCall;
  call.call = static_cast<int>(calls_.size());
  call.work = work;
  calls_.push_back(std::move(thunk));
  steps.push_back(std::move(call));
  return absl::OkStatus();
}

bool LoopBuilder::IsUsedByCalls(const BufferSlice& slice) const {
  return std::any_of(
      call_uses_.begin(), call_uses_.end(),
      [&](const BufferUse& use) { return use.slice.Overlaps(slice); });
}

std::vector<BufferSlice> LoopBuilder::PlaceBuffers() {
  int64_t local_bytes = 0;
  std::vector<int> in_blocks;
  for (size_t i = 0; i < places_.size(); ++i) {
    LoopProgram::Buffer& buffer = program_.buffers[i];
    const Place& place = places_[i];
    if (place.slice.size == 0) continue;
    if (place.constant >= 0 && buffer.size <= kMaxConstantBytes &&
        !IsUsedByCalls(place.slice)) {
      const auto& literal = *request_.schedule.constants[place.constant];
      buffer.constant.assign(reinterpret_cast<const char*>(literal.bytes()),
                             static_cast<size_t>(buffer.size));
      continue;
    }
    const bool is_local = place.is_written && buffer.size <= kMaxLocalBytes &&
                          local_bytes + buffer.size <= kMaxAllLocalBytes &&
                          !IsUsedByCalls(place.slice);
    if (is_local) local_bytes += buffer.size;
    buffer.is_carried = is_local && place.is_carried;
    if (!is_local || buffer.is_carried)
      in_blocks.push_back(static_cast<int>(i));
  }
  // Slices that overlap are in one block.
  std::sort(in_blocks.begin(), in_blocks.end(), [&](int a, int b) {
    const BufferSlice &x = places_[a].slice, &y = places_[b].slice;
    return std::tie(x.allocation, x.offset, x.size) <
           std::tie(y.allocation, y.offset, y.size);
  });
  std::vector<BufferSlice> blocks;
  for (int i : in_blocks) {
    const BufferSlice& slice = places_[i].slice;
    if (blocks.empty() || !blocks.back().Overlaps(slice)) {
      blocks.push_back(slice);
    }
    BufferSlice& block = blocks.back();
    block.size = std::max(block.size, slice.offset + slice.size - block.offset);
    program_.buffers[i].block = static_cast<int>(blocks.size()) - 1;
    program_.buffers[i].offset = slice.offset - block.offset;
  }
  for (const BufferSlice& block : blocks) {
    program_.blocks.push_back({block.size, IsUsedByCalls(block)});
  }
  return blocks;
}

// Of memory outside the function.
std::vector<BufferUse> LoopBuilder::Uses() const {
  std::vector<BufferUse> uses = call_uses_;
  const auto add = [&](const BufferUse& use) {
    if (std::find(uses.begin(), uses.end(), use) == uses.end()) {
      uses.push_back(use);
    }
  };
  for (size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (program_.buffers[i].block < 0) continue;
    if (!place.is_written || place.is_carried) {
      add(BufferUse::Read(place.slice));
    }
    if (place.is_written) add(BufferUse::Write(place.slice));
  }
  return uses;
}

absl::StatusOr<std::unique_ptr<Thunk>> LoopBuilder::Build() {
  const Step& step = request_.step;
  int room = kMaxSteps;
  if (!CanBeOneFunction(step, room)) return nullptr;
  ASSIGN_OR_RETURN(program_.loop, AddLoop(step));
  if (part_count_ == 0) return nullptr;
  for (TensorId carried : step.carried) {
    // Also what only calls write: it is read where they do not run.
    places_[BufferOf(carried)].is_carried = true;
  }
  const std::vector<BufferSlice> blocks = PlaceBuffers();
  std::shared_ptr<const Kernel> kernel = compiler_.AddLoop(program_);
  if (kernel == nullptr) return nullptr;
  return std::make_unique<LoopThunk>(
      step.op->location().ToString(), std::move(kernel), blocks, Uses(),
      std::move(calls_),
      absl::StrCat("one function, kernels=", part_count_,
                   ", copied=", CopiedBytes(program_, {program_.loop})));
}

}  // namespace lockstep::internal
