#ifndef LOCKSTEP_RUNTIME_SHARDING_DATA_FLOW_EDGES_H_
#define LOCKSTEP_RUNTIME_SHARDING_DATA_FLOW_EDGES_H_

#include <vector>

#include "runtime/ir/op.h"

namespace lockstep::internal {

// Values that are one value where the program runs (Shardy, data-flow edges):
// any of the sources becomes all of the targets. The targets have one sharding.
// All have the same type, but across the border of a sdy.manual_computation. A
// value type that borrows the function.
struct DataFlowEdge {
  std::vector<const Value*> sources;
  std::vector<const Value*> targets;  // the first one owns the edge
};

// The edges of one op, in the order of the values they lead to. Scalars and
// what is no tensor have none.
struct OpDataFlow {
  std::vector<DataFlowEdge> into_regions;
  std::vector<DataFlowEdge> into_results;
};

//   while                  operand and value that the body returns
//                          -> result, arguments of cond and body
//   case                   values that the branches return -> result
//   optimization_barrier   operand -> result
//   sdy.named_computation, operand -> argument of the body,
//   sdy.manual_computation value that it returns -> result
OpDataFlow DataFlowOf(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_DATA_FLOW_EDGES_H_
