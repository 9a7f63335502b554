#include "runtime/ir/call_graph.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/verifier.h"

namespace lockstep::internal {
namespace {

struct Call {
  const Op* op;
  const Function* callee;
  int depth;  // regions of the caller that are open there
};

struct Node {
  std::vector<Call> calls;
  int region_depth = 0;
  int total_depth = 0;  // with all that it calls
  size_t next_call = 0;
  enum { kNew, kOpen, kDone } state = kNew;
};

using Graph = absl::flat_hash_map<const Function*, Node>;

absl::Status CheckTypes(const Op& op, const Function& callee) {
  const std::vector<Type> arguments = callee.argument_types();
  const std::vector<Type>& results = callee.result_types();
  if (op.operands().size() != arguments.size() ||
      op.results().size() != results.size()) {
    return op.Error(
        absl::StrCat("expected ", arguments.size(), " arguments and ",
                     results.size(), " results of @", callee.name(), ", found ",
                     op.operands().size(), " and ", op.results().size()));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (op.operands()[i]->type() == arguments[i]) continue;
    return op.Error(absl::StrCat(
        "argument ", i, ": expected type ", arguments[i].ToString(), " of @",
        callee.name(), ", found ", op.operands()[i]->type().ToString()));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (op.results()[i]->type() == results[i]) continue;
    return op.Error(absl::StrCat(
        "result ", i, ": expected type ", results[i].ToString(), " of @",
        callee.name(), ", found ", op.results()[i]->type().ToString()));
  }
  return absl::OkStatus();
}

// The attribute that names the function which the op calls; "" for ops that
// call none.
absl::string_view CalleeAttribute(const Op& op) {
  if (op.name() == "func.call") return "callee";
  return op.name() == "stablehlo.composite" ? "decomposition" : "";
}

absl::Status CollectCalls(const Module& module, const Region& region, int depth,
                          Node& node) {
  node.region_depth = std::max(node.region_depth, depth);
  for (const auto& op : region.ops()) {
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(CollectCalls(module, *inner, depth + 1, node));
    }
    const absl::string_view symbol = CalleeAttribute(*op);
    if (symbol.empty()) continue;
    const Attribute* attribute = op->attribute(symbol);
    const auto* name =
        attribute == nullptr ? nullptr : attribute->As<Attribute::Symbol>();
    if (name == nullptr) {
      return op->Error(absl::StrCat("needs ", symbol, ", a function's name"));
    }
    const Function* callee = module.FindFunction(name->name);
    if (callee == nullptr) {
      return op->Error(absl::StrCat(
          "expected a function of the module, found @", name->name));
    }
    RETURN_IF_ERROR(CheckTypes(*op, *callee));
    node.calls.push_back({op.get(), callee, depth});
  }
  return absl::OkStatus();
}

// Visits `root` and what it calls, depth first, without recursion.
absl::Status Visit(const Function* root, Graph& graph) {
  std::vector<const Function*> open = {root};
  while (!open.empty()) {
    Node& node = graph[open.back()];
    if (node.state == Node::kDone) {
      open.pop_back();
      continue;
    }
    node.state = Node::kOpen;
    node.total_depth = std::max(node.total_depth, node.region_depth);
    if (node.next_call == node.calls.size()) {
      node.state = Node::kDone;
      open.pop_back();
      continue;
    }
    const Call& call = node.calls[node.next_call];
    const Node& callee = graph[call.callee];
    if (callee.state == Node::kOpen) {
      return call.op->Error(
          absl::StrCat("@", call.callee->name(), " calls itself through this"));
    }
    if (callee.state == Node::kNew) {
      open.push_back(call.callee);
      continue;
    }
    node.total_depth =
        std::max(node.total_depth, call.depth + callee.total_depth);
    if (node.total_depth > kMaxRegionDepth) {
      return call.op->Error(absl::StrCat("expected at most ", kMaxRegionDepth,
                                         " open regions and calls, found ",
                                         node.total_depth));
    }
    ++node.next_call;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckCalls(const Module& module) {
  Graph graph;
  graph.reserve(module.functions().size());
  for (const auto& function : module.functions()) {
    RETURN_IF_ERROR(
        CollectCalls(module, function->body(), 1, graph[function.get()]));
  }
  for (const auto& function : module.functions()) {
    RETURN_IF_ERROR(Visit(function.get(), graph));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
