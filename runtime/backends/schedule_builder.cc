#include "runtime/backends/schedule_builder.h"

#include <functional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/ir/elements_literal.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/collectives/collective.h"
#include "runtime/ops/tuple_element.h"

namespace lockstep::internal {
namespace {

// The tensors of the values of one call of one function.
using Scope = absl::flat_hash_map<const Value*, TensorId>;

class ScheduleBuilder {
 public:
  ScheduleBuilder(const Module& module, const ScheduleOptions& options)
      : module_(module), options_(options) {}

  absl::StatusOr<Schedule> Build() {
    ASSIGN_OR_RETURN(Function * entry, module_.EntryFunction());
    Scope scope;
    int index = 0;
    for (const auto& argument : entry->body().arguments()) {
      RETURN_IF_ERROR(CheckTensor(*argument, entry->location()));
      const TensorId tensor = NewTensor(
          argument->shape(), ScheduledTensor::TensorRole::kArgument, index++);
      scope[argument.get()] = tensor;
      schedule_.arguments.push_back(tensor);
    }
    ASSIGN_OR_RETURN(schedule_.results,
                     AddRegion(entry->body(), scope, schedule_.steps));
    return std::move(schedule_);
  }

 private:
  static absl::Status CheckTensor(const Value& value,
                                  const Location& location) {
    if (value.type().is_tensor()) return absl::OkStatus();
    return ErrorAt(location, absl::StatusCode::kUnimplemented,
                   absl::StrCat("values of type ", value.type().ToString(),
                                " cannot be compiled; expected tensors"));
  }

  TensorId NewTensor(const Shape& shape, ScheduledTensor::TensorRole role,
                     int index) {
    schedule_.tensors.push_back({shape, role, index});
    return static_cast<TensorId>(schedule_.tensors.size()) - 1;
  }
  TensorId NewTemporary(const Shape& shape) {
    return NewTensor(shape, ScheduledTensor::TensorRole::kTemporary, 0);
  }

  absl::Status CountStep(const Op& op) {
    if (++step_count_ <= kMaxScheduledSteps) return absl::OkStatus();
    return ErrorAt(
        op.location(), absl::StatusCode::kResourceExhausted,
        absl::StrCat("the program has more than ", kMaxScheduledSteps,
                     " operations once calls are inlined"));
  }
  absl::Status Append(Step step, std::vector<Step>& steps) {
    RETURN_IF_ERROR(CountStep(*step.op));
    steps.push_back(std::move(step));
    return absl::OkStatus();
  }
  absl::Status AppendCopy(const Op& op, TensorId source, TensorId target,
                          std::vector<Step>& steps) {
    Step copy;
    copy.kind = Step::Kind::kCopy;
    copy.op = &op;
    copy.operands = {source};
    copy.results = {target};
    return Append(std::move(copy), steps);
  }

  static std::vector<TensorId> OperandsOf(const Op& op, const Scope& scope) {
    std::vector<TensorId> operands;
    for (const Value* operand : op.operands()) {
      auto it = scope.find(operand);
      LOCKSTEP_CHECK(it != scope.end());
      operands.push_back(it->second);
    }
    return operands;
  }
  std::vector<TensorId> NewResults(const Op& op, Scope& scope) {
    std::vector<TensorId> results;
    for (const auto& result : op.results()) {
      results.push_back(NewTemporary(result->shape()));
      scope[result.get()] = results.back();
    }
    return results;
  }
  static void Bind(const Op& op, const std::vector<TensorId>& tensors,
                   Scope& scope) {
    LOCKSTEP_CHECK(static_cast<int>(tensors.size()) == op.result_count());
    for (int i = 0; i < op.result_count(); ++i) {
      scope[op.result(i)] = tensors[i];
    }
  }

  // Returns the tensors of the terminator's operands.
  absl::StatusOr<std::vector<TensorId>> AddRegion(const Region& region,
                                                  Scope& scope,
                                                  std::vector<Step>& steps) {
    for (const auto& op : region.ops()) {
      if (op.get() == region.terminator()) break;
      RETURN_IF_ERROR(AddOp(*op, scope, steps));
    }
    LOCKSTEP_CHECK(region.terminator() != nullptr);
    return OperandsOf(*region.terminator(), scope);
  }

  absl::Status AddOp(const Op& op, Scope& scope, std::vector<Step>& steps) {
    LOCKSTEP_CHECK(op.def() != nullptr);
    if (op.def()->kind() == OpKind::kTuple) return BindElement(op, scope);
    for (const auto& result : op.results()) {
      if (result->type().is_tensor()) continue;
      return op.Unimplemented(absl::StrCat("a result of type ",
                                           result->type().ToString(),
                                           " cannot be compiled"));
    }
    switch (op.def()->kind()) {
      case OpKind::kConstant:
        return AddConstant(op, scope);
      case OpKind::kIdentity:
        Bind(op, OperandsOf(op, scope), scope);
        return absl::OkStatus();
      case OpKind::kDataMovement:
        // Row-major elements keep their places.
        if (op.name() == "stablehlo.reshape") {
          Bind(op, OperandsOf(op, scope), scope);
          return absl::OkStatus();
        }
        return AddPlain(Step::Kind::kKernel, op, scope, steps);
      case OpKind::kSharding:
        return op.Unimplemented(
            "a program over whole arrays is partitioned before it is "
            "compiled");
      case OpKind::kControlFlow:
        return AddControlFlow(op, scope, steps);
      case OpKind::kPlace:
        return AddPlain(Step::Kind::kPlace, op, scope, steps);
      case OpKind::kCollective:
        return AddCollective(op, scope, steps);
      default:
        return AddPlain(Step::Kind::kKernel, op, scope, steps);
    }
  }

  // Tuples and tokens have no memory; an element of a tuple is the value that
  // it was made from.
  static absl::Status BindElement(const Op& op, Scope& scope) {
    if (op.name() != "stablehlo.get_tuple_element") return absl::OkStatus();
    ASSIGN_OR_RETURN(const Value* element, TupleElement(op));
    if (!element->type().is_tensor()) return absl::OkStatus();
    auto it = scope.find(element);
    LOCKSTEP_CHECK(it != scope.end());
    scope[op.result()] = it->second;
    return absl::OkStatus();
  }

  absl::Status AddPlain(Step::Kind kind, const Op& op, Scope& scope,
                        std::vector<Step>& steps) {
    Step step;
    step.kind = kind;
    step.op = &op;
    step.operands = OperandsOf(op, scope);
    for (const auto& region : op.regions()) {
      AddCaptures(*region, scope, step.captures);
    }
    step.results = NewResults(op, scope);
    return Append(std::move(step), steps);
  }

  absl::Status AddCollective(const Op& op, Scope& scope,
                             std::vector<Step>& steps) {
    RETURN_IF_ERROR(AddPlain(Step::Kind::kCollective, op, scope, steps));
    // Whoever reads the parameters reports what is wrong with them.
    const absl::StatusOr<CollectiveSpec> spec = ParseCollectiveSpec(op);
    if (!spec.ok()) return absl::OkStatus();
    if (spec->kind == CollectiveOpKind::kAllToAll &&
        !options_.has_device_collectives) {
      return absl::OkStatus();
    }
    Step& step = steps.back();
    const bool is_split = spec->kind == CollectiveOpKind::kReduceScatter ||
                          spec->kind == CollectiveOpKind::kAllToAll;
    for (int i = 0; is_split && spec->dim > 0 && i < op.operand_count(); ++i) {
      step.packed.push_back(NewTemporary(op.operand(i)->shape()));
    }
    const int64_t joined = spec->kind == CollectiveOpKind::kAllToAll
                               ? spec->concat_dim
                               : spec->dim;
    const bool is_joined = spec->kind == CollectiveOpKind::kAllGather ||
                           spec->kind == CollectiveOpKind::kAllToAll;
    for (int i = 0; is_joined && joined > 0 && i < op.result_count(); ++i) {
      step.arriving.push_back(NewTemporary(op.result(i)->shape()));
    }
    return absl::OkStatus();
  }

  // Values of `scope` that ops inside `region` use.
  static void AddCaptures(const Region& region, const Scope& scope,
                          std::vector<Capture>& captures) {
    for (const auto& op : region.ops()) {
      for (const Value* operand : op->operands()) {
        auto it = scope.find(operand);
        if (it == scope.end()) continue;
        bool is_known = false;
        for (const Capture& capture : captures) {
          is_known = is_known || capture.value == operand;
        }
        if (!is_known) captures.push_back({operand, it->second});
      }
      for (const auto& nested : op->regions()) {
        AddCaptures(*nested, scope, captures);
      }
    }
  }

  absl::Status AddConstant(const Op& op, Scope& scope) {
    const Attribute* value = op.attribute("value");
    const auto* elements =
        value == nullptr ? nullptr : value->As<Attribute::Elements>();
    if (elements == nullptr) return op.Error("expected a dense value");
    auto [it, is_new] = constants_.try_emplace(&op, 0);
    if (is_new) {
      const int index = static_cast<int>(schedule_.constants.size());
      ASSIGN_OR_RETURN(Literal literal, AllocateLiteral(*elements));
      schedule_.constants.push_back(
          std::make_shared<const Literal>(std::move(literal)));
      it->second = NewTensor(op.result(0)->shape(),
                             ScheduledTensor::TensorRole::kConstant, index);
    }
    Bind(op, {it->second}, scope);
    return absl::OkStatus();
  }

  absl::Status AddControlFlow(const Op& op, Scope& scope,
                              std::vector<Step>& steps) {
    if (op.name() == "stablehlo.while") return AddWhile(op, scope, steps);
    if (op.name() == "stablehlo.case" || op.name() == "stablehlo.if") {
      return AddConditional(op, scope, steps);
    }
    for (const char* callee : {"callee", "decomposition"}) {
      if (op.attribute(callee) != nullptr) {
        return AddCall(op, *op.attribute(callee), scope, steps);
      }
    }
    return op.Unimplemented("this control flow cannot be compiled");
  }

  // Of func.call and composite; `attribute` names the function.
  absl::Status AddCall(const Op& op, const Attribute& attribute, Scope& scope,
                       std::vector<Step>& steps) {
    const auto* callee = attribute.As<Attribute::Symbol>();
    const Function* function =
        callee == nullptr ? nullptr : module_.FindFunction(callee->name);
    if (function == nullptr) return op.Error("the called function is missing");
    RETURN_IF_ERROR(CountStep(op));
    Scope inner;
    const std::vector<TensorId> operands = OperandsOf(op, scope);
    for (size_t i = 0; i < operands.size(); ++i) {
      inner[function->body().arguments()[i].get()] = operands[i];
    }
    ASSIGN_OR_RETURN(std::vector<TensorId> results,
                     AddRegion(function->body(), inner, steps));
    Bind(op, results, scope);
    return absl::OkStatus();
  }

  absl::Status AddConditional(const Op& op, Scope& scope,
                              std::vector<Step>& steps) {
    Step step;
    step.kind = Step::Kind::kConditional;
    step.op = &op;
    step.operands = OperandsOf(op, scope);
    const std::vector<TensorId> results = NewResults(op, scope);
    for (const auto& region : op.regions()) {
      std::vector<Step> branch;
      ASSIGN_OR_RETURN(std::vector<TensorId> values,
                       AddRegion(*region, scope, branch));
      for (size_t i = 0; i < results.size(); ++i) {
        RETURN_IF_ERROR(AppendCopy(op, values[i], results[i], branch));
      }
      step.nested.push_back(std::move(branch));
    }
    return Append(std::move(step), steps);
  }

  absl::Status AddWhile(const Op& op, Scope& scope, std::vector<Step>& steps) {
    const std::vector<TensorId> initial = OperandsOf(op, scope);
    const std::vector<TensorId> carried = NewResults(op, scope);
    for (size_t i = 0; i < initial.size(); ++i) {
      RETURN_IF_ERROR(AppendCopy(op, initial[i], carried[i], steps));
    }
    Step step;
    step.kind = Step::Kind::kWhile;
    step.op = &op;
    for (const auto& region : op.regions()) {
      for (size_t i = 0; i < carried.size(); ++i) {
        scope[region->arguments()[i].get()] = carried[i];
      }
    }
    step.carried = carried;
    step.nested.resize(2);
    ASSIGN_OR_RETURN(step.operands,
                     AddRegion(op.region(0), scope, step.nested[0]));
    ASSIGN_OR_RETURN(std::vector<TensorId> next,
                     AddRegion(op.region(1), scope, step.nested[1]));
    RETURN_IF_ERROR(AddCarry(op, std::move(next), carried, step.nested[1]));
    return Append(std::move(step), steps);
  }

  // carried = next. A carried tensor that moves to another place goes through
  // a temporary: its place may be overwritten first.
  absl::Status AddCarry(const Op& op, std::vector<TensorId> next,
                        const std::vector<TensorId>& carried,
                        std::vector<Step>& body) {
    const absl::flat_hash_set<TensorId> places(carried.begin(), carried.end());
    for (size_t i = 0; i < next.size(); ++i) {
      if (next[i] == carried[i] || !places.contains(next[i])) continue;
      const TensorId saved = NewTemporary(schedule_.tensors[next[i]].shape);
      RETURN_IF_ERROR(AppendCopy(op, next[i], saved, body));
      next[i] = saved;
    }
    for (size_t i = 0; i < next.size(); ++i) {
      if (next[i] == carried[i]) continue;
      RETURN_IF_ERROR(AppendCopy(op, next[i], carried[i], body));
    }
    return absl::OkStatus();
  }

  const Module& module_;
  const ScheduleOptions options_;
  Schedule schedule_;
  absl::flat_hash_map<const Op*, TensorId> constants_;
  int64_t step_count_ = 0;
};

}  // namespace

absl::StatusOr<Schedule> BuildSchedule(const Module& module,
                                       const ScheduleOptions& options) {
  return ScheduleBuilder(module, options).Build();
}

}  // namespace lockstep::internal
