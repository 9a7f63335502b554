#ifndef LOCKSTEP_CLIENT_EXAMPLES_DIGITS_TRAINING_H_
#define LOCKSTEP_CLIENT_EXAMPLES_DIGITS_TRAINING_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "client/examples/digits_batches.h"
#include "client/examples/digits_data.h"
#include "client/lockstep.h"

namespace lockstep::examples {

struct TrainingProgress {
  int epoch = 0;  // from 1
  int epochs = 0;
  int step = 0;  // of this epoch, from 1
  int steps = 0;
  std::optional<double> epoch_loss;  // after the last step of the epoch
};

struct TrainingOptions {
  int epochs = 25;
  int64_t batch_size = 240;
  // Where it runs; null: this host, by Initialize.
  std::shared_ptr<View> view = {};
  DeviceShare share = {};
  // After every step, on the caller's thread. May be empty.
  std::function<void(const TrainingProgress&)> on_step = {};
};

struct TrainingResult {
  std::vector<double> losses;  // mean over the images, per epoch
  int64_t correct = 0;         // of the test set
  int64_t tested = 0;

  double accuracy() const {
    return static_cast<double>(correct) / static_cast<double>(tested);
  }
};

// The share of a program that drives all devices of `client`, and of one that
// has called Initialize.
DeviceShare GlobalViewShare(const Client& client);
DeviceShare HostViewShare();

// Trains the model on all devices and tests it. The parameters stay on the
// devices from the first step to the test. Errors are those of the launches.
absl::StatusOr<TrainingResult> TrainOnDigits(const DigitSplit& digits,
                                             const TrainingOptions& options);

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_DIGITS_TRAINING_H_
