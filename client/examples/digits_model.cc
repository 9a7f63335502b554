#include "client/examples/digits_model.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "client/examples/digits_data.h"
#include "client/examples/split_mix.h"

namespace lockstep::examples {
namespace {

constexpr int kHidden = 32;
constexpr float kLearningRate = 0.2f;
constexpr float kMomentum = 0.9f;
constexpr uint64_t kInitialSeed = 1;

Literal GlorotUniform(int64_t inputs, int64_t outputs, SplitMix& random) {
  const float limit = std::sqrt(6.0f / static_cast<float>(inputs + outputs));
  std::vector<float> values(inputs * outputs);
  for (float& value : values) value = random.NextWithin(limit);
  return Literal::FromValues<float>({inputs, outputs},
                                    absl::MakeConstSpan(values));
}

Array Zeros(const Shape& shape) { return Literal(shape); }

struct Activations {
  Tensor hidden;             // [rows, 32]
  Tensor log_probabilities;  // [rows, 10]
};

Activations Forward(const DigitTensors& parameters, const Tensor& images) {
  const Tensor hidden =
      tanh(matmul(images, parameters.at("weights1")) + parameters.at("bias1"));
  const Tensor logits =
      matmul(hidden, parameters.at("weights2")) + parameters.at("bias2");
  const Tensor shifted = logits - max(logits, -1, /*keep_dims=*/true);
  return {hidden, shifted - log(sum(exp(shifted), -1, /*keep_dims=*/true))};
}

// Of the mean loss: `scale` [rows, 1] is each image's part of the mean.
DigitTensors Gradients(const DigitTensors& parameters, const Tensor& images,
                       const Tensor& targets, const Activations& activations,
                       const Tensor& scale) {
  const Tensor& hidden = activations.hidden;
  const Tensor d_logits =
      (exp(activations.log_probabilities) - targets) * scale;
  const Tensor d_hidden =
      matmul(d_logits, transpose(parameters.at("weights2"))) *
      (1.0f - square(hidden));
  return {{"weights1", matmul(transpose(images), d_hidden)},
          {"bias1", sum(d_hidden, 0)},
          {"weights2", matmul(transpose(hidden), d_logits)},
          {"bias2", sum(d_logits, 0)}};
}

}  // namespace

DigitParameters InitialParameters() {
  SplitMix random(kInitialSeed);
  const Array weights1 = GlorotUniform(kDigitPixels, kHidden, random);
  const Array weights2 = GlorotUniform(kHidden, kDigitClasses, random);
  return {{"weights1", weights1},
          {"bias1", Zeros(Shape(ElementType::kF32, {kHidden}))},
          {"weights2", weights2},
          {"bias2", Zeros(Shape(ElementType::kF32, {kDigitClasses}))}};
}

DigitParameters InitialVelocity() {
  DigitParameters velocity = InitialParameters();
  for (auto& [name, value] : velocity) value = Zeros(value.shape());
  return velocity;
}

std::tuple<DigitTensors, DigitTensors, Tensor> TrainingStep(
    const DigitTensors& parameters, const DigitTensors& velocity,
    const Tensor& images, const Tensor& labels, const Tensor& weights) {
  const Activations activations = Forward(parameters, images);
  const Tensor targets = one_hot(labels, kDigitClasses);
  const Tensor scale =
      expand_dims(weights / psum(sum(weights), kDigitsAxis), 1);
  const Tensor loss =
      psum(-sum(targets * activations.log_probabilities * scale), kDigitsAxis);
  const DigitTensors gradients =
      Gradients(parameters, images, targets, activations, scale);

  DigitTensors next_parameters;
  DigitTensors next_velocity;
  for (const auto& [name, gradient] : gradients) {
    next_velocity[name] = kMomentum * velocity.at(name) -
                          kLearningRate * psum(gradient, kDigitsAxis);
    next_parameters[name] = parameters.at(name) + next_velocity[name];
  }
  return {next_parameters, next_velocity, loss};
}

Tensor CountCorrect(const DigitTensors& parameters, const Tensor& images,
                    const Tensor& labels, const Tensor& weights) {
  const Tensor predicted =
      argmax(Forward(parameters, images).log_probabilities, 1);
  return psum(sum(where(predicted == labels, weights, 0.0f)), kDigitsAxis);
}

}  // namespace lockstep::examples
