#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/module.h"
#include "runtime/ops/checks/enclosing_module.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/custom_calls/call_config.h"
#include "runtime/ops/custom_calls/custom_call_target.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/evaluation/lane_sorter.h"
#include "runtime/types/indexed_copy.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<int64_t> RequiredInteger(const Op& op, absl::string_view name) {
  const std::optional<int64_t> value = FindConfigInteger(op, name);
  if (value.has_value()) return *value;
  return op.Error(
      absl::StrCat("backend_config: expected an integer as ", name));
}

// (lhs, rhs of each input) -> whether lhs goes first.
absl::StatusOr<const Function*> ComparatorOf(const Op& op) {
  const Attribute* attribute = op.attribute("called_computations");
  const auto* list =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Array>();
  const auto* symbol = list == nullptr || list->elements.size() != 1
                           ? nullptr
                           : list->elements[0].As<Attribute::Symbol>();
  if (symbol == nullptr) {
    return op.Error("called_computations: expected one @function");
  }
  const Module* module = EnclosingModule(op);
  const Function* function =
      module == nullptr ? nullptr : module->FindFunction(symbol->name);
  if (function == nullptr) {
    return op.Error(absl::StrCat("no function @", symbol->name));
  }
  std::vector<Type> arguments;
  for (int i = 0; i < op.result_count(); ++i) {
    const Type scalar = Shape(op.operand(i)->shape().element_type(), {});
    arguments.insert(arguments.end(), {scalar, scalar});
  }
  const std::vector<Type> pred = {Shape(ElementType::kPred, {})};
  if (function->argument_types() == arguments &&
      function->result_types() == pred) {
    return function;
  }
  return op.Error(absl::StrCat(
      "called_computations: expected @", symbol->name,
      " to take two scalars of the type of each input and return i1"));
}

absl::Status CheckInputs(const Op& op) {
  const int count = op.result_count();
  if (count < 1 || op.operand_count() != 2 * count) {
    return op.Error(absl::StrCat(
        "expected an input and an init value for each result, found ",
        op.operand_count(), " operands and ", count, " results"));
  }
  RETURN_IF_ERROR(CheckOperandCount(op, 2 * count));
  const Shape& input = op.operand(0)->shape();
  for (int i = 0; i < count; ++i) {
    const Shape& other = op.operand(i)->shape();
    if (other.dims() != input.dims()) {
      return op.Error(absl::StrCat("operand ", i, ": expected the dims of ",
                                   input.ToString(), ", found ",
                                   other.ToString()));
    }
    const Shape init(other.element_type(), {});
    if (op.operand(count + i)->shape() != init) {
      return op.Error(absl::StrCat("operand ", count + i, ": expected ",
                                   init.ToString(), ", found ",
                                   op.operand(count + i)->shape().ToString()));
    }
  }
  return absl::OkStatus();
}

// Of the results, along the reduced dim: `least` to as many as there are.
absl::Status CheckResults(const Op& op, int64_t reduced, int64_t least,
                          bool is_exact) {
  const Shape& input = op.operand(0)->shape();
  const Type& first = op.result()->type();
  const int64_t found =
      first.is_tensor() && first.shape().rank() == input.rank()
          ? first.shape().dim(reduced)
          : -1;
  const int64_t most = is_exact ? least : input.dim(reduced);
  if (least < 1 || least > input.dim(reduced)) {
    return op.Error(absl::StrCat("backend_config: top_k: expected 1 to ",
                                 input.dim(reduced), ", found ", least));
  }
  if (found < least || found > most) {
    return op.Error(absl::StrCat("result 0: expected ", least, " to ", most,
                                 " elements along dim ", reduced, ", found ",
                                 first.ToString()));
  }
  Dims dims(input.dims().begin(), input.dims().end());
  dims[reduced] = found;
  for (int i = 0; i < op.result_count(); ++i) {
    const Type expected = Shape(op.operand(i)->shape().element_type(), dims);
    if (op.result(i)->type() == expected) continue;
    return op.Error(absl::StrCat("result ", i, ": expected ",
                                 expected.ToString(), ", found ",
                                 op.result(i)->type().ToString()));
  }
  return absl::OkStatus();
}

absl::Status CheckCall(const Op& op, bool may_aggregate) {
  RETURN_IF_ERROR(CheckInputs(op));
  ASSIGN_OR_RETURN(const int64_t reduced, RequiredInteger(op, "reduction_dim"));
  ASSIGN_OR_RETURN(const int64_t top_k, RequiredInteger(op, "top_k"));
  RETURN_IF_ERROR(
      CheckDim(op, "reduction_dim", reduced, op.operand(0)->shape().rank()));
  bool aggregates = false;
  if (may_aggregate) {
    ASSIGN_OR_RETURN(aggregates,
                     CallConfig(op).BoolOr("aggregate_to_topk", false));
  }
  RETURN_IF_ERROR(CheckResults(op, reduced, top_k, aggregates));
  return ComparatorOf(op).status();
}

absl::Status EvaluateApproxTopK(EvaluationContext& context, const Op& op,
                                absl::Span<const LiteralView> operands,
                                absl::Span<const MutableLiteralView> results) {
  if (results[0].shape().element_count() == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const int64_t reduced, RequiredInteger(op, "reduction_dim"));
  ASSIGN_OR_RETURN(const Function* comparator, ComparatorOf(op));
  const absl::Span<const LiteralView> inputs =
      operands.subspan(0, results.size());
  LaneSorter sorter(context, comparator->body(), inputs, reduced);
  RETURN_IF_ERROR(sorter.Sort());
  const int64_t length = inputs[0].shape().dim(reduced);
  const int64_t count = results[0].shape().dim(reduced);
  const int64_t stride = inputs[0].shape().Strides()[reduced];
  // Lanes come in the order of their first elements.
  std::vector<int64_t> from, to;
  for (size_t lane = 0; lane * length < sorter.order().size(); ++lane) {
    const int64_t begin = static_cast<int64_t>(lane) / stride * stride * count +
                          static_cast<int64_t>(lane) % stride;
    for (int64_t j = 0; j < count; ++j) {
      from.push_back(sorter.order()[lane * length + j]);
      to.push_back(begin + j * stride);
    }
  }
  for (size_t k = 0; k < results.size(); ++k) {
    const int64_t size = ByteSize(results[k].shape().element_type());
    Literal top(Shape(results[k].shape().element_type(),
                      {static_cast<int64_t>(from.size())}));
    CopyFromIndices(size, inputs[k].bytes(), from, top.mutable_bytes());
    CopyToIndices(size, top.bytes(), to, results[k].bytes());
  }
  return absl::OkStatus();
}

// ApproxTopK, PartialReduce: elements along one dim among which are the top_k
// first ones in the comparator's order. Here exactly the first ones, in that
// order, as many as the results have; of equal ones those that come first.
//   (inputs, init values) -> (results); reduction_dim, top_k,
//   aggregate_to_topk: the results have top_k elements there
void AddApproxTopK(CustomCallTargets& targets) {
  targets.Add("ApproxTopK",
              {.check = [](const Op& op) { return CheckCall(op, true); },
               .evaluate = EvaluateApproxTopK});
  targets.Add("PartialReduce",
              {.check = [](const Op& op) { return CheckCall(op, false); },
               .evaluate = EvaluateApproxTopK});
}

REGISTER_CUSTOM_CALL_TARGETS(AddApproxTopK);

}  // namespace
}  // namespace lockstep::internal
