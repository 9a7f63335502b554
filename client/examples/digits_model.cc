#include "client/examples/digits_model.h"

#include <cmath>

#include "client/examples/digits_data.h"
#include "client/examples/split_mix.h"
#include "client/ops.h"

namespace lockstep {
namespace {

constexpr int kHiddenUnits = 32;

// Uniform within the limit of Glorot and Bengio (2010).
Array RandomWeights(int inputs, int outputs, SplitMix& random) {
  const float limit = std::sqrt(6.0f / static_cast<float>(inputs + outputs));
  Literal weights(Shape(ElementType::kF32, {inputs, outputs}));
  for (float& weight : weights.mutable_data<float>()) {
    weight = random.NextWithin(limit);
  }
  return weights;
}

Array Zeros(std::initializer_list<int64_t> dims) {
  return Literal(Shape(ElementType::kF32, dims));
}

struct Activations {
  Tensor hidden;  // (rows, 32)
  Tensor logits;  // (rows, 10)
};

Activations Forward(const Parameters& p, const Tensor& pixels) {
  const Tensor hidden = maximum(matmul(pixels, p.at("w1")) + p.at("b1"), 0);
  return {hidden, matmul(hidden, p.at("w2")) + p.at("b2")};
}

}  // namespace

ParameterArrays InitialParameters() {
  SplitMix random(1);
  const Array w1 = RandomWeights(kDigitPixels, kHiddenUnits, random);
  const Array w2 = RandomWeights(kHiddenUnits, kDigitClasses, random);
  return {{"w1", w1},
          {"b1", Zeros({kHiddenUnits})},
          {"w2", w2},
          {"b2", Zeros({kDigitClasses})}};
}

ParameterArrays ZeroParameters() {
  return {{"w1", Zeros({kDigitPixels, kHiddenUnits})},
          {"b1", Zeros({kHiddenUnits})},
          {"w2", Zeros({kHiddenUnits, kDigitClasses})},
          {"b2", Zeros({kDigitClasses})}};
}

LossAndGradients SumOfLosses(const Parameters& p, const DigitBatch& batch) {
  const auto [hidden, logits] = Forward(p, batch.pixels);
  const Tensor shifted = logits - max(logits, 1, /*keep_dims=*/true);
  const Tensor exponentials = exp(shifted);
  const Tensor total = sum(exponentials, 1, /*keep_dims=*/true);
  const Tensor expected = one_hot(batch.labels, kDigitClasses);
  const Tensor weights = expand_dims(batch.weights, 1);

  LossAndGradients result;
  result.loss = sum((log(total) - sum(shifted * expected, 1, true)) * weights);
  // Backwards, by hand.
  const Tensor d_logits = (exponentials / total - expected) * weights;
  const Tensor d_hidden =
      where(hidden > 0, matmul(d_logits, transpose(p.at("w2"))), 0);
  result.gradients = {{"w1", matmul(transpose(batch.pixels), d_hidden)},
                      {"b1", sum(d_hidden, 0)},
                      {"w2", matmul(transpose(hidden), d_logits)},
                      {"b2", sum(d_logits, 0)}};
  return result;
}

Tensor SumOfHits(const Parameters& p, const DigitBatch& batch) {
  const Tensor guesses = argmax(Forward(p, batch.pixels).logits, 1);
  return sum(where(guesses == batch.labels, batch.weights, 0));
}

}  // namespace lockstep
