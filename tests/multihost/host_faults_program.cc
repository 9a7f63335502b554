// One host of the host view that meets its end at a given moment, or hears how
// another one did. Variables: LOCKSTEP_TEST_FAULT, what happens to host 1;
// LOCKSTEP_TEST_PHASE, when.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/scenario_program.h"

namespace lockstep::internal {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void Print(const absl::StatusOr<Array>& array) {
  const auto text = array.ok() ? array->ToString() : array.status();
  std::cout << (text.ok() ? *text : StatusLine(text.status())) << std::endl;
}

std::vector<float> Rows(float value) {
  return std::vector<float>(local_device_count(), value);
}

PmapOptions Named(std::string name) {
  return {.axis_name = "i", .name = std::move(name)};
}

// What happens to host 1 when `phase` is the one that the test chose.
void At(const std::string& phase) {
  if (host_id() != 1 || Variable("LOCKSTEP_TEST_PHASE") != phase) return;
  const std::string fault = Variable("LOCKSTEP_TEST_FAULT");
  if (fault == "killed") raise(SIGKILL);
  if (fault == "stopped") raise(SIGSTOP);
  if (fault == "exited") _exit(3);
  if (fault == "returned") std::exit(0);
}

// Every phase of a program, with a fault in one of them.
void Phases() {
  At("joined");
  auto train = pmap(
      [](Tensor x) {
        At("tracing");
        return psum(x, "i");
      },
      Named("train"));
  Print(train(Rows(1)));
  At("between");
  auto endless = pmap(
      [](Tensor x) {
        return fori_loop(
            0, 1 << 30,
            [](const Tensor&, const Tensor& value) { return pmax(value, "i"); },
            x);
      },
      Named("endless"));
  const absl::StatusOr<Array> running = endless(Rows(2));
  At("collective");
  Print(running);
  // This host goes on by itself.
  PmapOptions alone = Named("alone");
  alone.devices = local_devices();
  Print(pmap([](Tensor x) { return psum(x, "i"); }, alone)(Rows(3)));
}

void OneCall() {
  Print(pmap([](Tensor x) { return psum(x, "i"); }, Named("train"))(Rows(1)));
}

// Steps that are repeated until they succeed; host 1's first life ends at step
// 3, and its second begins there.
void Rejoin() {
  auto train = pmap([](Tensor x) { return psum(x, "i"); }, Named("train"));
  auto largest = pmap([](Tensor x) { return pmax(x, "i"); }, Named("largest"));
  const bool is_second_life = Variable("LOCKSTEP_TEST_LIFE") == "2";
  for (int step = is_second_life ? 3 : 1; step <= 6; ++step) {
    if (step == 3 && !is_second_life) {
      // Everybody has the results of the steps before.
      std::cout << StatusLine(SyncHosts("before")) << std::endl;
      if (host_id() == 1) raise(SIGKILL);
    }
    while (true) {
      absl::StatusOr<Array> sum = train(Rows(step));
      absl::Status status = sum.status();
      if (sum.ok()) status = sum->Await();
      if (status.ok()) {
        Print(sum);
        break;
      }
      std::cerr << "step " << step << ": " << StatusLine(status) << std::endl;
      absl::SleepFor(absl::Milliseconds(20));
    }
    Print(largest(Rows(step + host_id())));
  }
}

const ScenarioTable& Scenarios() {
  static const auto& scenarios = *new ScenarioTable{
      {"one_call", OneCall},
      {"phases", Phases},
      {"rejoin", Rejoin},
  };
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return lockstep::internal::RunScenario(
      argc, argv, lockstep::internal::Scenarios(),
      {.before_shutdown = [] { lockstep::internal::At("shutdown"); },
       .may_fail_to_leave = true});
}
