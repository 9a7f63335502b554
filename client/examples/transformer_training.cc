#include "client/examples/transformer_training.h"

#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "client/examples/transformer_data.h"
#include "client/examples/transformer_layouts.h"
#include "client/examples/transformer_model.h"

namespace lockstep::examples {
namespace {

using State = TransformerState<Array>;

// Laid out for the program: from the checkpoint, or new.
absl::StatusOr<State> FirstState(const TransformerOptions& options,
                                 const TransformerLayout& layout) {
  const State initial = InitialTransformerState(options.sizes);
  LOCKSTEP_ASSIGN_OR_RETURN(
      const Tree<NamedSharding> shardings,
      match_sharding_rule(layout.state, initial, layout.mesh));
  if (!options.resumes) return device_put(initial, shardings);
  return restore(options.checkpoint, initial, shardings);
}

absl::StatusOr<int64_t> StepsDone(const State& state) {
  LOCKSTEP_ASSIGN_OR_RETURN(const std::vector<int32_t> step,
                            state.step.ToVector<int32_t>());
  return step[0];
}

}  // namespace

absl::StatusOr<std::vector<double>> TrainTransformer(
    const TransformerOptions& options) {
  if (options.resumes && options.checkpoint.empty()) {
    return absl::InvalidArgumentError("to resume needs a checkpoint");
  }
  LOCKSTEP_ASSIGN_OR_RETURN(const TransformerLayout layout,
                            MakeTransformerLayout(options.layout, devices()));
  LOCKSTEP_ASSIGN_OR_RETURN(State state, FirstState(options, layout));
  LOCKSTEP_ASSIGN_OR_RETURN(const int64_t done, StepsDone(state));
  const auto step = sjit(TransformerStep, layout.mesh,
                         {.in_shardings = {layout.state, layout.batch},
                          .out_shardings = {layout.state, PartitionSpec()},
                          .donate_argnums = {0},
                          .annotation_shardings = layout.annotations,
                          .name = "transformer_step"});
  std::vector<double> losses;
  for (int64_t i = done; i < options.steps; ++i) {
    Array loss;
    LOCKSTEP_ASSIGN_OR_RETURN(
        std::tie(state, loss),
        step(state,
             CountingBatch(i, options.batch_size, options.sizes.length + 1,
                           options.sizes.vocabulary)));
    LOCKSTEP_ASSIGN_OR_RETURN(const std::vector<float> value,
                              loss.ToVector<float>());
    losses.push_back(value[0]);
    if (options.on_step) options.on_step(i + 1, losses.back());
  }
  if (!options.checkpoint.empty()) {
    LOCKSTEP_RETURN_IF_ERROR(save(options.checkpoint, state));
  }
  return losses;
}

}  // namespace lockstep::examples
