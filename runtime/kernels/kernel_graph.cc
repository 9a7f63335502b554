#include "runtime/kernels/kernel_graph.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/printer.h"
#include "runtime/kernels/index_map.h"
#include "runtime/kernels/scalar_support.h"
#include "runtime/ops/geometry/window.h"
#include "runtime/ops/reduction_body.h"

namespace lockstep::internal {
namespace {

// Constants up to this many elements are part of the code.
constexpr int64_t kMaxConstantElements = 1024;
// Code for a concatenate nests as deep as it has operands.
constexpr int kMaxOperands = 256;

bool IsConstant(const Op& op) {
  return op.name() == "stablehlo.constant" &&
         op.attribute("value")->As<Attribute::Elements>() != nullptr;
}

bool HaveCode(const Op& op) {
  for (const Value* operand : op.operands()) {
    if (!operand->type().is_tensor() ||
        !HasCodeFor(operand->shape().element_type())) {
      return false;
    }
  }
  for (const auto& result : op.results()) {
    if (!result->type().is_tensor() ||
        !HasCodeFor(result->shape().element_type())) {
      return false;
    }
  }
  return true;
}

// Small windows, of which every element is code of its own.
bool CanReduceWindows(const Op& op) {
  constexpr int64_t kMaxWindow = 32;
  if (op.result_count() != 1 || op.operand_count() != 2 ||
      !CanEmitScalarRegion(op.region())) {
    return false;
  }
  const ElementType type = op.result()->shape().element_type();
  const Op* body = SingleOpBody(op.region());
  const bool is_half = type == ElementType::kF16 || type == ElementType::kBF16;
  // Sums of halves are rounded once, at the end.
  if (type != op.operand(0)->shape().element_type() ||
      (is_half && (body == nullptr || (body->name() != "stablehlo.maximum" &&
                                       body->name() != "stablehlo.minimum")))) {
    return false;
  }
  const auto window = WindowOf(op, op.operand(0)->shape().rank());
  int64_t size = 1;
  if (!window.ok()) return false;
  for (int64_t dim : window->sizes) {
    if (dim > kMaxWindow || (size *= dim) > kMaxWindow) return false;
  }
  return true;
}

bool IsReduce(const Op& op) { return op.name() == "stablehlo.reduce"; }

bool CanCompile(const Op& op) {
  if (op.operand_count() > kMaxOperands || !HaveCode(op) ||
      op.def() == nullptr) {
    return false;
  }
  if (IsConstant(op)) {
    const auto* elements = op.attribute("value")->As<Attribute::Elements>();
    return elements->is_splat ||
           elements->shape.element_count() <= kMaxConstantElements;
  }
  if (op.name() == "stablehlo.reduce_window") return CanReduceWindows(op);
  if (IsReduce(op)) {
    return op.region_count() == 1 && CanEmitScalarRegion(op.region());
  }
  if (op.name() == "stablehlo.iota" || op.name() == "stablehlo.pad" ||
      op.name() == "stablehlo.concatenate" ||
      op.name() == "stablehlo.dynamic_slice" ||
      op.name() == "stablehlo.gather" || MapsIndices(op)) {
    return true;
  }
  return op.region_count() == 0 && CanEmitElementwise(op);
}

// The text of ops in the order in which they are added.
class FingerprintText {
 public:
  void AddInput(const Value* value) {
    absl::StrAppend(&text_, value->type().ToString(), ";");
    Number(value);
  }
  void AddOp(const Op& op) {
    absl::StrAppend(&text_, op.name(), "(");
    for (const Value* operand : op.operands()) {
      absl::StrAppend(&text_, Number(operand), ",");
    }
    absl::StrAppend(&text_, ")");
    for (const auto* entry : op.attributes().Sorted()) {
      absl::StrAppend(&text_, entry->first, "=", Print(entry->second), ",");
    }
    for (const auto& region : op.regions()) AddRegion(*region);
    for (const auto& result : op.results()) {
      absl::StrAppend(&text_, ":", result->type().ToString());
      Number(result.get());
    }
    absl::StrAppend(&text_, ";");
  }
  void AddOutput(const Value* value) {
    absl::StrAppend(&text_, "->", Number(value));
  }
  void AddAlias(int buffer) { absl::StrAppend(&text_, "@", buffer); }
  void AddRegion(const Region& region) {
    absl::StrAppend(&text_, "{");
    for (const auto& argument : region.arguments()) AddInput(argument.get());
    for (const auto& op : region.ops()) AddOp(*op);
    absl::StrAppend(&text_, "}");
  }
  std::string Take() { return std::move(text_); }

 private:
  int Number(const Value* value) {
    return numbers_.try_emplace(value, static_cast<int>(numbers_.size()))
        .first->second;
  }

  std::string text_;
  absl::flat_hash_map<const Value*, int> numbers_;
};

bool IsUsedIn(const Value* value, const Region& region) {
  for (const auto& op : region.ops()) {
    for (const Value* operand : op->operands()) {
      if (operand == value) return true;
    }
    for (const auto& nested : op->regions()) {
      if (IsUsedIn(value, *nested)) return true;
    }
  }
  return false;
}

// Leaves out results that nothing uses, if there are others: argmax does not
// need the maximum.
void KeepUsedOutputs(const KernelRequest& request, GraphRequest& matched) {
  const Op& op = *request.op;
  std::vector<const Value*> outputs;
  std::vector<TensorSlice> buffers;
  for (int i = 0; op.result_count() > 1 && i < op.result_count(); ++i) {
    if (!IsUsedIn(op.result(i), *op.parent())) continue;
    outputs.push_back(matched.graph.outputs[i]);
    buffers.push_back(request.results[i]);
  }
  if (outputs.empty()) {
    outputs = std::move(matched.graph.outputs);
    buffers = request.results;
  }
  matched.graph.outputs = std::move(outputs);
  matched.buffers.insert(matched.buffers.end(), buffers.begin(), buffers.end());
}

// Reductions of one kernel share input dims and reduced dims.
bool AgreeOnDims(const std::vector<const Op*>& reduces) {
  for (const Op* reduce : reduces) {
    if (reduce->operand(0)->shape().dims() !=
            reduces[0]->operand(0)->shape().dims() ||
        *reduce->IntegersAttribute("dimensions") !=
            *reduces[0]->IntegersAttribute("dimensions")) {
      return false;
    }
  }
  return true;
}

bool HasEmptyTensor(const std::vector<TensorSlice>& tensors) {
  for (const TensorSlice& tensor : tensors) {
    if (tensor.shape.element_count() == 0) return true;
  }
  return false;
}

void AddAliases(GraphRequest& request) {
  const int count = static_cast<int>(request.buffers.size());
  const int inputs = static_cast<int>(request.graph.inputs.size());
  for (int i = 0; i < count; ++i) {
    int alias = i;
    for (int j = 0; j < i && i >= inputs; ++j) {
      if (request.buffers[i].slice.size > 0 &&
          request.buffers[i].slice.Overlaps(request.buffers[j].slice)) {
        alias = j;
        break;
      }
    }
    request.graph.alias_of.push_back(alias);
  }
}

struct OpList {
  std::vector<const Op*> ops;
  std::vector<const Op*> reduces;

  bool Add(const Op& op) {
    if (!CanCompile(op)) return false;
    ops.push_back(&op);
    if (IsReduce(op)) reduces.push_back(&op);
    return true;
  }
};

bool MatchFusion(const KernelRequest& request, GraphRequest& matched,
                 OpList& list) {
  const Region& region = request.op->region();
  for (size_t i = 0; i < request.operands.size(); ++i) {
    matched.graph.inputs.push_back(region.arguments()[i].get());
    matched.buffers.push_back(request.operands[i]);
  }
  for (const auto& op : region.ops()) {
    if (op.get() != region.terminator() && !list.Add(*op)) return false;
  }
  const std::vector<Value*>& returned = region.terminator()->operands();
  matched.graph.outputs.assign(returned.begin(), returned.end());
  matched.graph.name = absl::StrCat("fusion of ", list.ops.size());
  return true;
}

bool MatchSingle(const KernelRequest& request, GraphRequest& matched,
                 OpList& list) {
  const Op& op = *request.op;
  if (IsConstant(op) || !CanCompile(op)) return false;
  for (int i = 0; i < op.operand_count(); ++i) {
    const Value* operand = op.operand(i);
    if (SplatOf(operand) != nullptr) {
      if (!list.Add(*operand->defining_op())) return false;
      continue;
    }
    bool is_known = false;
    for (const Value* input : matched.graph.inputs) {
      is_known = is_known || input == operand;
    }
    if (is_known) continue;
    matched.graph.inputs.push_back(operand);
    matched.buffers.push_back(request.operands[i]);
  }
  if (!list.Add(op)) return false;
  for (const auto& result : op.results()) {
    matched.graph.outputs.push_back(result.get());
  }
  matched.graph.name = op.name();
  return true;
}

}  // namespace

bool HasKernelCode(const Op& op) { return CanCompile(op); }

KernelGraph StepGraph(KernelGraph::Kind kind, const Op& op, const Region& body,
                      std::vector<const Value*> inputs,
                      std::vector<const Value*> outputs, int variant,
                      absl::string_view text) {
  KernelGraph graph;
  graph.kind = kind;
  graph.inputs = std::move(inputs);
  graph.outputs = std::move(outputs);
  graph.fingerprint = absl::StrCat("step ", static_cast<int>(kind), " variant ",
                                   variant, ":", text);
  graph.name = op.name();
  for (size_t i = 0; i < graph.inputs.size() + graph.outputs.size(); ++i) {
    graph.alias_of.push_back(static_cast<int>(i));
  }
  graph.op = &op;
  graph.body = &body;
  graph.variant = variant;
  return graph;
}

KernelGraph OpGraph(KernelGraph::Kind kind, const Op& op,
                    std::vector<const Value*> inputs) {
  KernelGraph graph;
  graph.kind = kind;
  graph.inputs = std::move(inputs);
  for (const auto& result : op.results()) {
    graph.outputs.push_back(result.get());
  }
  graph.fingerprint =
      absl::StrCat("op ", static_cast<int>(kind), ":", TextOf(op));
  graph.name = op.name();
  for (size_t i = 0; i < graph.inputs.size() + graph.outputs.size(); ++i) {
    graph.alias_of.push_back(static_cast<int>(i));
  }
  graph.op = &op;
  return graph;
}

std::string TextOf(const Op& op) {
  FingerprintText text;
  for (const Value* operand : op.operands()) text.AddInput(operand);
  text.AddOp(op);
  return text.Take();
}

std::string TextOf(const Region& region) {
  FingerprintText text;
  text.AddRegion(region);
  return text.Take();
}

std::optional<GraphRequest> MatchKernelGraph(const KernelRequest& request) {
  if (!request.captures.empty()) return std::nullopt;
  GraphRequest matched;
  OpList list;
  const bool is_match = request.op->name() == "lockstep.fusion"
                            ? MatchFusion(request, matched, list)
                            : MatchSingle(request, matched, list);
  if (!is_match || matched.graph.outputs.empty()) return std::nullopt;
  if (!AgreeOnDims(list.reduces)) return std::nullopt;
  if (HasEmptyTensor(request.operands) || HasEmptyTensor(request.results)) {
    return std::nullopt;
  }
  if (!list.reduces.empty()) matched.graph.kind = KernelGraph::Kind::kReduce;
  KeepUsedOutputs(request, matched);
  AddAliases(matched);

  FingerprintText text;
  for (const Value* input : matched.graph.inputs) text.AddInput(input);
  for (const Op* op : list.ops) text.AddOp(*op);
  for (const Value* output : matched.graph.outputs) text.AddOutput(output);
  for (int alias : matched.graph.alias_of) text.AddAlias(alias);
  matched.graph.fingerprint = text.Take();
  return matched;
}

}  // namespace lockstep::internal
