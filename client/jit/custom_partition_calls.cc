#include "client/jit/custom_partition_calls.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"
#include "runtime/passes/import/op_walk.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kOperation = "custom_partitioning";
constexpr absl::string_view kTarget = "lockstep.custom_partitioning";
constexpr absl::string_view kNumber = "number";
// A backend_config with typed fields.
constexpr int32_t kApiVersion = 4;

thread_local CustomPartitionCalls* current = nullptr;

// Null: all of them are poisoned, or there are none.
Trace* TraceOfAny(const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) {
    if (!tensor.is_poisoned()) return tensor.trace().get();
  }
  return Trace::Current();
}

// Whether some of the values are still split by propagation.
bool IsPartitioned(const Trace& trace) {
  if (trace.mesh() == nullptr || CustomPartitionCalls::Current() == nullptr) {
    return false;
  }
  const AxisEnvironment& axes = trace.axes();
  if (!axes.is_mesh) return trace.mesh()->size() > 1;
  for (size_t i = 0; i < axes.names.size(); ++i) {
    if (axes.sizes[i] > 1 && axes.names[i].empty()) return true;
  }
  return false;
}

// The types and the structure of the function's result. Nothing of it stays in
// the program.
struct ResultTypes {
  std::vector<Shape> shapes;
  Tree<size_t> structure;
};
absl::StatusOr<ResultTypes> ResultTypesOf(Trace& trace,
                                          const std::vector<Shape>& arguments,
                                          const JitTrace& body) {
  ResultTypes types;
  const auto build = [&](const std::vector<TraceValue*>& inputs)
      -> absl::StatusOr<std::vector<TraceValue*>> {
    std::vector<Tensor> tensors;
    for (TraceValue* input : inputs) tensors.push_back(trace.Wrap(input));
    JitTraced traced = body(tensors);
    types.structure = std::move(traced.structure);
    std::vector<TraceValue*> values;
    for (const Tensor& result : traced.tensors) {
      ASSIGN_OR_RETURN(values.emplace_back(), trace.Resolve(result));
      types.shapes.push_back(values.back()->shape());
    }
    return values;
  };
  ASSIGN_OR_RETURN(const Trace::TracedRegion region,
                   trace.BuildRegion(arguments, build));
  const std::vector<Value*> captured = FreeValues(*region.region);
  if (!captured.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a function that computes from its arguments, found one that "
        "uses a tensor from around it, of type ",
        captured.front()->type().ToString(), ": pass it as an argument"));
  }
  return types;
}

absl::StatusOr<std::vector<TraceValue*>> AddCall(
    Trace& trace,
    const std::shared_ptr<const CustomPartitionDefinition>& definition,
    const SourceLocation& place, const std::vector<Tensor>& tensors,
    const Tree<size_t>& structure, const JitTrace& body) {
  if (definition == nullptr || definition->partition == nullptr) {
    return absl::FailedPreconditionError(
        "expected DefPartition before the first call");
  }
  std::vector<TraceValue*> operands;
  std::vector<Shape> shapes;
  for (const Tensor& tensor : tensors) {
    ASSIGN_OR_RETURN(operands.emplace_back(), trace.Resolve(tensor));
    shapes.push_back(operands.back()->shape());
  }
  ASSIGN_OR_RETURN(ResultTypes results, ResultTypesOf(trace, shapes, body));
  ASSIGN_OR_RETURN(
      const std::optional<OpShardingRule> rule,
      RuleOfCall(*definition, *trace.mesh(), shapes, results.shapes));
  AttributeMap config;
  config.Set(kNumber, Attribute::I64(CustomPartitionCalls::Current()->Add(
                          {definition, place, trace.axes(), structure,
                           std::move(results.structure)})));
  TraceOp op{.name = "stablehlo.custom_call", .operands = std::move(operands)};
  op.attributes = {
      {"call_target_name", Attribute::String{std::string(kTarget)}},
      {"api_version", Attribute::I32(kApiVersion)},
      {"backend_config", Attribute::Dictionary{std::move(config)}}};
  if (rule.has_value()) {
    op.attributes.push_back(
        {"sdy.sharding_rule", Attribute::Opaque{rule->ToString()}});
  }
  op.results = std::move(results.shapes);
  return trace.BuildAll(std::move(op));
}

}  // namespace

CustomPartitionCalls::Scope::Scope(CustomPartitionCalls* calls)
    : previous_(std::exchange(current, calls)) {}

CustomPartitionCalls::Scope::~Scope() { current = previous_; }

CustomPartitionCalls* CustomPartitionCalls::Current() { return current; }

std::optional<int64_t> CustomPartitionNumber(const Op& op) {
  if (op.name() != "stablehlo.custom_call") return std::nullopt;
  const Attribute* target = op.attribute("call_target_name");
  const auto* name =
      target == nullptr ? nullptr : target->As<Attribute::String>();
  if (name == nullptr || name->value != kTarget) return std::nullopt;
  const Attribute* config = op.attribute("backend_config");
  const auto* fields =
      config == nullptr ? nullptr : config->As<Attribute::Dictionary>();
  const Attribute* number =
      fields == nullptr ? nullptr : fields->entries.Find(kNumber);
  if (number == nullptr) return std::nullopt;
  return number->As<Attribute::Integer>()->value;
}

std::vector<Tensor> CallWithCustomPartition(
    const std::shared_ptr<const CustomPartitionDefinition>& definition,
    const SourceLocation& place, const std::vector<Tensor>& tensors,
    const Tree<size_t>& structure, const JitTrace& body) {
  Trace* const trace = TraceOfAny(tensors);
  if (trace == nullptr || !IsPartitioned(*trace)) return body(tensors).tensors;
  const Trace::PlaceScope scope(*trace, place);
  const absl::StatusOr<std::vector<TraceValue*>> values =
      AddCall(*trace, definition, place, tensors, structure, body);
  if (values.ok()) {
    std::vector<Tensor> results;
    for (TraceValue* value : *values) results.push_back(trace->Wrap(value));
    return results;
  }
  if (values.status().code() != absl::StatusCode::kAborted) {
    trace->Fail(AtCall(place, kOperation, values.status()));
  }
  // For the form of its result.
  const JitTraced traced = body(std::vector<Tensor>(tensors.size()));
  return std::vector<Tensor>(traced.tensors.size());
}

}  // namespace lockstep::internal
