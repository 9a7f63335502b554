// One host of the host view that is to be taken away, or hears that another one
// is. Joins the cluster by its environment and runs the scenario that its
// argument names; prints one line per result. LOCKSTEP_TEST_STEP: the last step
// that it comes to by itself; SIGUSR1 has it go on.
#include <signal.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/scenario_program.h"

namespace lockstep::internal {
namespace {

void Print(const std::string& line) { std::cout << line << std::endl; }

std::string Text(const absl::StatusOr<bool>& reached) {
  if (!reached.ok()) return StatusLine(reached.status());
  return *reached ? "true" : "false";
}

void PrintStep(int64_t step) {
  Print(absl::StrCat(step, " ", Text(reached_preemption_sync_point(step))));
}

// Where nothing is expected.
void PrintUnlessFalse(int64_t step) {
  const std::string reached = Text(reached_preemption_sync_point(step));
  if (reached != "false") Print(absl::StrCat(step, " ", reached));
}

// Blocked since before any thread began.
sigset_t GoOn() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  return signals;
}

void AwaitGo() {
  Print("ready");
  const sigset_t signals = GoOn();
  int signal = 0;
  sigwait(&signals, &signal);
}

int64_t StepOfTest() {
  const char* step = std::getenv("LOCKSTEP_TEST_STEP");
  return step == nullptr ? 0 : std::atoll(step);
}

// To the step of the test, and after that to step 9.
void Golden() {
  for (int64_t step = 0; step <= StepOfTest(); ++step) PrintUnlessFalse(step);
  AwaitGo();
  for (int64_t step = StepOfTest() + 1; step <= 9; ++step) PrintStep(step);
  Print(StatusLine(SyncHosts("after")));
}

// As fast as it can, until a step is one at which all save, or an error comes.
// A few more are none.
void Free() {
  int64_t step = 0;
  while (true) {
    const auto reached = reached_preemption_sync_point(step);
    if (step == StepOfTest()) AwaitGo();
    if (!reached.ok()) Print(Text(reached));
    if (reached.ok() && *reached) Print(absl::StrCat("save at ", step));
    if (!reached.ok() || *reached) break;
    ++step;
  }
  for (int64_t last = step + 1000; step < last;) PrintUnlessFalse(++step);
}

// Goes on from a checkpoint: its first step is that of the test.
void Resumed() {
  AwaitGo();
  for (int64_t i = 0; i < 2; ++i) PrintStep(StepOfTest() + i);
  Print(StatusLine(SyncHosts("after")));
}

// Hosts that are never more than a step apart, with several notices.
void Notices() {
  for (int64_t step = 0; step < 60; ++step) {
    PrintUnlessFalse(step);
    if (!SyncHosts(absl::StrCat("step ", step)).ok()) return;
    if (host_id() == 0 && step == 3) Print(StatusLine(notice_preemption()));
    if (host_id() == 0 && step == 3) Print(StatusLine(notice_preemption()));
    if (host_id() == 1 && step == 40) Print(StatusLine(notice_preemption()));
  }
}

// A cluster of one.
void Alone() {
  PrintStep(3);
  Print(StatusLine(notice_preemption()));
  PrintStep(4);
  PrintStep(5);
  PrintStep(5);
  raise(SIGTERM);
  int64_t step = 6;
  std::string reached;
  while ((reached = Text(reached_preemption_sync_point(step))) == "false") {
    ++step;
  }
  Print(absl::StrCat("after the signal ", reached));
  raise(SIGTERM);  // during the save
  Print(absl::StrCat("after the save ",
                     Text(reached_preemption_sync_point(step + 1))));
}

// A cluster of one that goes on with a step that it has had.
void AloneFails() {
  PrintStep(1);
  raise(SIGTERM);
  int64_t step = 2;
  while (Text(reached_preemption_sync_point(step)) == "false") ++step;
  PrintStep(step);
  raise(SIGTERM);
  Print("still there");
}

const ScenarioTable& Scenarios() {
  static const auto& scenarios = *new ScenarioTable{
      {"golden", Golden},   {"free", Free},   {"resumed", Resumed},
      {"notices", Notices}, {"alone", Alone}, {"alone_fails", AloneFails},
  };
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  using namespace lockstep::internal;
  const sigset_t signals = GoOn();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const bool is_alone = argc > 1 && argv[1] == std::string("alone");
  // There is no cluster yet, or no more.
  if (is_alone) PrintStep(7);
  const int code = RunScenario(argc, argv, Scenarios());
  if (is_alone) PrintStep(8);
  return code;
}
