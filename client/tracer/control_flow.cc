#include "client/tracer/control_flow.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "client/tracer/creation.h"
#include "client/tracer/elementwise.h"
#include "client/tracer/emit.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"

namespace lockstep {

using internal::AtCall;
using internal::FunctionType;
using internal::OpBuilder;
using internal::Trace;
using internal::TraceBlock;
using internal::TraceOp;
using internal::TraceValue;

namespace {

using Shapes = std::vector<Shape>;

absl::StatusOr<std::vector<TraceValue*>> ResolveList(Trace& trace,
                                                     const TensorList& list) {
  std::vector<TraceValue*> values;
  for (const Tensor& tensor : list) {
    ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(tensor));
    values.push_back(value);
  }
  return values;
}

Shapes ShapesOf(const std::vector<TraceValue*>& values) {
  Shapes shapes;
  for (const TraceValue* value : values) shapes.push_back(value->shape);
  return shapes;
}

absl::Status CheckSame(absl::string_view what, const Shapes& expected,
                       const Shapes& found) {
  if (expected.size() != found.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        what, " gives ", found.size(), " values, expected ", expected.size()));
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == found[i]) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(what, " gives ", found[i].ToString(), " as value ", i,
                     ", expected ", expected[i].ToString()));
  }
  return absl::OkStatus();
}

// Traces `function` into a new block that takes `arguments`.
absl::StatusOr<std::unique_ptr<TraceBlock>> TraceBlockOf(
    Trace& trace, const Shapes& arguments,
    const std::function<TensorList(const TensorList&)>& function) {
  auto block = std::make_unique<TraceBlock>();
  Trace::BlockScope scope(trace, block.get());
  TensorList inputs;
  for (const Shape& shape : arguments) {
    inputs.push_back(trace.Wrap(trace.AddArgument(*block, shape)));
  }
  ASSIGN_OR_RETURN(block->returns, ResolveList(trace, function(inputs)));
  return block;
}

std::string OperandNames(size_t count) {
  std::string names;
  for (size_t i = 0; i < count; ++i) {
    absl::StrAppend(&names, i == 0 ? "" : ", ", "$", i);
  }
  return names;
}

// Records an error and gives poisoned results.
TensorList Finish(Trace* trace, absl::string_view name,
                  const SourceLocation& location,
                  const absl::StatusOr<TraceOp*>& op, size_t count) {
  if (!op.ok()) {
    trace->Fail(AtCall(location, name, op.status()));
    return TensorList(count, Tensor(trace->shared_from_this(), nullptr));
  }
  TensorList results;
  for (const auto& result : (*op)->results) {
    results.push_back(trace->Wrap(result.get()));
  }
  return results;
}

absl::StatusOr<TraceOp*> While(
    Trace& trace, const std::function<Tensor(const TensorList&)>& condition,
    const std::function<TensorList(const TensorList&)>& body,
    const TensorList& initial) {
  ASSIGN_OR_RETURN(const auto operands, ResolveList(trace, initial));
  const Shapes shapes = ShapesOf(operands);
  ASSIGN_OR_RETURN(auto test,
                   TraceBlockOf(trace, shapes, [&](const TensorList& values) {
                     return TensorList{condition(values)};
                   }));
  RETURN_IF_ERROR(CheckSame("the condition", {Shape(ElementType::kPred, {})},
                            ShapesOf(test->returns)));
  ASSIGN_OR_RETURN(auto step, TraceBlockOf(trace, shapes, body));
  RETURN_IF_ERROR(CheckSame("the body", shapes, ShapesOf(step->returns)));
  OpBuilder op;
  op.text = absl::StrCat("\"stablehlo.while\"(", OperandNames(operands.size()),
                         ") $R : ", FunctionType(operands, shapes));
  op.operands = operands;
  op.results = shapes;
  op.regions.push_back(std::move(test));
  op.regions.push_back(std::move(step));
  op.depends_on_device = true;  // by what the blocks use from outside
  return trace.Add(std::move(op));
}

absl::StatusOr<TraceOp*> If(Trace& trace, const Operand& predicate,
                            const std::function<TensorList()>& if_true,
                            const std::function<TensorList()>& if_false) {
  ASSIGN_OR_RETURN(TraceValue * choice, trace.Resolve(predicate));
  if (choice->shape != Shape(ElementType::kPred, {})) {
    return absl::InvalidArgumentError(
        absl::StrCat("the predicate must be a bool scalar, found ",
                     choice->shape.ToString()));
  }
  const auto branch = [&](const std::function<TensorList()>& function) {
    return TraceBlockOf(trace, {},
                        [&](const TensorList&) { return function(); });
  };
  ASSIGN_OR_RETURN(auto first, branch(if_true));
  ASSIGN_OR_RETURN(auto second, branch(if_false));
  const Shapes shapes = ShapesOf(first->returns);
  RETURN_IF_ERROR(
      CheckSame("the second branch", shapes, ShapesOf(second->returns)));
  OpBuilder op;
  op.text = absl::StrCat("\"stablehlo.if\"($0) $R : ",
                         FunctionType({choice}, shapes));
  op.operands = {choice};
  op.results = shapes;
  op.regions.push_back(std::move(first));
  op.regions.push_back(std::move(second));
  op.depends_on_device = true;
  return trace.Add(std::move(op));
}

Trace* TraceOf(const TensorList& tensors) {
  for (const Tensor& tensor : tensors) {
    if (tensor.trace() != nullptr) return tensor.trace().get();
  }
  return Trace::Current();
}

}  // namespace

TensorList while_loop(const std::function<Tensor(const TensorList&)>& condition,
                      const std::function<TensorList(const TensorList&)>& body,
                      const TensorList& initial, SourceLocation location) {
  Trace* trace = TraceOf(initial);
  if (trace == nullptr) return TensorList(initial.size());
  return Finish(trace, "while_loop", location,
                While(*trace, condition, body, initial), initial.size());
}

Tensor fori_loop(
    int32_t lower, int32_t upper,
    const std::function<Tensor(const Tensor&, const Tensor&)>& body,
    const Tensor& initial, SourceLocation location) {
  return while_loop(
      [&](const TensorList& values) {
        return values[0] < constant(upper, location);
      },
      [&](const TensorList& values) {
        return TensorList{add(Operand(values[0], location), 1),
                          body(values[0], values[1])};
      },
      {constant(lower, location), initial}, location)[1];
}

TensorList cond(const Operand& predicate,
                const std::function<TensorList()>& if_true,
                const std::function<TensorList()>& if_false,
                SourceLocation location) {
  Trace* trace =
      predicate.is_scalar() ? Trace::Current() : TraceOf({predicate.tensor()});
  if (trace == nullptr) return {};
  const auto op = If(*trace, predicate, if_true, if_false);
  // How many results there would be is not known after an error.
  return Finish(trace, "cond", location, op, 1);
}

}  // namespace lockstep
