#include "client/tracer/trace.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/tracer/emit.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

thread_local Trace* current_trace = nullptr;

// The operand's error is recorded already.
absl::Status Poisoned() { return absl::AbortedError("poisoned operand"); }

}  // namespace

Trace* Trace::Current() { return current_trace; }

Trace::Scope::Scope(Trace* trace) : previous_(current_trace) {
  current_trace = trace;
}
Trace::Scope::~Scope() { current_trace = previous_; }

Trace::BlockScope::BlockScope(Trace& trace, TraceBlock* block)
    : trace_(trace), previous_(trace.block_) {
  block->parent = previous_;
  trace_.block_ = block;
}
Trace::BlockScope::~BlockScope() { trace_.block_ = previous_; }

void Trace::PushAxis(const std::string& name, int64_t size) {
  axes_.names.push_back(name);
  axes_.sizes.push_back(size);
  int64_t nested = 1, all = 1;
  for (size_t i = 0; i < axes_.sizes.size(); ++i) {
    all *= axes_.sizes[i];
    if (i >= given_axes_) nested *= axes_.sizes[i];
  }
  body_replicas_ = std::max(body_replicas_, nested);
  // Before the replicas are known, as many as it takes.
  if (axes_.replica_count < all) axes_.replica_count = all;
}

void Trace::PopAxis() {
  axes_.names.pop_back();
  axes_.sizes.pop_back();
  if (axes_.sizes.size() == given_axes_) axes_.replica_count = given_replicas_;
}

TraceValue* Trace::AddArgument(TraceBlock& block, const Shape& shape) {
  auto value = std::make_unique<TraceValue>();
  value->shape = shape;
  value->block = &block;
  value->index = static_cast<int>(block.arguments.size());
  block.arguments.push_back(std::move(value));
  return block.arguments.back().get();
}

TraceOp* Trace::Add(OpBuilder builder) {
  auto op = std::make_unique<TraceOp>();
  op->text = std::move(builder.text);
  op->name_hint = std::move(builder.name_hint);
  op->operands = std::move(builder.operands);
  op->regions = std::move(builder.regions);
  bool is_constant = !builder.depends_on_device;
  for (const TraceValue* operand : op->operands) {
    is_constant = is_constant && operand->is_constant;
  }
  for (const Shape& shape : builder.results) {
    auto value = std::make_unique<TraceValue>();
    value->shape = shape;
    value->is_constant = is_constant;
    value->op = op.get();
    value->block = block_;
    value->index = static_cast<int>(op->results.size());
    op->results.push_back(std::move(value));
  }
  block_->ops.push_back(std::move(op));
  return block_->ops.back().get();
}

TraceValue* Trace::AddValue(OpBuilder builder) {
  TraceOp* op = Add(std::move(builder));
  LOCKSTEP_CHECK(op->results.size() == 1);
  return op->results[0].get();
}

absl::StatusOr<TraceValue*> Trace::Resolve(const Operand& operand) {
  if (operand.is_scalar()) return EmitWeakScalar(*this, operand.scalar());
  const Tensor& tensor = operand.tensor();
  if (tensor.is_poisoned()) {
    if (!status_.ok()) return Poisoned();
    return absl::InvalidArgumentError("an operand is a tensor without a value");
  }
  if (tensor.trace().get() != this) {
    return absl::InvalidArgumentError(
        "an operand belongs to another traced function; pass it as an "
        "argument");
  }
  for (const TraceBlock* block = block_; block != nullptr;
       block = block->parent) {
    if (block == tensor.value()->block) return tensor.value();
  }
  return absl::InvalidArgumentError(
      "an operand was made inside a loop or branch that has ended; return it "
      "from there");
}

void Trace::Fail(const absl::Status& status) {
  if (status_.ok()) status_ = status;
}

absl::Status AtCall(const SourceLocation& location, absl::string_view op,
                    const absl::Status& status) {
  std::string place = absl::StrCat(location.file_name(), ":", location.line());
  const bool names_op =
      absl::StartsWith(status.message(), absl::StrCat(op, ": "));
  if (!names_op) absl::StrAppend(&place, ": ", op);
  return Annotate(status, place);
}

Tensor TraceOperationOn(absl::string_view op, const SourceLocation& location,
                        absl::Span<const Operand* const> operands,
                        const std::function<ValueOr(Trace&)>& body) {
  Trace* trace = Trace::Current();
  for (const Operand* operand : operands) {
    if (!operand->is_scalar() && operand->tensor().trace() != nullptr) {
      trace = operand->tensor().trace().get();
      break;
    }
  }
  if (trace == nullptr) return Tensor();
  absl::StatusOr<TraceValue*> value = body(*trace);
  if (value.ok()) return trace->Wrap(*value);
  trace->Fail(AtCall(location, op, value.status()));
  return Tensor(trace->shared_from_this(), nullptr);
}

Tensor TraceOperation(absl::string_view op, const SourceLocation& location,
                      std::initializer_list<const Operand*> operands,
                      const std::function<ValueOr(Trace&)>& body) {
  return TraceOperationOn(
      op, location, absl::MakeConstSpan(operands.begin(), operands.size()),
      body);
}

}  // namespace lockstep::internal
