#include "runtime/ops/dot_epilogue.h"

#include <map>
#include <utility>

#include "absl/strings/string_view.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ops/gelu.h"
#include "runtime/ops/lockstep/fusion.h"

namespace lockstep::internal {
namespace {

// Whether the operand's elements, in their order, are the last dims of the
// result, and the same everywhere else.
bool RepeatsAVector(const Op& broadcast) {
  const Shape& from = broadcast.operand(0)->shape();
  const Shape& to = broadcast.result()->shape();
  const auto dims = broadcast.IntegersAttribute("broadcast_dimensions");
  if (!dims.ok() || from.rank() == 0) return false;
  int64_t next = to.rank();
  for (int64_t i = from.rank() - 1; i >= 0; --i) {
    if (from.dim(i) == 1) continue;
    do {
      if (--next < 0) return false;
    } while (to.dim(next) == 1);
    if ((*dims)[static_cast<size_t>(i)] != next ||
        from.dim(i) != to.dim(next)) {
      return false;
    }
  }
  return true;
}

// The only user of a value, if it is this op, of two operands, in that region.
const Op* OnlyUser(const Value* value, absl::string_view name,
                   const Region* region, const UsersOfValue& users) {
  const std::vector<Op*>& found = users(value);
  return found.size() == 1 && found[0]->name() == name &&
                 found[0]->parent() == region
             ? found[0]
             : nullptr;
}

Value* OtherOperand(const Op& op, const Value* value) {
  return op.operand(0) == value ? op.operand(1) : op.operand(0);
}

// Adds a bias. False: there is none.
bool AddBias(DotEpilogue& epilogue, const UsersOfValue& users) {
  const Value* const value = epilogue.ops.back()->result();
  const Op* const add =
      OnlyUser(value, "stablehlo.add", epilogue.dot->parent(), users);
  if (add == nullptr) return false;
  const Op* const broadcast = OtherOperand(*add, value)->defining_op();
  if (broadcast == nullptr ||
      broadcast->name() != "stablehlo.broadcast_in_dim" ||
      !RepeatsAVector(*broadcast)) {
    return false;
  }
  epilogue.bias = broadcast->operand(0);
  epilogue.ops.insert(epilogue.ops.end(), {broadcast, add});
  return true;
}

// Adds an activation. False: there is none.
bool AddActivation(DotEpilogue& epilogue, const UsersOfValue& users) {
  const Region* const region = epilogue.dot->parent();
  const Value* const value = epilogue.ops.back()->result();
  if (const Op* const maximum =
          OnlyUser(value, "stablehlo.maximum", region, users)) {
    if (!IsSplat(OtherOperand(*maximum, value), 0)) return false;
    epilogue.activation = DotEpilogue::Activation::kRelu;
    epilogue.ops.push_back(maximum);
    return true;
  }
  const auto gelu = GeluOf(value, users);
  if (!gelu.has_value()) return false;
  for (const Op* op : *gelu) {
    if (op->parent() != region) return false;
  }
  epilogue.activation = DotEpilogue::Activation::kGelu;
  epilogue.ops.insert(epilogue.ops.end(), gelu->begin(), gelu->end());
  return true;
}

}  // namespace

std::vector<DotEpilogue> EpiloguesAfter(const Op& dot,
                                        const UsersOfValue& users) {
  std::vector<DotEpilogue> found;
  DotEpilogue epilogue;
  epilogue.dot = &dot;
  epilogue.ops = {&dot};
  if (AddBias(epilogue, users)) found.push_back(epilogue);
  if (AddActivation(epilogue, users)) found.insert(found.begin(), epilogue);
  return found;
}

std::optional<DotEpilogue> DotEpilogueOf(const Op& fusion) {
  const auto kind = FusionKindOf(fusion);
  if (!kind.ok() || *kind != FusionKind::kDot) return std::nullopt;
  std::map<const Value*, std::vector<Op*>> users;
  const Op* dot = nullptr;
  const Op& end = *fusion.region().terminator();
  for (const auto& op : fusion.region().ops()) {
    if (op->name() == "stablehlo.dot_general") dot = op.get();
    if (op.get() == &end) continue;
    for (const Value* operand : op->operands()) {
      users[operand].push_back(op.get());
    }
  }
  if (dot == nullptr || end.operand_count() != 1) return std::nullopt;
  for (DotEpilogue& epilogue : EpiloguesAfter(
           *dot, [&users](const Value* value) -> const std::vector<Op*>& {
             return users[value];
           })) {
    if (epilogue.ops.back()->result() == end.operand(0)) {
      return std::move(epilogue);
    }
  }
  return std::nullopt;
}

}  // namespace lockstep::internal
