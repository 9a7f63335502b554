#ifndef LOCKSTEP_CLIENT_EXAMPLES_DIGITS_MODEL_H_
#define LOCKSTEP_CLIENT_EXAMPLES_DIGITS_MODEL_H_

#include <map>
#include <string>
#include <vector>

#include "client/array.h"
#include "client/tensor.h"

namespace lockstep {

// A classifier with one hidden layer: 64 pixels, 32 rectified units, 10
// classes. Parameters by name: "w1" (64, 32), "b1", "w2" (32, 10), "b2".
using Parameters = std::map<std::string, Tensor>;
using ParameterArrays = std::map<std::string, Array>;

// Random weights, the same everywhere; biases and everything of
// ZeroParameters are 0.
ParameterArrays InitialParameters();
ParameterArrays ZeroParameters();

// Rows of images, one after the other. Rows of weight 0 do not count.
struct DigitBatch {
  Tensor pixels;   // (rows, 64), standardised
  Tensor labels;   // (rows), s32
  Tensor weights;  // (rows)
};

// The sums over the rows of a batch.
struct LossAndGradients {
  Tensor loss;  // of the cross entropies, weighted
  Parameters gradients;
};
LossAndGradients SumOfLosses(const Parameters& parameters,
                             const DigitBatch& batch);

// The weight of the rows that are classified rightly.
Tensor SumOfHits(const Parameters& parameters, const DigitBatch& batch);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_EXAMPLES_DIGITS_MODEL_H_
