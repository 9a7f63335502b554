#include "runtime/interpreter/interpreter.h"

#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/cancellation.h"
#include "runtime/base/status.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/interpreter/host_channels.h"
#include "runtime/interpreter/in_process_place.h"
#include "runtime/interpreter/region_evaluator.h"

namespace lockstep::internal {
namespace {

absl::Status CheckArguments(const Function& function,
                            absl::Span<const Literal> arguments) {
  const std::vector<Type> types = function.argument_types();
  if (types.size() != arguments.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("@", function.name(), ": expected ", types.size(),
                     " arguments, found ", arguments.size()));
  }
  for (size_t i = 0; i < types.size(); ++i) {
    if (!types[i].is_tensor()) continue;  // tokens have no value
    if (types[i] == Type(arguments[i].shape())) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "@", function.name(), ": argument ", i, ": expected ",
        types[i].ToString(), ", found ", arguments[i].shape().ToString()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Literal>> EvaluateFunction(
    const Module& module, const Function& function, ExecutionPlace& place,
    absl::Span<const Literal> arguments) {
  RETURN_IF_ERROR(CheckArguments(function, arguments));
  std::vector<Literal> results;
  for (const Type& type : function.result_types()) {
    ASSIGN_OR_RETURN(Literal result, Literal::Allocate(type.shape()));
    results.push_back(std::move(result));
  }
  std::vector<MutableLiteralView> views;
  for (Literal& result : results) views.push_back(result.mutable_view());
  RegionEvaluator evaluator(&module, place);
  RETURN_IF_ERROR(evaluator.RunRegion(
      function.body(),
      std::vector<LiteralView>(arguments.begin(), arguments.end()), views));
  return results;
}

// One device's part of a run, on a thread of its own.
struct DeviceRun {
  absl::StatusOr<std::vector<Literal>> results =
      absl::UnknownError("not finished");
  std::thread thread;
};

// Cancels the run when not all devices have finished in time.
class Watchdog {
 public:
  Watchdog(CancellationToken& cancellation, int device_count)
      : cancellation_(cancellation), running_(device_count) {}

  void Finished() {
    absl::MutexLock lock(&mutex_);
    --running_;
  }

  void Wait(absl::Duration timeout) {
    absl::MutexLock lock(&mutex_);
    const auto all_finished = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return running_ == 0;
    };
    if (mutex_.AwaitWithTimeout(absl::Condition(&all_finished), timeout)) {
      return;
    }
    cancellation_.Cancel(absl::DeadlineExceededError(
        absl::StrCat(running_, " devices have not finished within ",
                     absl::FormatDuration(timeout))));
  }

 private:
  CancellationToken& cancellation_;
  absl::Mutex mutex_;
  int running_ ABSL_GUARDED_BY(mutex_);
};

absl::Status CheckCounts(const DeviceAssignment& assignment,
                         size_t program_count, size_t argument_lists) {
  const size_t devices = assignment.device_count();
  if (program_count == devices && argument_lists == devices) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("expected programs and arguments for ", devices,
                   " devices, found ", program_count, " and ", argument_lists));
}

}  // namespace

absl::StatusOr<std::vector<std::vector<Literal>>> EvaluatePrograms(
    const Module& module, const DeviceAssignment& assignment,
    absl::Span<const Function* const> programs,
    std::vector<std::vector<Literal>> arguments, const SpmdOptions& options) {
  RETURN_IF_ERROR(CheckCounts(assignment, programs.size(), arguments.size()));
  InProcessCliqueProvider cliques;
  CancellationToken cancellation;
  HostChannels channels(cancellation);
  Watchdog watchdog(cancellation, assignment.device_count());
  std::vector<DeviceRun> runs(assignment.device_count());
  for (int32_t i = 0; i < assignment.device_count(); ++i) {
    runs[i].thread = std::thread([&, i] {
      InProcessPlace place(assignment, i, cliques, channels, cancellation);
      runs[i].results =
          EvaluateFunction(module, *programs[i], place, arguments[i]);
      if (!runs[i].results.ok()) cancellation.Cancel(runs[i].results.status());
      watchdog.Finished();
    });
  }
  watchdog.Wait(options.timeout);
  for (DeviceRun& run : runs) run.thread.join();
  RETURN_IF_ERROR(cancellation.status());
  std::vector<std::vector<Literal>> results;
  for (DeviceRun& run : runs) results.push_back(*std::move(run.results));
  return results;
}

absl::StatusOr<std::vector<std::vector<Literal>>> EvaluateSpmd(
    const Module& module, const DeviceAssignment& assignment,
    std::vector<std::vector<Literal>> arguments, const SpmdOptions& options) {
  ASSIGN_OR_RETURN(const Function* entry, module.EntryFunction());
  const std::vector<const Function*> programs(assignment.device_count(), entry);
  return EvaluatePrograms(module, assignment, programs, std::move(arguments),
                          options);
}

absl::StatusOr<std::vector<Literal>> Evaluate(const Module& module,
                                              std::vector<Literal> arguments) {
  std::vector<std::vector<Literal>> per_device;
  per_device.push_back(std::move(arguments));
  ASSIGN_OR_RETURN(std::vector<std::vector<Literal>> results,
                   EvaluateSpmd(module, DeviceAssignment::Iota(1, 1),
                                std::move(per_device)));
  return std::move(results[0]);
}

}  // namespace lockstep::internal
