#include "client/trace_function.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "client/trace.h"
#include "client/trace_text.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

int64_t Product(absl::Span<const int64_t> values) {
  int64_t product = 1;
  for (int64_t value : values) product *= value;
  return product;
}

}  // namespace

bool TracedFunction::is_all_constant() const {
  return std::all_of(is_constant.begin(), is_constant.end(),
                     [](bool constant) { return constant; });
}

absl::StatusOr<TracedFunction> TraceFunction(absl::string_view name,
                                             const AxisEnvironment& axes,
                                             absl::Span<const Shape> arguments,
                                             const TensorFunction& function) {
  auto trace = std::make_shared<Trace>(axes);
  Trace::Scope scope(trace.get());
  std::vector<Tensor> inputs;
  for (const Shape& shape : arguments) {
    inputs.push_back(trace->Wrap(trace->AddArgument(trace->main(), shape)));
  }
  const std::vector<Tensor> outputs = function(inputs);
  RETURN_IF_ERROR(trace->status());
  // The number of replicas stands in the text: trace again when nested maps
  // need more.
  const int64_t replicas = Product(axes.sizes) * trace->body_replicas();
  if (replicas > axes.replica_count) {
    AxisEnvironment enough = axes;
    enough.replica_count = replicas;
    return TraceFunction(name, enough, arguments, function);
  }
  TracedFunction traced;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto value = trace->Resolve(Operand(outputs[i]));
    if (!value.ok()) {
      return Annotate(value.status(), absl::StrCat("result ", i));
    }
    trace->main().returns.push_back(*value);
    traced.results.push_back((*value)->shape);
    traced.is_constant.push_back((*value)->is_constant);
  }
  const bool is_all_constant = traced.is_all_constant();
  if (is_all_constant) trace->main().arguments.clear();
  traced.replica_count = is_all_constant ? 1 : axes.replica_count;
  traced.text = ModuleText(*trace, name, traced.replica_count);
  return traced;
}

}  // namespace lockstep
