#include "client/examples/transformer_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "client/examples/split_mix.h"
#include "client/examples/transformer_data.h"
#include "client/examples/transformer_layers.h"

namespace lockstep::examples {
namespace {

constexpr TransformerSizes kSmall = {.vocabulary = 7,
                                     .length = 5,
                                     .width = 6,
                                     .heads = 2,
                                     .hidden = 10,
                                     .blocks = 2};

// In f64 a central difference of step 1e-5 is off by its square, and by the
// rounding of the loss, 1e-16, divided by it: about 1e-10 both.
constexpr double kDifferenceStep = 1e-5;
constexpr double kTolerance = 1e-7;

using Parameters = TransformerParameters<Array>;

Array Doubles(const Shape& shape, const std::vector<double>& values) {
  return *Array::FromValues({shape.dims().begin(), shape.dims().end()}, values);
}

Parameters InitialInF64() {
  return tree_map(
      [](const Array& x) {
        const std::vector<float> values = *x.ToVector<float>();
        return Doubles(x.shape(), {values.begin(), values.end()});
      },
      InitialTransformerParameters(kSmall));
}

Array Tokens() {
  return CountingBatch(0, 3, kSmall.length + 1, kSmall.vocabulary);
}

// The parameters with a multiple of the direction added to one leaf.
Parameters Moved(const Parameters& parameters, const std::string& path,
                 const std::vector<double>& direction, double by) {
  return tree_map_with_path(
      [&](const std::string& leaf, const Array& x) {
        if (leaf != path) return x;
        std::vector<double> values = *x.ToVector<double>();
        for (size_t i = 0; i < values.size(); ++i) {
          values[i] += by * direction[i];
        }
        return Doubles(x.shape(), values);
      },
      parameters);
}

TEST(TransformerModel, GradientsAreThoseOfTheLoss) {
  const auto loss = jit(TransformerLoss);
  const auto loss_of = [&](const Parameters& parameters) {
    const auto value = loss(parameters, Tokens());
    EXPECT_TRUE(value.ok()) << value.status();
    return value.ok() ? (*value->ToVector<double>())[0] : std::nan("");
  };
  const Parameters parameters = InitialInF64();
  const auto both = jit(TransformerLossAndGradients)(parameters, Tokens());
  ASSERT_TRUE(both.ok()) << both.status();
  EXPECT_EQ((*both->first.ToVector<double>())[0], loss_of(parameters));

  SplitMix random(7);
  tree_map_with_path(
      [&](const std::string& path, const Array& gradient) {
        const std::vector<double> values = *gradient.ToVector<double>();
        std::vector<double> direction;
        double slope = 0;
        for (const double value : values) {
          direction.push_back(random.NextWithin(1));
          slope += value * direction.back();
        }
        const double difference =
            loss_of(Moved(parameters, path, direction, kDifferenceStep)) -
            loss_of(Moved(parameters, path, direction, -kDifferenceStep));
        EXPECT_NEAR(difference / (2 * kDifferenceStep), slope, kTolerance)
            << path;
        EXPECT_GT(std::abs(slope), 100 * kTolerance) << path;
        return gradient;
      },
      both->second);
}

// Two batches that differ in their last input: the keys and values of the other
// positions, and so their outputs, are the same.
TEST(TransformerModel, PositionsDoNotSeeWhatComesLater) {
  const auto attend =
      jit([](const BlockParameters<Tensor>& block, const Tensor& x) {
        return Attention(x, block).output;
      });
  const BlockParameters<Array> block =
      InitialTransformerParameters(kSmall).blocks[0];
  const auto outputs = [&](float last) {
    std::vector<float> x(static_cast<size_t>(kSmall.length * kSmall.width), 1);
    x.back() = last;
    const auto output =
        attend(block, *Array::FromValues({1, kSmall.length, kSmall.width}, x));
    EXPECT_TRUE(output.ok()) << output.status();
    return output.ok() ? *output->ToVector<float>() : std::vector<float>();
  };
  std::vector<float> a = outputs(1), b = outputs(2);
  EXPECT_NE(a, b);
  a.resize(a.size() - static_cast<size_t>(kSmall.width));
  b.resize(a.size());
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace lockstep::examples
