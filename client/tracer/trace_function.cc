#include "client/tracer/trace_function.h"

#include <cxxabi.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "client/tracer/emit.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"
#include "runtime/ir/printer.h"

namespace lockstep {

using internal::Annotate;
using internal::EmitConvert;
using internal::Trace;
using internal::TraceValue;
using internal::ValueOr;

namespace {

int64_t Product(absl::Span<const int64_t> values) {
  int64_t product = 1;
  for (int64_t value : values) product *= value;
  return product;
}

// A double comes with all its digits, and is f32 where it meets no f64.
ValueOr AsNumber(Trace& trace, TraceValue* argument) {
  const ElementType type = argument->shape().element_type();
  TraceValue* number = argument;
  if (type == ElementType::kF64) {
    ASSIGN_OR_RETURN(number, EmitConvert(trace, argument, ElementType::kF32));
  } else if (type == ElementType::kC128) {
    ASSIGN_OR_RETURN(number, EmitConvert(trace, argument, ElementType::kC64));
  }
  number->is_weak = true;
  if (number != argument) number->exact = argument;
  return number;
}

// An exception after a wrong operation is likely its consequence.
absl::Status Thrown(const Trace& trace, absl::string_view name,
                    absl::string_view what) {
  if (!trace.status().ok()) return trace.status();
  return absl::UnknownError(
      absl::StrCat(name, ": the traced function threw ", what));
}

absl::StatusOr<std::vector<Tensor>> Call(
    Trace& trace, absl::string_view name, const TensorFunction& function,
    const std::vector<TraceValue*>& inputs) {
  std::vector<Tensor> tensors;
  for (TraceValue* input : inputs) tensors.push_back(trace.Wrap(input));
  try {
    return function(tensors);
  } catch (const std::exception& exception) {
    return Thrown(trace, name, absl::StrCat("\"", exception.what(), "\""));
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is cancelled
  } catch (...) {
    return Thrown(trace, name, "something that is no std::exception");
  }
}

// Calls the function; the first error of an operation in it.
absl::StatusOr<std::vector<Tensor>> Record(Trace& trace, absl::string_view name,
                                           absl::Span<const Shape> arguments,
                                           const TensorFunction& function,
                                           absl::Span<const int> numbers) {
  const Trace::Scope scope(&trace);
  std::vector<TraceValue*> inputs;
  for (const Shape& shape : arguments) {
    inputs.push_back(trace.AddArgument(shape));
  }
  for (int i : numbers) {
    ASSIGN_OR_RETURN(inputs[i], AsNumber(trace, inputs[i]));
  }
  ASSIGN_OR_RETURN(std::vector<Tensor> outputs,
                   Call(trace, name, function, inputs));
  RETURN_IF_ERROR(trace.status());
  return outputs;
}

absl::StatusOr<TracedFunction> End(Trace& trace, absl::string_view name,
                                   int64_t replica_count,
                                   const std::vector<Tensor>& outputs) {
  TracedFunction traced;
  std::vector<TraceValue*> results;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto value = trace.Resolve(Operand(outputs[i]));
    if (!value.ok()) {
      return Annotate(value.status(), absl::StrCat("result ", i));
    }
    results.push_back(*value);
    traced.results.push_back((*value)->shape());
    traced.is_constant.push_back((*value)->is_constant);
  }
  traced.callbacks = trace.callbacks();
  traced.has_effects = trace.has_effects();
  traced.replica_count = traced.is_all_constant() ? 1 : replica_count;
  traced.body_replicas = trace.body_replicas();
  traced.module = trace.Finish(name, traced.replica_count, results);
  return traced;
}

}  // namespace

std::string internal::ModuleName(absl::string_view transformation,
                                 absl::string_view name) {
  std::string module = name.empty() ? std::string(transformation)
                                    : absl::StrCat(transformation, "_", name);
  for (char& c : module) {
    if (!absl::ascii_isalnum(c)) c = '_';
  }
  return module;
}

std::string TracedFunction::text() const { return internal::Print(*module); }

bool TracedFunction::is_all_constant() const {
  return !has_effects && std::all_of(is_constant.begin(), is_constant.end(),
                                     [](bool constant) { return constant; });
}

absl::StatusOr<TracedFunction> TraceFunction(absl::string_view name,
                                             const AxisEnvironment& axes,
                                             absl::Span<const Shape> arguments,
                                             const TensorFunction& function,
                                             absl::Span<const int> numbers) {
  auto trace = std::make_shared<Trace>(axes);
  ASSIGN_OR_RETURN(const std::vector<Tensor> outputs,
                   Record(*trace, name, arguments, function, numbers));
  // The number of replicas stands in the text: trace again when nested maps
  // need more.
  const int64_t replicas = Product(axes.sizes) * trace->body_replicas();
  if (replicas > axes.replica_count) {
    AxisEnvironment enough = axes;
    enough.replica_count = replicas;
    return TraceFunction(name, enough, arguments, function, numbers);
  }
  return End(*trace, name, axes.replica_count, outputs);
}

absl::StatusOr<TracedFunction> TraceFunctionOnMesh(
    absl::string_view name, const Mesh& mesh, absl::Span<const Shape> arguments,
    const TensorFunction& function, absl::Span<const int> numbers) {
  auto trace = std::make_shared<Trace>(AxisEnvironment(), mesh);
  RETURN_IF_ERROR(trace->SymbolOf(mesh).status());
  ASSIGN_OR_RETURN(const std::vector<Tensor> outputs,
                   Record(*trace, name, arguments, function, numbers));
  return End(*trace, name, 1, outputs);
}

}  // namespace lockstep
