#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/rewriter.h"

namespace lockstep::internal {
namespace {

// Constants are made up to this size, from such as are not much larger.
constexpr int64_t kMaxResultElements = 16 * 1024;
constexpr int64_t kMaxOperandElements = 64 * 1024;

// An op on constants asks for nothing.
class NoContext : public EvaluationContext {
 public:
  absl::Status RunRegion(const Region&, absl::Span<const LiteralView>,
                         absl::Span<const MutableLiteralView>) override {
    return None();
  }
  absl::Status RunFunction(absl::string_view, absl::Span<const LiteralView>,
                           absl::Span<const MutableLiteralView>) override {
    return None();
  }
  int32_t replica_id() const override { return 0; }
  int32_t partition_id() const override { return 0; }
  absl::Status RunCollective(const Op&, const CollectiveSpec&,
                             absl::Span<const LiteralView>,
                             absl::Span<const MutableLiteralView>) override {
    return None();
  }

 private:
  static absl::Status None() {
    return absl::UnimplementedError("not in a constant");
  }
};

// Of kinds whose work is about the size of their operands and results.
bool IsFoldable(const Op& op) {
  if (!op.def()->evaluate() || op.operand_count() == 0) return false;
  switch (op.def()->kind()) {
    case OpKind::kElementwise:
    case OpKind::kDataMovement:
    case OpKind::kReduce:
      break;
    default:
      return false;
  }
  if (!op.result()->type().is_tensor()) return false;
  for (const Value* operand : op.operands()) {
    if (ConstantOf(operand) == nullptr) return false;
  }
  return true;
}

std::optional<Literal> Evaluated(const Op& op,
                                 absl::Span<const LiteralView> operands,
                                 const Shape& shape) {
  Literal result(shape);
  NoContext context;
  const absl::Status status =
      op.def()->evaluate()(context, op, operands, {result.mutable_view()});
  if (!status.ok()) return std::nullopt;
  return result;
}

// Elementwise ops on splats are one element; moving a splat leaves a splat.
Value* FoldSplats(const Op& op, Rewriter& rewriter) {
  std::vector<LiteralView> operands;
  for (const Value* operand : op.operands()) {
    const Attribute::Elements* splat = SplatOf(operand);
    if (splat == nullptr) return nullptr;
    operands.emplace_back(Shape(splat->shape.element_type(), {}),
                          splat->values->bytes());
  }
  const Shape& shape = op.result()->shape();
  const Shape scalar(shape.element_type(), {});
  if (op.def()->kind() == OpKind::kElementwise) {
    // An op that splits or joins elements (bitcast_convert) is more than one.
    if (op.name() == "stablehlo.bitcast_convert" &&
        op.operand(0)->shape().dims() != shape.dims()) {
      return nullptr;
    }
    std::optional<Literal> element = Evaluated(op, operands, scalar);
    if (!element.has_value()) return nullptr;
    return rewriter.CreateSplat(shape, *std::move(element));
  }
  if (op.name() != "stablehlo.broadcast_in_dim" &&
      op.name() != "stablehlo.reshape" && op.name() != "stablehlo.slice" &&
      op.name() != "stablehlo.transpose" && op.name() != "stablehlo.reverse") {
    return nullptr;
  }
  return rewriter.CreateSplat(
      shape, Literal::CopyOf(LiteralView(scalar, operands[0].bytes())));
}

Value* Fold(const Op& op, Rewriter& rewriter) {
  if (!IsFoldable(op)) return nullptr;
  if (Value* splat = FoldSplats(op, rewriter)) return splat;
  const Shape& shape = op.result()->shape();
  int64_t largest = 0;
  for (const Value* operand : op.operands()) {
    largest = std::max(largest, operand->shape().element_count());
  }
  // A broadcast is cheaper than what it makes.
  const bool grows = shape.element_count() > 8 * std::max<int64_t>(largest, 8);
  if (grows || shape.element_count() > kMaxResultElements ||
      largest > kMaxOperandElements) {
    return nullptr;
  }
  std::vector<Literal> literals;
  std::vector<LiteralView> operands;
  for (const Value* operand : op.operands()) {
    literals.push_back(ConstantOf(operand)->ToLiteral());
  }
  for (const Literal& literal : literals) operands.push_back(literal);
  std::optional<Literal> result = Evaluated(op, operands, shape);
  if (!result.has_value()) return nullptr;
  Attribute::Elements value;
  value.shape = shape;
  value.values = std::make_shared<const Literal>(*std::move(result));
  return rewriter.CreateConstant(std::move(value));
}

}  // namespace

Pass FoldConstants() {
  return {"fold_constants", [](Module& module) {
            Rewriter({Fold}).Run(module);
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
