// One host of the host view whose calls go wrong somewhere: what the other
// hosts hear, and that the calls after it are right. Prints one line per call.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/scenario_program.h"

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

// `devices` in the place of all of them, for one function called at one line.
absl::StatusOr<Array> TrainOn(std::optional<std::vector<Device>> devices,
                              int step) {
  PmapOptions options = Named("train");
  options.devices = std::move(devices);
  return pmap(Sum, options)(Rows(step));
}

void EmptyDeviceList() {
  SixSteps([](auto&) { Print(TrainOn(std::vector<Device>(), 3)); });
}

void UnknownDevice() {
  SixSteps([](auto&) {
    std::vector<Device> some = devices();
    some.back().id = GlobalDeviceId(77);
    Print(TrainOn(some, 3));
  });
}

// Host 1 asks for devices that are all of host 0.
void DevicesOfOthers() {
  for (int step = 1; step <= 6; ++step) {
    std::optional<std::vector<Device>> some;
    if (step == 3 && host_id() == 1) {
      some = {devices()[0], devices()[1]};
    }
    Print(TrainOn(some, step));
  }
}

// Host 1's unmapped argument is given away before step 3.
void DonatedValue() {
  PmapOptions options = Named("scaled");
  options.in_axes = {0, std::nullopt};
  options.check_replicated_values = true;
  auto scaled = pmap(
      [](Tensor x, Tensor scale) { return psum(x * scale, "i"); }, options);
  PmapOptions local = Named("local");
  local.devices = local_devices();
  local.donate_argnums = {0};
  auto local_copy = pmap([](Tensor x) { return x + x; }, local);
  const Array ones = *local_copy(Rows(1));
  for (int step = 1; step <= 6; ++step) {
    Array scale(Literal::Scalar(int32_t{1}));
    if (step == 3 && host_id() == 1) {
      scale = *local_copy(Rows(1));
      (void)local_copy(scale);
    }
    Print(scaled(Rows(step), scale));
  }
}

// Host 1's launches are not done when its SyncHosts ends.
void SyncDeadline() {
  auto train = pmap(Sum, Named("train"));
  Print(train(Rows(1)));
  PmapOptions local = Named("long");
  local.devices = local_devices();
  absl::Notification has_met;
  auto busy = pmap(
      [&](Tensor x) {
        return io_callback(
            [&](const Literal& x) {
              has_met.WaitForNotification();
              return x;
            },
            Shape(ElementType::kF32, {}), {x});
      },
      local);
  const bool is_late = host_id() == 1;
  if (is_late) (void)busy(Rows(0));
  const absl::Status met =
      SyncHosts("a", is_late ? absl::Milliseconds(10) : absl::Seconds(60));
  has_met.Notify();
  std::cout << StatusLine(met) << std::endl;
  for (int step = 2; step <= 4; ++step) Print(train(Rows(step)));
}

// Two threads call in turns, as chance might order them, without sequences of
// their own: the first call of a thread that calls again is refused, and all
// after it, until the hosts meet.
void ThreadsAtATime() {
  auto train = pmap(Sum, Named("train"));
  Print(train(Rows(1)));
  std::atomic<int> turn = 0;
  const auto run = [&](int thread) {
    for (int call = 0; call < 2; ++call) {
      while (turn % 2 != thread) std::this_thread::yield();
      Print(train(Rows(2)));
      ++turn;
    }
  };
  std::thread first(run, 0), second(run, 1);
  first.join();
  second.join();
  std::cout << StatusLine(SyncHosts("again")) << std::endl;
  Print(train(Rows(2)));
}

// Other hosts' calls: f of all hosts, g of hosts 0 and 1. Host 0 calls f first,
// host 1 g.
void Circle(bool is_known) {
  PmapOptions some = Named("g");
  some.devices.emplace();
  for (const Device& device : devices()) {
    if (device.host.value() < 2) some.devices->push_back(device);
  }
  auto f = pmap(Sum, Named("f"));
  auto g = pmap(Sum, some);
  if (is_known) Print(f(Rows(1)));
  const auto call_g = [&] {
    if (host_id() < 2) Print(g(Rows(2)));
  };
  if (host_id() == 1) call_g();
  Print(f(Rows(2)));
  if (host_id() != 1) call_g();
  Print(f(Rows(3)));
}
void CircleOfFirstCalls() { Circle(false); }
void CircleOfACallAndALaunch() { Circle(true); }

void OtherSequence() {
  SixSteps([](auto&) {
    PmapOptions options = Named("train");
    options.sequence = "other";
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

// Functions that only their programs tell apart.
void OneLine() {
  std::vector<Train> functions;
  for (Tensor (*f)(Tensor) :
       {+[](Tensor x) { return x + x; }, +[](Tensor x) { return -x; }}) {
    functions.push_back(pmap(f, Named("f")));
  }
  for (Train& f : functions) Print(f(Rows(1)));
  Print(functions[host_id()](Rows(2)));
  AwaitRelease();
}

// The same function, by mistake on the devices of one host.
void OwnDevices() {
  std::vector<Train> functions;
  for (const bool is_of_all : {true, false}) {
    PmapOptions options = Named("train");
    if (!is_of_all) options.devices = local_devices();
    functions.push_back(pmap(Sum, options));
  }
  for (int step = 1; step <= 6; ++step) {
    Print(functions[step == 3 ? host_id() : 0](Rows(step)));
  }
}

// A function that only other hosts bring to a collective.
void AnotherWithoutACollective() {
  auto double_it = pmap([](Tensor x) { return x + x; }, Named("double"));
  Print(double_it(Rows(0)));
  SixSteps([&](auto&) { Print(double_it(Rows(3))); });
}

// Results that depend on no argument.
void Constants() {
  for (int step : {1, 2}) {
    auto f = pmap(
        [=](Tensor) {
          return full({}, step == 2 && host_id() == 1 ? 5.0f : 6.0f);
        },
        Named("constant"));
    Print(f(Rows(1)));
  }
  AwaitRelease();
}

// Host 1 makes its function anew for every call, the others once.
void MadeAnewOnOneHost() {
  const auto make = [] { return pmap(Sum, Named("train")); };
  const Train kept = make();
  for (int step = 1; step <= 6; ++step) {
    Print(host_id() == 1 ? make()(Rows(step)) : kept(Rows(step)));
  }
}

// Each host by turns, with values that the function captures and with one that
// is checked, which is another one in each step.
void MadeAnewInTurns() {
  const auto make = [](int factor) {
    PmapOptions options = Named("scaled");
    options.in_axes = {0, std::nullopt};
    options.check_replicated_values = true;
    return pmap(
        [=](Tensor x, Tensor step) {
          return psum(x * factor + step - step, "i");
        },
        options);
  };
  std::map<int, decltype(make(0))> kept;
  for (int step = 1; step <= 8; ++step) {
    const int factor = step % 3;
    if (step % 2 == host_id() % 2) kept.erase(factor);
    const auto f = kept.try_emplace(factor, make(factor)).first;
    Print(f->second(Rows(step), int32_t{step}));
  }
}

// A function that is made anew in each step, at step 3 on host 1 with a value
// that all hosts had in step 2.
void MadeAnewWithAnotherValue() {
  for (int step = 1; step <= 6; ++step) {
    const int factor = step == 2 || (step == 3 && host_id() == 1) ? 2 : 1;
    Print(pmap([=](Tensor x) { return psum(x * factor, "i"); },
               Named("train"))(Rows(step)));
  }
}

// No collective, whose program would be compared, and no program at all.
void ConstantsMadeAnewOnOneHost() {
  const auto make = [] {
    return pmap([](Tensor) { return full({}, 6.0f); }, Named("constant"));
  };
  const auto kept = make();
  for (int step = 1; step <= 3; ++step) {
    Print(host_id() == 1 ? make()(Rows(step)) : kept(Rows(step)));
  }
}

void NestedMapThatThrows() {
  auto inner = [](Tensor x) -> Tensor {
    if (host_id() >= 0) throw std::runtime_error("no such file");
    return x;
  };
  PmapOptions outer = Named("outer");
  auto f = pmap(
      [=](Tensor x) {
        return pmap(inner, {.axis_name = "j", .name = "inner"})(x);
      },
      outer);
  Print(f(*Array::FromValues<int32_t>({1, local_device_count()}, Rows(1))));
}

// And hosts that end before they are next heard of.
void DifferentLastCalls() {
  auto double_it = pmap([](Tensor x) { return x + x; }, Named("double"));
  auto negate = pmap([](Tensor x) { return -x; }, Named("negate"));
  Print(double_it(Rows(1)));
  Print(negate(Rows(1)));
  Print(host_id() == 0 ? double_it(Rows(2)) : negate(Rows(2)));
}

void ACallTooFew() {
  auto double_it = pmap([](Tensor x) { return x + x; }, Named("double"));
  for (int step = 1; step <= 4 - host_id(); ++step) {
    Print(double_it(Rows(step)));
  }
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
          {"empty_device_list", EmptyDeviceList},
          {"unknown_device", UnknownDevice},
          {"devices_of_others", DevicesOfOthers},
          {"donated_value", DonatedValue},
          {"sync_deadline", SyncDeadline},
          {"threads_at_a_time", ThreadsAtATime},
          {"circle_of_first_calls", CircleOfFirstCalls},
          {"circle_of_a_call_and_a_launch", CircleOfACallAndALaunch},
          {"other_sequence", OtherSequence},
          {"opposite_orders", OppositeOrders},
          {"throws", Throws},
          {"no_collective", NoCollective},
          {"one_line", OneLine},
          {"own_devices", OwnDevices},
          {"another_without_a_collective", AnotherWithoutACollective},
          {"constants", Constants},
          {"made_anew_on_one_host", MadeAnewOnOneHost},
          {"made_anew_in_turns", MadeAnewInTurns},
          {"made_anew_with_another_value", MadeAnewWithAnotherValue},
          {"constants_made_anew_on_one_host", ConstantsMadeAnewOnOneHost},
          {"nested_map_that_throws", NestedMapThatThrows},
          {"different_last_calls", DifferentLastCalls},
          {"a_call_too_few", ACallTooFew},
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
  return lockstep::internal::RunScenario(argc, argv,
                                         lockstep::internal::Scenarios());
}
