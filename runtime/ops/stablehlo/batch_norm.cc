#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/element_types.h"
#include "runtime/ops/op_expansion.h"

namespace lockstep::internal {
namespace {

// What the three ops say: operand 0 and, in a tensor of one dimension, an
// element for each of its features.
struct BatchNorm {
  const Op& op;
  Value* operand;
  int64_t feature_dim = 0;
  double epsilon = 0;

  const Shape& shape() const { return operand->shape(); }
  Shape FeatureShape() const {
    return Shape(shape().element_type(), {shape().dim(feature_dim)});
  }
};

absl::StatusOr<BatchNorm> ReadBatchNorm(const Op& op) {
  BatchNorm norm{op, op.operand(0)};
  ASSIGN_OR_RETURN(norm.feature_dim, op.IntegerAttribute("feature_index"));
  RETURN_IF_ERROR(
      CheckDim(op, "feature_index", norm.feature_dim, norm.shape().rank()));
  const Attribute* epsilon = op.attribute("epsilon");
  const auto* value =
      epsilon == nullptr ? nullptr : epsilon->As<Attribute::Float>();
  if (value == nullptr) return op.Error("epsilon: expected a float");
  norm.epsilon = value->value;
  return norm;
}

// `features` operands from the second one on have an element per feature.
absl::StatusOr<BatchNorm> CheckBatchNorm(const Op& op, int operand_count,
                                         int features) {
  RETURN_IF_ERROR(CheckOperandCount(op, operand_count));
  RETURN_IF_ERROR(CheckElementType(op, 0, kFloatTypes));
  ASSIGN_OR_RETURN(const BatchNorm norm, ReadBatchNorm(op));
  for (int i = 1; i < operand_count; ++i) {
    const Shape expected = i <= features ? norm.FeatureShape() : norm.shape();
    if (op.operand(i)->shape() == expected) continue;
    return op.Error(absl::StrCat("operand ", i, ": expected ",
                                 expected.ToString(), ", found ",
                                 op.operand(i)->shape().ToString()));
  }
  return norm;
}

absl::StatusOr<std::vector<Type>> InferInference(const Op& op) {
  ASSIGN_OR_RETURN(const BatchNorm norm, CheckBatchNorm(op, 5, 4));
  return std::vector<Type>{norm.shape()};
}
absl::StatusOr<std::vector<Type>> InferTraining(const Op& op) {
  ASSIGN_OR_RETURN(const BatchNorm norm, CheckBatchNorm(op, 3, 2));
  return std::vector<Type>{norm.shape(), norm.FeatureShape(),
                           norm.FeatureShape()};
}
absl::StatusOr<std::vector<Type>> InferGrad(const Op& op) {
  ASSIGN_OR_RETURN(const BatchNorm norm, CheckBatchNorm(op, 5, 3));
  return std::vector<Type>{norm.shape(), norm.FeatureShape(),
                           norm.FeatureShape()};
}

// Writes the definitions of the specification down.
class BatchNormExpansion {
 public:
  BatchNormExpansion(const BatchNorm& norm, ExpansionBuilder& builder)
      : norm_(norm), builder_(builder) {}

  Value* Normalized(Value* scale, Value* offset, Value* mean, Value* variance) {
    return Add(Multiply(OfFeatures(scale),
                        Divide(Centered(mean), Deviation(variance))),
               OfFeatures(offset));
  }

  std::vector<Value*> Training(Value* scale, Value* offset) {
    Value* mean = Mean(norm_.operand);
    Value* centered = Centered(mean);
    Value* variance = Mean(Multiply(centered, centered));
    return {Normalized(scale, offset, mean, variance), mean, variance};
  }

  std::vector<Value*> Gradients(Value* scale, Value* mean, Value* variance,
                                Value* gradient) {
    Value* centered = Centered(mean);
    Value* deviation = Deviation(variance);
    Value* count = builder_.Splat(norm_.shape(), ElementsPerFeature());
    Value* grad_offset = Sum(gradient);
    Value* grad_scale = Sum(Multiply(gradient, Divide(centered, deviation)));
    Value* centered_sum = OfFeatures(Sum(Multiply(gradient, centered)));
    Value* along =
        Divide(Multiply(centered_sum, centered), WithEpsilon(variance));
    Value* rest = Subtract(
        Subtract(Multiply(gradient, count), OfFeatures(grad_offset)), along);
    Value* factor = Divide(Divide(OfFeatures(scale), deviation), count);
    return {Multiply(factor, rest), grad_scale, grad_offset};
  }

 private:
  Value* Add(Value* a, Value* b) { return builder_.Elementwise("add", {a, b}); }
  Value* Subtract(Value* a, Value* b) {
    return builder_.Elementwise("subtract", {a, b});
  }
  Value* Multiply(Value* a, Value* b) {
    return builder_.Elementwise("multiply", {a, b});
  }
  Value* Divide(Value* a, Value* b) {
    return builder_.Elementwise("divide", {a, b});
  }
  Value* OfFeatures(Value* features) {
    return builder_.Broadcast(features, {norm_.feature_dim},
                              norm_.shape().dims());
  }
  Value* Centered(Value* mean) {
    return Subtract(norm_.operand, OfFeatures(mean));
  }
  Value* WithEpsilon(Value* variance) {
    return Add(OfFeatures(variance),
               builder_.Splat(norm_.shape(), norm_.epsilon));
  }
  Value* Deviation(Value* variance) {
    return builder_.Elementwise("sqrt", {WithEpsilon(variance)});
  }
  double ElementsPerFeature() const {
    const int64_t features = norm_.shape().dim(norm_.feature_dim);
    return features == 0 ? 0
                         : static_cast<double>(norm_.shape().element_count()) /
                               static_cast<double>(features);
  }
  Value* Sum(Value* value) {
    std::vector<int64_t> dims;
    for (int64_t i = 0; i < norm_.shape().rank(); ++i) {
      if (i != norm_.feature_dim) dims.push_back(i);
    }
    return builder_.Sum(value, dims);
  }
  Value* Mean(Value* value) {
    Value* sum = Sum(value);
    return Divide(sum, builder_.Splat(sum->shape(), ElementsPerFeature()));
  }

  const BatchNorm& norm_;
  ExpansionBuilder& builder_;
};

absl::StatusOr<std::vector<Value*>> ExpandInference(const Op& op,
                                                    ExpansionBuilder& builder) {
  ASSIGN_OR_RETURN(const BatchNorm norm, ReadBatchNorm(op));
  return std::vector<Value*>{BatchNormExpansion(norm, builder)
                                 .Normalized(op.operand(1), op.operand(2),
                                             op.operand(3), op.operand(4))};
}
absl::StatusOr<std::vector<Value*>> ExpandTraining(const Op& op,
                                                   ExpansionBuilder& builder) {
  ASSIGN_OR_RETURN(const BatchNorm norm, ReadBatchNorm(op));
  return BatchNormExpansion(norm, builder)
      .Training(op.operand(1), op.operand(2));
}
absl::StatusOr<std::vector<Value*>> ExpandGrad(const Op& op,
                                               ExpansionBuilder& builder) {
  ASSIGN_OR_RETURN(const BatchNorm norm, ReadBatchNorm(op));
  return BatchNormExpansion(norm, builder)
      .Gradients(op.operand(1), op.operand(2), op.operand(3), op.operand(4));
}

absl::StatusOr<OpShardingRule> InferenceRule(const Op& op,
                                             const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const BatchNorm norm, ReadBatchNorm(op));
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < norm.shape().rank(); ++dim) {
    auto factor =
        rule.Add(norm.shape().dim(dim)).Operand(0, dim).Result(0, dim);
    if (dim == norm.feature_dim) factor.Operands(1, 4, 0);
  }
  return rule.Build();
}

// batch_norm_inference: (operand - mean) / sqrt(variance + epsilon) * scale +
// offset, feature by feature.
//   (I1) operand: a float tensor. (I2) scale. (I3) offset. (I4) mean.
//   (I5) variance. (I6) epsilon. (I7) feature_index (C1).
//   (C2-C7) I2-I5 have an element per feature, of the operand's element type.
REGISTER_EXPANDED_OP(OpDef("stablehlo.batch_norm_inference",
                           OpKind::kElementwise)
                         .Infer(InferInference)
                         .Sharding(InferenceRule),
                     ExpandInference);

// batch_norm_training: the same with the operand's own mean and variance, which
// are the second and the third result.
//   (I1) operand. (I2) scale. (I3) offset. (I4) epsilon. (I5) feature_index.
REGISTER_EXPANDED_OP(OpDef("stablehlo.batch_norm_training", OpKind::kReduce)
                         .Infer(InferTraining),
                     ExpandTraining);

// batch_norm_grad: the gradients of operand, scale and offset.
//   (I1) operand. (I2) scale. (I3) mean. (I4) variance. (I5) grad_output: of
//   the operand's type. (I6) epsilon. (I7) feature_index.
REGISTER_EXPANDED_OP(
    OpDef("stablehlo.batch_norm_grad", OpKind::kReduce).Infer(InferGrad),
    ExpandGrad);

}  // namespace
}  // namespace lockstep::internal
