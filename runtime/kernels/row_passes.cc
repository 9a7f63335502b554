#include "runtime/kernels/row_passes.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/string_view.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kCheapOps[] = {
    "stablehlo.abs",      "stablehlo.add",     "stablehlo.and",
    "stablehlo.clamp",    "stablehlo.compare", "stablehlo.convert",
    "stablehlo.maximum",  "stablehlo.minimum", "stablehlo.multiply",
    "stablehlo.negate",   "stablehlo.not",     "stablehlo.or",
    "stablehlo.subtract", "stablehlo.select",  "stablehlo.xor"};

bool IsCheap(const Op& op) {
  return op.def()->kind() != OpKind::kElementwise ||
         std::find(std::begin(kCheapOps), std::end(kCheapOps), op.name()) !=
             std::end(kCheapOps);
}

}  // namespace

ReductionDepth::ReductionDepth(const KernelGraph& graph) {
  for (const Value* input : graph.inputs) depths_[input] = 0;
}

int ReductionDepth::Of(const Value* value) {
  auto it = depths_.find(value);
  if (it != depths_.end()) return it->second;
  const Op* op = value->defining_op();
  int depth = 0;
  for (const Value* operand : op->operands()) {
    depth = std::max(depth, Of(operand));
  }
  if (op->name() == "stablehlo.reduce") {
    ++depth;
    if (std::find(reduces_.begin(), reduces_.end(), op) == reduces_.end())
      reduces_.push_back(op);
  }
  depths_[value] = depth;
  return depth;
}

RowPasses::RowPasses(const KernelGraph& graph,
                     absl::Span<const int64_t> full_dims)
    : full_dims_(full_dims.begin(), full_dims.end()),
      inputs_(graph.inputs.begin(), graph.inputs.end()) {}

void RowPasses::Need(const Value* value, int pass) {
  const Op* op = value->defining_op();
  if (inputs_.contains(value) || op == nullptr ||
      value->shape().dims() != absl::MakeConstSpan(full_dims_) ||
      op->def()->kind() != OpKind::kElementwise) {
    return;
  }
  const bool is_new = !passes_.contains(value);
  if (!passes_[value].insert(pass).second) return;
  for (const Value* operand : op->operands()) Need(operand, pass);
  if (is_new) order_.push_back(value);
}

bool RowPasses::IsDear(const Value* value) const {
  const Op& op = *value->defining_op();
  if (!IsCheap(op)) return true;
  return std::any_of(op.operands().begin(), op.operands().end(),
                     [this](const Value* operand) {
                       return passes_.contains(operand) && IsDear(operand);
                     });
}

std::vector<RowSpill> RowPasses::Spills() const {
  std::vector<RowSpill> spills;
  for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
    const Value* value = *it;
    const std::set<int>& passes = passes_.at(value);
    if (passes.size() < 2 || !IsDear(value)) continue;
    // A user that runs in all the same passes will be kept in its stead.
    const bool is_inner =
        std::any_of(order_.begin(), order_.end(), [&](const Value* user) {
          const auto& operands = user->defining_op()->operands();
          return passes_.at(user) == passes &&
                 std::find(operands.begin(), operands.end(), value) !=
                     operands.end();
        });
    if (is_inner || IsComplex(value->shape().element_type()) ||
        value->shape().element_type() == ElementType::kPred) {
      continue;
    }
    spills.push_back({value, *passes.begin()});
  }
  std::reverse(spills.begin(), spills.end());
  return spills;
}

}  // namespace lockstep::internal
