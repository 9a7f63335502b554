// One host of a program that does what training does: batches that are uneven
// between hosts, mapped functions, arrays of global shape, operations on them,
// checkpoints in the folder CHECKPOINT_FOLDER. Joins the cluster by its
// environment and runs the scenario that its argument names; prints the loss of
// each step, and at the end a digest of the state.
//
// Linear regression by least absolute errors. All numbers are small multiples
// of a power of two, also the sums, in which case float64 is exact and the
// order of additions does not matter: whole inputs, 16 rows of weight 1 in
// every batch, errors of which the gradient takes the sign, and a few steps
// with factors that are powers of two. So the losses are the same bits on any
// number of hosts and devices.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/scenario_program.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kInputs = 24;
constexpr int64_t kOutputs = 2;
constexpr int kSteps = 6;
constexpr int kSavedAfter = 3;

using Arrays = std::map<std::string, Array>;

void Print(const std::string& line) { std::cout << line << std::endl; }

// From -2 to 2; the same on every host.
double Number(int64_t a, int64_t b, int64_t c) {
  uint64_t hash = static_cast<uint64_t>((a * 1000 + b) * 1000 + c) *
                  uint64_t{0x9e3779b97f4a7c15};
  hash ^= hash >> 29;
  return static_cast<double>(static_cast<int64_t>(hash % 5) - 2);
}

// The rows of the batch that this host has, of the 16: in turns few or none.
std::vector<int64_t> OwnRows(int step) {
  static const auto& counts = *new std::map<int64_t, std::vector<int64_t>>{
      {1, {16}}, {3, {4, 10, 2}}, {4, {8, 0, 5, 3}}};
  const std::vector<int64_t>& of_hosts = counts.at(host_count());
  int64_t first = 0;
  for (int host = 0;; ++host) {
    const int64_t count = of_hosts[(host + step) % of_hosts.size()];
    if (host < host_id()) {
      first += count;
      continue;
    }
    std::vector<int64_t> rows(count);
    std::iota(rows.begin(), rows.end(), first);
    return rows;
  }
}

struct Batch {
  Array inputs;   // (devices, rows, inputs)
  Array outputs;  // (devices, rows, outputs)
  Array weights;  // (devices, rows)
};

// As many rows for each device of all hosts: those that are missing have
// weight 0, and numbers that would be noticed.
absl::StatusOr<Batch> ReadBatch(int step) {
  const std::vector<int64_t> rows = OwnRows(step);
  ASSIGN_OR_RETURN(const std::vector<Array> of_hosts,
                   process_allgather_ragged(Array(rows)));
  int64_t most = 0;
  for (const Array& each : of_hosts) most = std::max(most, each.size());
  const int64_t devices = local_device_count();
  const int64_t per_device = (most + devices - 1) / devices;
  std::vector<double> inputs(devices * per_device * kInputs, 9);
  std::vector<double> outputs(devices * per_device * kOutputs, -9);
  std::vector<double> weights(devices * per_device, 0);
  for (size_t i = 0; i < rows.size(); ++i) {
    weights[i] = 1;
    for (int64_t k = 0; k < kInputs; ++k) {
      inputs[i * kInputs + k] = Number(1, rows[i], k);
    }
    for (int64_t j = 0; j < kOutputs; ++j) {
      double sum = Number(1, rows[i], 100 + j);
      for (int64_t k = 0; k < kInputs; ++k) {
        sum += Number(1, rows[i], k) * Number(77, k, j);
      }
      outputs[i * kOutputs + j] = sum;
    }
  }
  ASSIGN_OR_RETURN(Array x, Array::FromValues<double>(
                                {devices, per_device, kInputs}, inputs));
  ASSIGN_OR_RETURN(Array y, Array::FromValues<double>(
                                {devices, per_device, kOutputs}, outputs));
  ASSIGN_OR_RETURN(Array k,
                   Array::FromValues<double>({devices, per_device}, weights));
  return Batch{std::move(x), std::move(y), std::move(k)};
}

// The loss of all rows, and its gradient.
std::tuple<Tensor, Tensor> LossAndGradient(const Tensor& parameters,
                                           const Tensor& inputs,
                                           const Tensor& outputs,
                                           const Tensor& weights) {
  const Tensor errors = matmul(inputs, parameters) - outputs;
  const Tensor scale = expand_dims(weights / psum(sum(weights), "rows"), 1);
  return {psum(sum(abs(errors) * scale), "rows"),
          psum(matmul(transpose(inputs), sign(errors) * scale), "rows")};
}

std::map<std::string, NamedSharding> ShardingsHere() {
  const int64_t count = device_count();
  const auto over = [&](PartitionSpec spec) {
    const int64_t minor = count % 2 == 0 ? 2 : 1;
    return *NamedSharding::Create(
        *Mesh::Create({{count / minor, minor}, devices()}, {"x", "y"}),
        std::move(spec));
  };
  if (host_count() == 3) {
    return {{"parameters", over(PartitionSpec("x", "y"))},
            {"velocity", over(PartitionSpec(nullptr, "y"))}};
  }
  return {{"parameters", over(PartitionSpec(AxisTuple{"x", "y"}))},
          {"velocity", over(PartitionSpec("x", "y"))}};
}

class Training {
 public:
  Training()
      : step_(pmap(LossAndGradient, {.axis_name = "rows",
                                     .in_axes = {std::nullopt, 0, 0, 0},
                                     .out_axes = std::nullopt,
                                     .name = "loss_and_gradient"})) {}

  absl::Status Begin() {
    const Array zeros(Literal(Shape(ElementType::kF64, {kInputs, kOutputs})));
    for (const auto& [name, sharding] : ShardingsHere()) {
      ASSIGN_OR_RETURN(state_[name], device_put(zeros, sharding));
    }
    return absl::OkStatus();
  }

  absl::Status Save() {
    Arrays saved = state_;
    saved.emplace("step", Array(Literal::Scalar<int64_t>(next_)));
    return save(Folder(), saved);
  }

  absl::Status Restore() {
    ASSIGN_OR_RETURN(const auto shapes, checkpoint_shapes(Folder()));
    std::map<std::string, Tree<NamedSharding>> places;
    for (const auto& [name, sharding] : ShardingsHere()) {
      places.emplace(name, sharding);
    }
    places.emplace("step", Tree<NamedSharding>());
    ASSIGN_OR_RETURN(state_, restore(Folder(), shapes, places));
    ASSIGN_OR_RETURN(const auto step, state_.at("step").ToVector<int64_t>());
    next_ = static_cast<int>(step[0]);
    state_.erase("step");
    return absl::OkStatus();
  }

  absl::Status RunUntil(int end) {
    for (; next_ < end; ++next_) {
      ASSIGN_OR_RETURN(const Batch batch, ReadBatch(next_));
      Array& parameters = state_.at("parameters");
      Array& velocity = state_.at("velocity");
      ASSIGN_OR_RETURN(const Array whole,
                       process_allgather(parameters, {.tiled = true}));
      ASSIGN_OR_RETURN(const auto result, step_(whole, batch.inputs,
                                                batch.outputs, batch.weights));
      const auto& [loss, gradient] = result;
      ASSIGN_OR_RETURN(const auto values, loss.ToVector<double>());
      Print(absl::StrFormat("loss %d: %a", next_, values[0]));
      ASSIGN_OR_RETURN(Literal of_all, gradient.Fetch());
      velocity = 0.5 * velocity + Array(std::move(of_all));
      parameters = parameters - 0.25 * velocity;
    }
    return absl::OkStatus();
  }

  // Of the parameters, which all hosts have alike.
  absl::Status PrintState() {
    for (const auto& [name, array] : state_) {
      ASSIGN_OR_RETURN(const Array whole,
                       process_allgather(array, {.tiled = true}));
      RETURN_IF_ERROR(assert_equal(whole));
      ASSIGN_OR_RETURN(const auto values, whole.ToVector<double>());
      double digest = 0;
      for (double value : values) digest = digest * 3 + value;
      Print(absl::StrFormat("%s %a", name, digest));
    }
    return absl::OkStatus();
  }

 private:
  static std::string Folder() { return std::getenv("CHECKPOINT_FOLDER"); }

  MappedFunction<decltype(&LossAndGradient)> step_;
  Arrays state_;
  int next_ = 0;
};

void PrintError(const absl::Status& status) {
  if (!status.ok()) Print(StatusLine(status));
}

void Uninterrupted() {
  Training training;
  PrintError([&]() -> absl::Status {
    RETURN_IF_ERROR(training.Begin());
    RETURN_IF_ERROR(training.RunUntil(kSteps));
    return training.PrintState();
  }());
}

void UntilTheSave() {
  Training training;
  PrintError([&]() -> absl::Status {
    RETURN_IF_ERROR(training.Begin());
    RETURN_IF_ERROR(training.RunUntil(kSavedAfter));
    return training.Save();
  }());
}

void FromTheSave() {
  Training training;
  PrintError([&]() -> absl::Status {
    RETURN_IF_ERROR(training.Restore());
    RETURN_IF_ERROR(training.RunUntil(kSteps));
    return training.PrintState();
  }());
}

const ScenarioTable& Scenarios() {
  static const auto& scenarios =
      *new ScenarioTable{{"uninterrupted", Uninterrupted},
                         {"until_the_save", UntilTheSave},
                         {"from_the_save", FromTheSave}};
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return lockstep::internal::RunScenario(argc, argv,
                                         lockstep::internal::Scenarios());
}
