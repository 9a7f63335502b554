#ifndef LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_TRAINING_H_
#define LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_TRAINING_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/examples/transformer_parameters.h"
#include "client/lockstep.h"

namespace lockstep::examples {

struct TransformerOptions {
  TransformerSizes sizes = {};
  std::string layout = "fsdp";
  int64_t batch_size = 32;
  // The step that training ends behind.
  int64_t steps = 100;
  // Where the state goes after the last step; "": nowhere.
  std::string checkpoint = {};
  // Begins with the state that is there, whatever layout it was saved from.
  bool resumes = false;
  // After every step, counted from 1, on the caller's thread. May be empty.
  std::function<void(int64_t step, double loss)> on_step = {};
};

// Trains on all devices of the cluster (host view): every host makes the same
// call. Gives the losses of the steps that were done here, each before its
// step; the same on every host. Errors are those of MakeTransformerLayout, of
// jit and of checkpoints; INVALID_ARGUMENT: to resume without a checkpoint.
absl::StatusOr<std::vector<double>> TrainTransformer(
    const TransformerOptions& options);

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_TRAINING_H_
