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
using internal::Region;
using internal::Trace;
using internal::TraceOf;
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
  for (const TraceValue* value : values) shapes.push_back(value->shape());
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

// Traces `function` into a region that takes `arguments`.
absl::StatusOr<Trace::TracedRegion> TraceRegion(
    Trace& trace, const Shapes& arguments,
    const std::function<TensorList(const TensorList&)>& function) {
  return trace.BuildRegion(arguments,
                           [&](const std::vector<TraceValue*>& values) {
                             TensorList inputs;
                             for (TraceValue* value : values)
                               inputs.push_back(trace.Wrap(value));
                             return ResolveList(trace, function(inputs));
                           });
}

std::vector<std::unique_ptr<Region>> Regions(Trace::TracedRegion first,
                                             Trace::TracedRegion second) {
  std::vector<std::unique_ptr<Region>> regions;
  regions.push_back(std::move(first.region));
  regions.push_back(std::move(second.region));
  return regions;
}

// Records an error and gives poisoned results.
TensorList Finish(Trace* trace, absl::string_view name,
                  const SourceLocation& location,
                  const absl::StatusOr<std::vector<TraceValue*>>& values,
                  size_t count) {
  if (!values.ok()) {
    trace->Fail(AtCall(location, name, values.status()));
    return TensorList(count, Tensor(trace->shared_from_this(), nullptr));
  }
  TensorList results;
  for (TraceValue* value : *values) results.push_back(trace->Wrap(value));
  return results;
}

absl::StatusOr<std::vector<TraceValue*>> While(
    Trace& trace, const std::function<Tensor(const TensorList&)>& condition,
    const std::function<TensorList(const TensorList&)>& body,
    const TensorList& initial) {
  ASSIGN_OR_RETURN(const auto operands, ResolveList(trace, initial));
  const Shapes shapes = ShapesOf(operands);
  ASSIGN_OR_RETURN(auto test,
                   TraceRegion(trace, shapes, [&](const TensorList& values) {
                     return TensorList{condition(values)};
                   }));
  RETURN_IF_ERROR(CheckSame("the condition", {Shape(ElementType::kPred, {})},
                            ShapesOf(test.results)));
  ASSIGN_OR_RETURN(auto step, TraceRegion(trace, shapes, body));
  RETURN_IF_ERROR(CheckSame("the body", shapes, ShapesOf(step.results)));
  return trace.BuildAll({.name = "stablehlo.while",
                         .operands = operands,
                         .regions = Regions(std::move(test), std::move(step))});
}

absl::StatusOr<std::vector<TraceValue*>> If(
    Trace& trace, const Operand& predicate,
    const std::function<TensorList()>& if_true,
    const std::function<TensorList()>& if_false) {
  ASSIGN_OR_RETURN(TraceValue * choice, trace.Resolve(predicate));
  if (choice->shape() != Shape(ElementType::kPred, {})) {
    return absl::InvalidArgumentError(
        absl::StrCat("the predicate must be a bool scalar, found ",
                     choice->shape().ToString()));
  }
  const auto branch = [&](const std::function<TensorList()>& function) {
    return TraceRegion(trace, {},
                       [&](const TensorList&) { return function(); });
  };
  ASSIGN_OR_RETURN(auto first, branch(if_true));
  ASSIGN_OR_RETURN(auto second, branch(if_false));
  RETURN_IF_ERROR(CheckSame("the second branch", ShapesOf(first.results),
                            ShapesOf(second.results)));
  return trace.BuildAll(
      {.name = "stablehlo.if",
       .operands = {choice},
       .regions = Regions(std::move(first), std::move(second))});
}

Trace* TraceOfAny(const TensorList& tensors) {
  const std::vector<Operand> operands(tensors.begin(), tensors.end());
  std::vector<const Operand*> pointers;
  for (const Operand& operand : operands) pointers.push_back(&operand);
  return TraceOf(pointers);
}

}  // namespace

TensorList while_loop(const std::function<Tensor(const TensorList&)>& condition,
                      const std::function<TensorList(const TensorList&)>& body,
                      const TensorList& initial, SourceLocation location) {
  Trace* trace = TraceOfAny(initial);
  if (trace == nullptr) return TensorList(initial.size());
  const Trace::PlaceScope place(*trace, location);
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
  Trace* trace = TraceOf({&predicate});
  if (trace == nullptr) return {};
  const Trace::PlaceScope place(*trace, location);
  const auto results = If(*trace, predicate, if_true, if_false);
  // How many results there would be is not known after an error.
  return Finish(trace, "cond", location, results, 1);
}

}  // namespace lockstep
