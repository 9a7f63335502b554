#include "client/examples/digits_training.h"

#include <cmath>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "client/examples/digits_model.h"
#include "client/status_macros.h"

namespace lockstep::examples {
namespace {

absl::StatusOr<double> ScalarOf(const Array& array) {
  LOCKSTEP_ASSIGN_OR_RETURN(const std::vector<float> values,
                            array.ToVector<float>());
  return values[0];
}

// The mean over the images of an epoch; waits for its steps.
absl::StatusOr<double> MeanLoss(const std::vector<Array>& step_losses,
                                const std::vector<DigitBatch>& batches) {
  double sum = 0;
  int64_t images = 0;
  for (size_t i = 0; i < step_losses.size(); ++i) {
    LOCKSTEP_ASSIGN_OR_RETURN(const double loss, ScalarOf(step_losses[i]));
    sum += loss * static_cast<double>(batches[i].size);
    images += batches[i].size;
  }
  return sum / static_cast<double>(images);
}

class Trainer {
 public:
  explicit Trainer(const TrainingOptions& options)
      : options_(options),
        parameters_(InitialParameters()),
        velocity_(InitialVelocity()),
        step_(pmap(TrainingStep,
                   {.axis_name = kDigitsAxis,
                    .in_axes = {std::nullopt, std::nullopt, 0, 0, 0},
                    .out_axes = std::nullopt,
                    .donate_argnums = {0, 1},
                    .name = "training_step",
                    .view = options.view})),
        count_correct_(pmap(CountCorrect, {.axis_name = kDigitsAxis,
                                           .in_axes = {std::nullopt, 0, 0, 0},
                                           .out_axes = std::nullopt,
                                           .name = "count_correct",
                                           .view = options.view})) {}

  absl::StatusOr<double> RunEpoch(int epoch,
                                  const std::vector<DigitBatch>& batches) {
    TrainingProgress progress{.epoch = epoch,
                              .epochs = options_.epochs,
                              .step = 0,
                              .steps = static_cast<int>(batches.size()),
                              .epoch_loss = std::nullopt};
    std::vector<Array> losses;
    for (const DigitBatch& batch : batches) {
      LOCKSTEP_ASSIGN_OR_RETURN(
          auto result, step_(parameters_, velocity_, batch.images, batch.labels,
                             batch.weights));
      Array loss;
      std::tie(parameters_, velocity_, loss) = std::move(result);
      losses.push_back(std::move(loss));
      if (++progress.step < progress.steps) Report(progress);
    }
    LOCKSTEP_ASSIGN_OR_RETURN(progress.epoch_loss, MeanLoss(losses, batches));
    Report(progress);
    return *progress.epoch_loss;
  }

  absl::StatusOr<int64_t> CountCorrectOf(const DigitBatch& batch) {
    LOCKSTEP_ASSIGN_OR_RETURN(
        const Array count,
        count_correct_(parameters_, batch.images, batch.labels, batch.weights));
    LOCKSTEP_ASSIGN_OR_RETURN(const double correct, ScalarOf(count));
    return std::lround(correct);
  }

 private:
  void Report(const TrainingProgress& progress) const {
    if (options_.on_step) options_.on_step(progress);
  }

  const TrainingOptions& options_;
  DigitParameters parameters_;
  DigitParameters velocity_;
  MappedFunction<decltype(&TrainingStep)> step_;
  MappedFunction<decltype(&CountCorrect)> count_correct_;
};

absl::Status CheckOptions(const DigitSplit& digits,
                          const TrainingOptions& options) {
  if (options.epochs < 1 || options.batch_size < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at least 1 epoch of batches of at least 1 image, found ",
        options.epochs, " and ", options.batch_size));
  }
  if (digits.training.empty() || digits.test.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected images to train on and to test with, found ",
                     digits.training.size(), " and ", digits.test.size()));
  }
  return absl::OkStatus();
}

}  // namespace

DeviceShare GlobalViewShare(const Client& client) {
  return {.begin = 0,
          .count = client.device_count(),
          .total = client.device_count()};
}

DeviceShare HostViewShare() {
  // Hosts have their devices in a row, in order of their ids.
  int64_t begin = 0;
  for (const Device& device : devices()) {
    if (device.host.value() < host_id()) ++begin;
  }
  return {
      .begin = begin, .count = local_device_count(), .total = device_count()};
}

absl::StatusOr<TrainingResult> TrainOnDigits(const DigitSplit& digits,
                                             const TrainingOptions& options) {
  LOCKSTEP_RETURN_IF_ERROR(CheckOptions(digits, options));
  const std::vector<DigitBatch> batches =
      MakeBatches(digits.training, options.batch_size, options.share);
  Trainer trainer(options);
  TrainingResult result;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    LOCKSTEP_ASSIGN_OR_RETURN(const double loss,
                              trainer.RunEpoch(epoch, batches));
    result.losses.push_back(loss);
  }
  for (const DigitBatch& batch :
       MakeBatches(digits.test, options.batch_size, options.share)) {
    LOCKSTEP_ASSIGN_OR_RETURN(const int64_t correct,
                              trainer.CountCorrectOf(batch));
    result.correct += correct;
    result.tested += batch.size;
  }
  return result;
}

}  // namespace lockstep::examples
