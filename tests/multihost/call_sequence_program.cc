// One host of the host view whose calls go wrong somewhere: what the other
// hosts hear, and that the calls after it are right. Prints one line per call.
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

void Print(const absl::StatusOr<Array>& array) {
  const auto text = array.ok() ? array->ToString() : array.status();
  std::cout << (text.ok() ? *text : StatusLine(text.status())) << std::endl;
}

Tensor Sum(Tensor x) { return psum(x, "i"); }
using Train = MappedFunction<Tensor (*)(Tensor)>;

PmapOptions Named(std::string name) {
  return {.axis_name = "i", .name = std::move(name)};
}

// One row per device; the values tell the step, so that rows of different steps
// that meet give a wrong sum. The sum over the hosts is devices * step.
std::vector<int32_t> Rows(int step) {
  return std::vector<int32_t>(local_device_count(), step);
}

// Blocks until the test lets this host go on: it makes the file of this name.
void AwaitRelease() {
  const char* path = std::getenv("LOCKSTEP_TEST_RELEASE");
  while (path != nullptr && !std::filesystem::exists(path)) {
    absl::SleepFor(absl::Milliseconds(20));
  }
}

// Steps 1 to 6 of a compiled function; at step 3 host 1 does something else.
void SixSteps(const std::function<void(Train&)>& otherwise) {
  Train train = pmap(Sum, Named("train"));
  for (int step = 1; step <= 6; ++step) {
    if (step == 3 && host_id() == 1) {
      otherwise(train);
    } else {
      Print(train(Rows(step)));
    }
  }
}

void RowTooFew() {
  SixSteps([](auto& train) {
    std::vector<int32_t> rows = Rows(3);
    rows.pop_back();
    Print(train(rows));
  });
}

void OtherShape() {
  SixSteps([](auto& train) {
    const int64_t devices = local_device_count();
    Print(train(*Array::FromValues<int32_t>(
        {devices, 2}, std::vector<int32_t>(2 * devices, 3))));
  });
}

void OtherFunction() {
  SixSteps([](auto&) {
    Print(pmap([](Tensor x) { return pmax(x, "i"); },
               Named("evaluate"))(Rows(3)));
  });
}

void OtherFunctionKnown() {
  auto evaluate =
      pmap([](Tensor x) { return pmax(x, "i"); }, Named("evaluate"));
  Print(evaluate(Rows(0)));
  SixSteps([&](auto&) { Print(evaluate(Rows(3))); });
}

void WrongNumberOfAxes() {
  SixSteps([](auto&) {
    PmapOptions options = Named("train");
    options.in_axes = {0, 0};
    Print(pmap(Sum, options)(Rows(3)));
  });
}

void OppositeOrders() {
  auto f = pmap(Sum, Named("first"));
  auto g = pmap([](Tensor x) { return pmax(x, "i"); }, Named("second"));
  for (int round = 0; round < 2; ++round) {
    Print(host_id() == 0 ? f(Rows(1)) : g(Rows(1)));
    Print(host_id() == 0 ? g(Rows(1)) : f(Rows(1)));
  }
  Print(f(Rows(2)));
}

void Throws() {
  auto f = pmap(
      [](Tensor x) {
        if (host_id() == 1) throw std::runtime_error("no such file");
        return psum(x, "i");
      },
      Named("careless"));
  try {
    Print(f(Rows(1)));
  } catch (const std::exception& e) {
    std::cout << "thrown: " << e.what() << std::endl;
  }
  Print(pmap(Sum, Named("train"))(Rows(2)));
}

// Nothing crosses hosts, so nothing waits; the difference is told all the same.
void NoCollective() {
  auto double_it = pmap([](Tensor x) { return x + x; }, Named("double"));
  auto negate = pmap([](Tensor x) { return -x; }, Named("negate"));
  Print(double_it(Rows(1)));
  Print(negate(Rows(1)));
  Print(host_id() == 0 ? double_it(Rows(2)) : negate(Rows(2)));
  std::cout << StatusLine(SyncHosts("after")) << std::endl;
  AwaitRelease();
}

void SyncAgainstCall() {
  auto train = pmap(Sum, Named("train"));
  Print(train(Rows(1)));
  if (host_id() == 0) {
    Print(train(Rows(2)));
  } else {
    std::cout << StatusLine(SyncHosts("checkpoint")) << std::endl;
  }
  Print(train(Rows(3)));
}

void TwoThreads() {
  auto train = pmap(Sum, Named("train"));
  Print(train(Rows(1)));
  std::thread([&] { Print(train(Rows(2))); }).join();
  Print(train(Rows(3)));
}

// Each thread has its own devices and its own sequence.
void ThreadsWithSequences() {
  std::vector<Device> even, odd;
  for (const Device& device : devices()) {
    (device.local_id.value() % 2 == 0 ? even : odd).push_back(device);
  }
  std::vector<absl::StatusOr<Array>> last(2, absl::UnknownError(""));
  const auto run = [&](int which) {
    PmapOptions options = Named(which == 0 ? "even" : "odd");
    options.devices = which == 0 ? even : odd;
    options.sequence = options.name;
    auto f = pmap(Sum, options);
    for (int step = 1; step <= 200; ++step) {
      last[which] = f(std::vector<int32_t>{step});
    }
  };
  std::thread first(run, 0), second(run, 1);
  first.join();
  second.join();
  Print(last[0]);
  Print(last[1]);
}

void ReplicatedValues() {
  PmapOptions options = Named("scaled");
  options.in_axes = {0, std::nullopt};
  options.check_replicated_values = true;
  auto scaled = pmap(
      [](Tensor x, Tensor scale) { return psum(x * scale, "i"); }, options);
  for (int step = 1; step <= 3; ++step) {
    const int32_t scale = step == 2 && host_id() == 1 ? 7 : 5;
    Print(scaled(Rows(step), scale));
  }
}

// Host 1 leaves step 3 out; the number of the step tells.
void SkippedStep() {
  PmapOptions options = Named("train");
  options.in_axes = {0, std::nullopt};
  options.check_replicated_values = true;
  auto train =
      pmap([](Tensor x, Tensor step) { return psum(x, "i"); }, options);
  for (int step = 1; step <= 6; ++step) {
    if (step == 3 && host_id() == 1) continue;
    Print(train(Rows(step), int32_t{step}));
  }
}

// Host 1 is late by a limit of the call itself.
void LateLimit() {
  PmapOptions options = Named("impatient");
  options.late_abort = absl::Seconds(5);
  auto f = pmap(Sum, options);
  Print(f(Rows(1)));
  if (host_id() == 1) AwaitRelease();
  Print(f(Rows(2)));
  std::cerr << "host " << host_id() << " is done" << std::endl;
  AwaitRelease();
}

const std::map<std::string, std::function<void()>>& Scenarios() {
  static const auto& scenarios =
      *new std::map<std::string, std::function<void()>>{
          {"row_too_few", RowTooFew},
          {"other_shape", OtherShape},
          {"other_function", OtherFunction},
          {"other_function_known", OtherFunctionKnown},
          {"wrong_number_of_axes", WrongNumberOfAxes},
          {"opposite_orders", OppositeOrders},
          {"throws", Throws},
          {"no_collective", NoCollective},
          {"sync_against_call", SyncAgainstCall},
          {"two_threads", TwoThreads},
          {"threads_with_sequences", ThreadsWithSequences},
          {"replicated_values", ReplicatedValues},
          {"skipped_step", SkippedStep},
          {"late_limit", LateLimit},
      };
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  const auto scenario =
      lockstep::internal::Scenarios().find(argc > 1 ? argv[1] : "");
  if (scenario == lockstep::internal::Scenarios().end()) {
    std::cerr << "which scenario?" << std::endl;
    return 2;
  }
  const absl::Status joined = lockstep::Initialize();
  if (!joined.ok()) {
    std::cout << lockstep::internal::StatusLine(joined) << std::endl;
    return 1;
  }
  scenario->second();
  const absl::Status left = lockstep::Shutdown();
  if (!left.ok())
    std::cout << lockstep::internal::StatusLine(left) << std::endl;
  return left.ok() ? 0 : 1;
}
