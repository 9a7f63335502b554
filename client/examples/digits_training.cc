#include "client/examples/digits_training.h"

#include <tuple>
#include <utility>

#include "client/examples/digits_batches.h"
#include "client/examples/digits_model.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

// Batch `step` of one device's batches.
DigitBatch BatchOf(const Tensor& pixels, const Tensor& labels,
                   const Tensor& weights, const Tensor& step) {
  const int64_t rows = pixels.dim(1);
  return {.pixels = squeeze(
              dynamic_slice(pixels, {step, 0, 0}, {1, rows, kDigitPixels}), 0),
          .labels = squeeze(dynamic_slice(labels, {step, 0}, {1, rows}), 0),
          .weights = squeeze(dynamic_slice(weights, {step, 0}, {1, rows}), 0)};
}

// One step of gradient descent with momentum. Everything but the data is the
// same on all devices, and stays so.
auto MakeStep(const TrainingOptions& options, const TrainingDevices& devices) {
  const auto step = [=](Parameters parameters, Parameters velocity,
                        Tensor pixels, Tensor labels, Tensor weights,
                        Tensor number) {
    const DigitBatch batch = BatchOf(pixels, labels, weights, number);
    const LossAndGradients local = SumOfLosses(parameters, batch);
    const Tensor images = psum(sum(batch.weights), "devices");
    for (auto& [name, parameter] : parameters) {
      const Tensor gradient =
          psum(local.gradients.at(name), "devices") / images;
      Tensor& v = velocity[name];
      v = options.momentum * v + gradient;
      parameter -= options.learning_rate * v;
    }
    const Tensor loss = psum(local.loss, "devices");
    return std::tuple(parameters, velocity, loss);
  };
  PmapOptions pmap_options;
  pmap_options.axis_name = "devices";
  pmap_options.name = "train_digits";
  pmap_options.in_axes = {std::nullopt, std::nullopt, 0, 0, 0, std::nullopt};
  pmap_options.out_axes = std::nullopt;
  pmap_options.donate_argnums = {0, 1};
  pmap_options.view = devices.view;
  return pmap(step, pmap_options);
}

absl::StatusOr<float> Accuracy(const ParameterArrays& parameters,
                               const std::vector<Digit>& digits,
                               const PixelScale& scale,
                               const TrainingDevices& devices) {
  const int64_t size = static_cast<int64_t>(digits.size());
  const DeviceBatches test = MakeBatches(digits, scale, size, devices.count,
                                         devices.first, devices.addressable);
  PmapOptions options;
  options.axis_name = "devices";
  options.name = "test_digits";
  options.in_axes = {std::nullopt, 0, 0, 0};
  options.out_axes = std::nullopt;
  options.view = devices.view;
  auto count_hits = pmap(
      [](Parameters p, Tensor pixels, Tensor labels, Tensor weights) {
        const DigitBatch batch{squeeze(pixels, 0), squeeze(labels, 0),
                               squeeze(weights, 0)};
        return psum(SumOfHits(p, batch), "devices");
      },
      options);
  ASSIGN_OR_RETURN(const Array hits, count_hits(parameters, test.pixels,
                                                test.labels, test.weights));
  ASSIGN_OR_RETURN(const auto count, hits.ToVector<float>());
  return count[0] / static_cast<float>(size);
}

absl::StatusOr<float> Total(const std::vector<Array>& losses) {
  float total = 0;
  for (const Array& loss : losses) {
    ASSIGN_OR_RETURN(const auto value, loss.ToVector<float>());
    total += value[0];
  }
  return total;
}

}  // namespace

absl::StatusOr<TrainingResult> TrainDigits(const DigitSplit& digits,
                                           const TrainingDevices& devices,
                                           const TrainingOptions& options) {
  const PixelScale scale = ScaleOf(digits.training);
  const DeviceBatches data =
      MakeBatches(digits.training, scale, options.batch_size, devices.count,
                  devices.first, devices.addressable);
  const auto step = MakeStep(options, devices);
  ParameterArrays parameters = InitialParameters();
  ParameterArrays velocity = ZeroParameters();
  TrainingResult result;
  int64_t done = 0;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    std::vector<Array> losses;
    for (int32_t batch = 0; batch < data.batches; ++batch) {
      ASSIGN_OR_RETURN(auto next, step(parameters, velocity, data.pixels,
                                       data.labels, data.weights, batch));
      parameters = std::get<0>(std::move(next));
      velocity = std::get<1>(std::move(next));
      losses.push_back(std::get<2>(std::move(next)));
      if (options.on_step) {
        options.on_step(++done, options.epochs * data.batches);
      }
    }
    ASSIGN_OR_RETURN(const float total, Total(losses));
    result.losses.push_back(total / static_cast<float>(digits.training.size()));
    if (options.on_epoch) options.on_epoch(epoch, result.losses.back());
  }
  ASSIGN_OR_RETURN(result.test_accuracy,
                   Accuracy(parameters, digits.test, scale, devices));
  return result;
}

}  // namespace lockstep
