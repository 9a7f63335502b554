#include "runtime/sharding/data_flow_edges.h"

#include "absl/strings/string_view.h"

namespace lockstep::internal {
namespace {

const Value* Returned(const Region& region, int i) {
  return region.terminator()->operand(i);
}

const Value* Argument(const Region& region, int i) {
  return region.arguments()[i].get();
}

DataFlowEdge WhileEdge(const Op& op, int i) {
  return {.sources = {op.operand(i), Returned(op.region(1), i)},
          .targets = {op.result(i), Argument(op.region(0), i),
                      Argument(op.region(1), i)}};
}

DataFlowEdge CaseEdge(const Op& op, int i) {
  DataFlowEdge edge{.sources = {}, .targets = {op.result(i)}};
  for (const auto& branch : op.regions()) {
    edge.sources.push_back(Returned(*branch, i));
  }
  return edge;
}

DataFlowEdge BarrierEdge(const Op& op, int i) {
  return {.sources = {op.operand(i)}, .targets = {op.result(i)}};
}

DataFlowEdge IntoBody(const Op& op, int i) {
  return {.sources = {op.operand(i)}, .targets = {Argument(op.region(), i)}};
}

DataFlowEdge OutOfBody(const Op& op, int i) {
  return {.sources = {Returned(op.region(), i)}, .targets = {op.result(i)}};
}

using EdgeOf = DataFlowEdge (*)(const Op& op, int i);

bool IsSharded(const Type& type) {
  return type.is_tensor() && type.shape().rank() > 0;
}

std::vector<DataFlowEdge> IntoResults(const Op& op, EdgeOf edge) {
  std::vector<DataFlowEdge> edges;
  for (int i = 0; i < op.result_count(); ++i) {
    if (IsSharded(op.result(i)->type())) edges.push_back(edge(op, i));
  }
  return edges;
}

}  // namespace

OpDataFlow DataFlowOf(const Op& op) {
  OpDataFlow flow;
  const absl::string_view name = op.name();
  if (name == "stablehlo.while") {
    flow.into_results = IntoResults(op, WhileEdge);
  } else if (name == "stablehlo.case") {
    flow.into_results = IntoResults(op, CaseEdge);
  } else if (name == "stablehlo.optimization_barrier") {
    flow.into_results = IntoResults(op, BarrierEdge);
  } else if (name == "sdy.named_computation" ||
             name == "sdy.manual_computation") {
    flow.into_results = IntoResults(op, OutOfBody);
    for (int i = 0; i < op.operand_count(); ++i) {
      if (IsSharded(op.operand(i)->type())) {
        flow.into_regions.push_back(IntoBody(op, i));
      }
    }
  }
  return flow;
}

}  // namespace lockstep::internal
