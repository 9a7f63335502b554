#include "runtime/sharding/gspmd_sources.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"
#include "runtime/sharding/compatible_axes.h"
#include "runtime/sharding/op_directions.h"

namespace lockstep::internal {
namespace {

using Kind = OpPriorityClass::Kind;
using Side = OpTensor::Side;

constexpr int kNever = kGspmdLevels;

absl::string_view NameOf(const PropagationNode& node) {
  return node.op == nullptr ? absl::string_view() : node.op->name();
}

bool IsDot(const PropagationNode& node) {
  const absl::string_view name = NameOf(node);
  return name == "stablehlo.dot_general" || name == "stablehlo.dot";
}

// What a convolution reads along a window is not what it writes.
bool HasWindows(const PropagationNode& node) {
  return NameOf(node) == "stablehlo.convolution" &&
         std::ranges::any_of(node.rule.factors(), [](const auto& factor) {
           return factor.kind == FactorKind::kPermutation;
         });
}

// A reshape in XLA.
bool AddsOnlyDimsOfOne(const PropagationNode& node) {
  return node.op->operand(0)->shape().element_count() ==
         node.op->result()->shape().element_count();
}

int FirstLevel(const PropagationNode& node, PropagationDirection direction) {
  const bool is_forward = direction == PropagationDirection::kForward;
  switch (node.priority_class.kind) {
    case Kind::kFixed:
      return node.priority_class.direction == direction ||
                     node.priority_class.direction ==
                         PropagationDirection::kBoth
                 ? 0
                 : kNever;
    case Kind::kPassThrough:
      return 0;
    case Kind::kDynamicSlice:
      return is_forward ? 0 : 1;
    case Kind::kBroadcast:
      if (AddsOnlyDimsOfOne(node)) return 0;
      return is_forward ? 3 : 2;
    case Kind::kOther:
      return !is_forward && HasWindows(node) ? kNever : 1;
  }
  return kNever;
}

std::vector<OpTensor> Operands(const PropagationNode& node) {
  std::vector<OpTensor> operands;
  for (int i = 0; i < static_cast<int>(node.operands.size()); ++i) {
    operands.push_back({Side::kOperand, i});
  }
  const absl::string_view name = NameOf(node);
  if (name == "stablehlo.gather" || name == "stablehlo.dynamic_update_slice") {
    std::swap(operands[0], operands[1]);
  }
  if (IsDot(node) || name == "stablehlo.convolution") {
    const auto elements = [&](int operand) {
      return node.op->operand(operand)->shape().element_count();
    };
    if (elements(1) > elements(0)) std::swap(operands[0], operands[1]);
  }
  return operands;
}

std::vector<OpTensor> SourcesOfOperand(const PropagationNode& node,
                                       int operand) {
  std::vector<OpTensor> sources;
  for (int i = 0; i < static_cast<int>(node.results.size()); ++i) {
    sources.push_back({Side::kResult, i});
  }
  if (IsDot(node)) sources.push_back({Side::kOperand, 1 - operand});
  // The indices are behind all inputs, the updates behind them.
  if (NameOf(node) == "stablehlo.scatter") {
    const int indices = static_cast<int>(node.results.size());
    if (operand == indices) sources = {{Side::kOperand, indices + 1}};
    if (operand > indices) sources.push_back({Side::kOperand, indices});
  }
  return sources;
}

bool KeepsWhole(const PropagationNode& node) {
  const absl::string_view name = NameOf(node);
  return name == "stablehlo.fft" || name == "stablehlo.cholesky" ||
         name == "stablehlo.triangular_solve" ||
         name == "stablehlo.custom_call";
}

}  // namespace

std::vector<PropagationDirection> GspmdDirections(const PropagationNode& node) {
  std::vector<PropagationDirection> directions;
  const bool keeps_whole = KeepsWhole(node);
  for (const auto& factor : node.rule.factors()) {
    directions.push_back(keeps_whole &&
                                 factor.kind == FactorKind::kNeedReplication
                             ? PropagationDirection::kNone
                             : PropagationDirection::kBoth);
  }
  return directions;
}

std::vector<OpTensor> GspmdSources(const PropagationNode& node, OpTensor target,
                                   int level) {
  const bool is_forward = target.side == Side::kResult;
  if (level < FirstLevel(node, is_forward ? PropagationDirection::kForward
                                          : PropagationDirection::kBackward)) {
    return {};
  }
  return is_forward ? Operands(node) : SourcesOfOperand(node, target.index);
}

}  // namespace lockstep::internal
