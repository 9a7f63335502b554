// One host of the host view: joins the cluster by its environment and runs the
// scenario that its argument names. Prints one line per result.
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/scenario_program.h"
#include "tests/pmap/pmap_setting.h"

namespace lockstep::internal {
namespace {

constexpr auto kAddSum = [](Tensor x) { return x + psum(x, "i"); };

void Print(const absl::StatusOr<Array>& array) {
  const auto text = array.ok() ? array->ToString() : array.status();
  std::cout << (text.ok() ? *text : StatusLine(text.status())) << std::endl;
}

void Print(const absl::Status& status) {
  std::cout << StatusLine(status) << std::endl;
}

std::vector<Device> DevicesOf(std::vector<int> ids) {
  const std::vector<Device> all = devices();
  std::vector<Device> chosen;
  for (int id : ids) chosen.push_back(all[id]);
  return chosen;
}

// The ids of this host's devices.
std::vector<int32_t> LocalIds() {
  std::vector<int32_t> ids;
  for (const Device& device : local_devices()) {
    ids.push_back(device.id.value());
  }
  return ids;
}

PmapOptions On(std::vector<int> ids) {
  PmapOptions options{.axis_name = "i"};
  options.devices = DevicesOf(std::move(ids));
  return options;
}

void Queries() {
  std::cout << host_id() << " of " << host_count() << ": "
            << local_device_count() << " of " << device_count() << std::endl;
}

void Sum() { Print(pmap(kAddSum, {.axis_name = "i"})(LocalIds())); }

void AxisSizeAndIndex() {
  Print(pmap([](Tensor x) { return psum(1, "i"); },
             {.axis_name = "i"})(LocalIds()));
  Print(pmap([](Tensor x) { return axis_index("i") + 0 * x; },
             {.axis_name = "i"})(LocalIds()));
}

// Two lists of devices; the second is host 1's alone.
void SixAndTwo() {
  auto normalise =
      pmap([](Tensor x) { return x / psum(x, "i"); }, On({0, 1, 2, 3, 4, 5}));
  Print(normalise(host_id() == 0 ? std::vector<float>{0, 1, 2, 3}
                                 : std::vector<float>{4, 5}));
  auto squares = pmap([](Tensor x) { return psum(x * x, "i"); }, On({6, 7}));
  if (host_id() == 1) Print(squares(std::vector<float>{2, 3}));
}

void MiddleHosts() {
  if (host_id() == 0 || host_id() == 3) return;
  Print(pmap(kAddSum, On({2, 3, 4, 5}))(host_id() == 1
                                            ? std::vector<int32_t>{1, 2}
                                            : std::vector<int32_t>{3, 4}));
}

// A host that has no device in the list must not call.
void NotMyDevices() {
  Print(pmap(kAddSum, On({2, 3, 4, 5}))(std::vector<int32_t>{1, 2}));
}

void PermutedDevices() {
  auto gather =
      pmap([](Tensor x) { return all_gather(x, "i"); }, On({7, 0, 5, 2}));
  Print(gather(host_id() == 0 ? std::vector<int32_t>{10, 20}
                              : std::vector<int32_t>{30, 40}));
}

// Host 0 passes a row too few; all hosts hear of it, and go on.
void WrongRows() {
  std::vector<int32_t> rows = LocalIds();
  if (host_id() == 0) rows.pop_back();
  auto add = pmap(kAddSum, {.axis_name = "i"});
  Print(add(rows));
  Print(add(LocalIds()));
}

void WrongRowsForTheList() {
  std::vector<int32_t> rows = LocalIds();
  if (host_id() == 0) rows.pop_back();
  auto add = pmap(kAddSum, On({0, 1, 2, 3, 4, 5, 6, 7}));
  Print(add(rows));
  Print(add(LocalIds()));
}

void DifferentPrograms() {
  const int constant = host_id() == 0 ? 1 : 2;
  Print(pmap([=](Tensor x) { return psum(x, "i") + constant; },
             {.axis_name = "i", .name = "different"})(LocalIds()));
  Print(pmap(kAddSum, {.axis_name = "i"})(LocalIds()));
}

// Host 0's function cannot be traced; the other hosts hear of it, and go on.
void TraceError() {
  const bool fails = host_id() == 0;
  Print(pmap([=](Tensor x) { return psum(x, fails ? "j" : "i"); },
             {.axis_name = "i", .name = "untraceable"})(LocalIds()));
  Print(pmap(kAddSum, {.axis_name = "i"})(LocalIds()));
}

void DifferentDevices() {
  Print(pmap(kAddSum, On(host_id() == 0 ? std::vector<int>{0, 1, 4, 5}
                                        : std::vector<int>{0, 1, 4, 6}))(
      std::vector<int32_t>{1, 2}));
}

void Collectives() {
  const std::vector<int32_t> ids = LocalIds();
  const PmapOptions options{.axis_name = "i"};
  Print(pmap(
      [](Tensor x) { return psum(x, "i", {{{0, 5}, {1, 2, 3, 4, 6, 7}}}); },
      options)(ids));
  Print(pmap([](Tensor x) { return pmean(x, "i"); }, options)(ids));
  Print(pmap([](Tensor x) { return pmax(x, "i"); }, options)(ids));
  Print(
      pmap([](Tensor x) { return ppermute(x, "i", {{0, 7}, {7, 0}, {3, 4}}); },
           options)(ids));
  Print(pmap(
      [](Tensor x) {
        const Tensor row = 10 * x + arange(8);
        return psum_scatter(row, "i") +
               sum(all_to_all(row, "i", 0, 0) * arange(8));
      },
      options)(ids));
}

// Results stay on the devices; donated ones cannot be read any more.
void StepByStep() {
  PmapOptions options{.axis_name = "i"};
  options.donate_argnums = {0};
  auto step = pmap(kAddSum, options);
  absl::StatusOr<Array> x = step(LocalIds());
  const absl::StatusOr<Array> first = x;
  for (int i = 0; i < 3 && x.ok(); ++i) x = step(*x);
  Print(x);
  Print(first);
}

// The first line says how many; each failure is one more.
void Cases() {
  const std::vector<PmapCase> cases = AllPmapCases();
  std::cout << cases.size() << " cases" << std::endl;
  for (const PmapCase& c : cases) {
    PmapSetting setting(nullptr, host_count(), host_id());
    c.run(setting);
    for (const std::string& failure : setting.failures()) {
      std::cout << c.name << ": "
                << absl::StrReplaceAll(failure, {{"\n", " | "}}) << std::endl;
    }
  }
  // The last one needs no other host, which may not have begun it.
  (void)SyncHosts("cases", absl::Seconds(60));
}

// J-5: nothing runs, so the rows need no devices.
void Constants() {
  const auto y = pmap([](Tensor x) { return 3; })(std::vector<float>(100));
  std::cout << (y.ok() ? y->shape().ToString() : StatusLine(y.status()))
            << std::endl;
}

// Host 0's function throws; the other hosts hear of it, and go on.
void Exception() {
  const bool fails = host_id() == 0;
  Print(pmap(
      [=](Tensor x) {
        if (fails) throw std::runtime_error("no such model");
        return psum(x, "i");
      },
      {.axis_name = "i", .name = "throwing"})(LocalIds()));
  Print(pmap(kAddSum, {.axis_name = "i"})(LocalIds()));
}

void Sync() {
  Print(SyncHosts("checkpoint"));
  Print(SyncHosts(host_id() == 0 ? "epoch 1" : "epoch 2"));
  Print(SyncHosts("end"));
}

void InitializeTwice() {
  Print(Initialize());
  Print(Shutdown());
  Print(Shutdown());
  Print(pmap(kAddSum, {.axis_name = "i"})(std::vector<int32_t>{1}));
}

const ScenarioTable& Scenarios() {
  static const auto& scenarios = *new ScenarioTable{
      {"queries", Queries},
      {"sum", Sum},
      {"axis", AxisSizeAndIndex},
      {"six_and_two", SixAndTwo},
      {"middle_hosts", MiddleHosts},
      {"not_my_devices", NotMyDevices},
      {"permuted_devices", PermutedDevices},
      {"wrong_rows", WrongRows},
      {"wrong_rows_for_the_list", WrongRowsForTheList},
      {"different_programs", DifferentPrograms},
      {"trace_error", TraceError},
      {"different_devices", DifferentDevices},
      {"collectives", Collectives},
      {"step_by_step", StepByStep},
      {"cases", Cases},
      {"constants", Constants},
      {"exception", Exception},
      {"sync", Sync},
      {"initialize_twice", InitializeTwice},
  };
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return lockstep::internal::RunScenario(argc, argv,
                                         lockstep::internal::Scenarios());
}
