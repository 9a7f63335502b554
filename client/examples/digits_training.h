#ifndef LOCKSTEP_CLIENT_EXAMPLES_DIGITS_TRAINING_H_
#define LOCKSTEP_CLIENT_EXAMPLES_DIGITS_TRAINING_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "client/examples/digits_data.h"
#include "client/lockstep.h"

namespace lockstep {

struct TrainingOptions {
  int epochs = 20;
  int64_t batch_size = 240;  // over all devices
  float learning_rate = 0.1f;
  float momentum = 0.9f;
  // Called after each step, with the numbers done and in all.
  std::function<void(int64_t done, int64_t total)> on_step = {};
  // Called after each epoch, from 1, with the mean loss of its images.
  std::function<void(int epoch, float loss)> on_epoch = {};
};

// The devices that train, and those whose data this program passes: all of them
// in the global view, its own in the host view.
struct TrainingDevices {
  std::shared_ptr<View> view;  // null: the host view
  int64_t count = 0;
  int64_t first = 0;
  int64_t addressable = 0;
};

struct TrainingResult {
  std::vector<float> losses;  // by epoch
  float test_accuracy = 0;
};

// Trains the classifier of digits_model.h, data-parallel: every device computes
// the gradients of its part of a batch, and psum adds them up. The mathematics
// do not depend on the number of devices.
absl::StatusOr<TrainingResult> TrainDigits(const DigitSplit& digits,
                                           const TrainingDevices& devices,
                                           const TrainingOptions& options);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_EXAMPLES_DIGITS_TRAINING_H_
