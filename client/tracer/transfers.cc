#include "client/tracer/transfers.h"

#include "client/tracer/collective_groups.h"
#include "client/tracer/collective_pairs.h"
#include "client/tracer/emit_collective.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"

namespace lockstep {

using internal::CollectiveGroups;
using internal::EmitRecv;
using internal::EmitSend;
using internal::Pairs;
using internal::ReplicaPairs;
using internal::ResolveGroups;
using internal::Trace;
using internal::TraceOperation;
using internal::TraceValue;
using internal::ValueOr;

namespace {

absl::StatusOr<Pairs> ResolvePairs(const Trace& trace, absl::string_view name,
                                   const AxisNames& axes, const Pairs& pairs,
                                   const ReduceOptions& options) {
  ASSIGN_OR_RETURN(const CollectiveGroups groups,
                   ResolveGroups(trace.axes(), name, axes.names(),
                                 options.axis_index_groups, false));
  return ReplicaPairs(pairs, groups);
}

}  // namespace

Token create_token(SourceLocation location) {
  return Token(
      TraceOperation("create_token", location, {}, [](Trace& trace) -> ValueOr {
        return trace.Build({.name = "stablehlo.create_token", .operands = {}});
      }));
}

Token send(const Operand& x, const Token& token, const AxisNames& axes,
           const Pairs& pairs, const ReduceOptions& options) {
  const Operand after(token.value(), x.location());
  return Token(TraceOperation(
      "send", x.location(), {&x, &after}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(const Pairs replicas,
                         ResolvePairs(trace, "send", axes, pairs, options));
        ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(x));
        ASSIGN_OR_RETURN(TraceValue * order, trace.Resolve(after));
        return EmitSend(trace, value, order, replicas);
      }));
}

std::pair<Tensor, Token> recv(const Token& token, const Shape& shape,
                              const AxisNames& axes, const Pairs& pairs,
                              const ReduceOptions& options,
                              SourceLocation location) {
  const Operand after(token.value(), location);
  TraceValue* order = nullptr;
  Tensor value =
      TraceOperation("recv", location, {&after}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(const Pairs replicas,
                         ResolvePairs(trace, "recv", axes, pairs, options));
        ASSIGN_OR_RETURN(order, trace.Resolve(after));
        ASSIGN_OR_RETURN(const std::vector<TraceValue*> received,
                         EmitRecv(trace, order, shape, replicas));
        order = received[1];
        return received[0];
      });
  if (value.is_poisoned()) return {value, Token(value)};
  Token received(Tensor(value.trace(), order));
  return {std::move(value), std::move(received)};
}

}  // namespace lockstep
