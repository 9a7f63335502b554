#ifndef LOCKSTEP_CLIENT_EXAMPLES_DIGITS_MODEL_H_
#define LOCKSTEP_CLIENT_EXAMPLES_DIGITS_MODEL_H_

#include <map>
#include <string>
#include <tuple>

#include "client/lockstep.h"

// A classifier of two layers (64 pixels, 32 hidden units with tanh, 10
// classes), trained with softmax cross entropy by gradient descent with
// momentum. The functions on tensors are what runs on one device; they meet the
// other devices along the axis kDigitsAxis.

namespace lockstep::examples {

inline constexpr char kDigitsAxis[] = "batch";

// "weights1" [64, 32], "bias1" [32], "weights2" [32, 10], "bias2" [10]; f32.
using DigitParameters = std::map<std::string, Array>;
using DigitTensors = std::map<std::string, Tensor>;

// Uniform within Glorot's limits; biases 0. The same on every host.
DigitParameters InitialParameters();
// All zeros.
DigitParameters InitialVelocity();

// One step on this device's part of a batch: images f32 [rows, 64], labels s32
// [rows], weights f32 [rows]. Loss and gradients are sums over all devices
// divided by the sum of all weights, so parameters stay equal everywhere.
// Returns the parameters, the velocity, and the loss before the step.
std::tuple<DigitTensors, DigitTensors, Tensor> TrainingStep(
    const DigitTensors& parameters, const DigitTensors& velocity,
    const Tensor& images, const Tensor& labels, const Tensor& weights);

// The sum of the weights, over all devices, of the images whose most probable
// class is their label.
Tensor CountCorrect(const DigitTensors& parameters, const Tensor& images,
                    const Tensor& labels, const Tensor& weights);

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_DIGITS_MODEL_H_
