// One host of the host view whose mapped functions call the host. Joins the
// cluster by its environment and runs the scenario that its argument names;
// prints one line per result.
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/scenario_program.h"

namespace lockstep::internal {
namespace {

void Print(const std::string& line) { std::cout << line << std::endl; }

std::string Text(const absl::StatusOr<Array>& array) {
  if (!array.ok()) return StatusLine(array.status());
  const absl::StatusOr<std::string> text = array->ToString();
  return text.ok() ? *text : StatusLine(text.status());
}

// 0, 1, .. over the devices of all hosts.
Array Rows() {
  std::vector<float> rows;
  for (const Device& device : local_devices()) {
    rows.push_back(static_cast<float>(device.id.value()));
  }
  return Array(rows);
}

// What callbacks saw, by device.
class Seen {
 public:
  void Add(const Literal& device, const std::string& what) {
    absl::MutexLock lock(&mutex_);
    seen_[device.data<int32_t>()[0]].push_back(what);
  }
  void Print() {
    absl::MutexLock lock(&mutex_);
    for (const auto& [device, lines] : seen_) {
      internal::Print(
          absl::StrCat("device ", device, ": ", absl::StrJoin(lines, ", ")));
    }
  }

 private:
  absl::Mutex mutex_;
  std::map<int, std::vector<std::string>> seen_ ABSL_GUARDED_BY(mutex_);
};

void Ordered() {
  Seen seen;
  const auto say = [&](const std::string& what, const Tensor& value) {
    debug_callback(
        [&seen, what](const Literal& device, const Literal& value) {
          seen.Add(device, absl::StrCat(what, " ", ToString(value)));
        },
        {axis_index("i"), value}, {.ordered = true});
  };
  const auto f = pmap(
      [&](Tensor x) {
        say("x", x);
        const Tensor total = fori_loop(
            0, 2,
            [&](const Tensor& i, const Tensor& sum) {
              const Tensor next = psum(x, "i") + sum;
              say("sum", next);
              return next;
            },
            x);
        say("end", total);
        return total;
      },
      {.axis_name = "i"});
  Print(Text(f(Rows())));
  seen.Print();
}

// The callback of the last device fails; then all goes on.
void FailsOnOne() {
  bool fails = true;
  const auto f = pmap(
      [&](Tensor x) {
        const Tensor y = io_callback(
            [&](const Literal& x) -> absl::StatusOr<Literal> {
              if (fails && x.data<float>()[0] == 3) {
                return absl::DataLossError("sample is torn");
              }
              return x;
            },
            x.shape(), {x});
        return psum(y, "i");
      },
      {.axis_name = "i"});
  const absl::Time begin = absl::Now();
  Print(Text(f(Rows())));
  Print(absl::Now() - begin < absl::Seconds(10) ? "soon" : "late");
  fails = false;
  Print(Text(f(Rows())));
}

void Throws() {
  const auto f = pmap(
      [&](Tensor x) {
        debug_callback(
            [](const Literal& x) {
              if (x.data<float>()[0] == 3) throw std::runtime_error("broken");
            },
            {x});
        return psum(x, "i");
      },
      {.axis_name = "i"});
  Print(Text(f(Rows())));
}

// What would wait for the launch, or for other hosts, in a callback.
void MeetsWithin() {
  std::vector<absl::Status> met;
  const auto f = pmap(
      [&](Tensor x) {
        debug_callback(
            [&](const Literal&) {
              const auto nothing = [](const std::vector<Device>&) {
                return absl::OkStatus();
              };
              met = {Shutdown(), live_hosts().status(),
                     with_live_devices(devices(), nothing),
                     reached_preemption_sync_point(1).status(),
                     SyncHosts("within")};
            },
            {x});
        return psum(x, "i");
      },
      {.axis_name = "i"});
  Print(Text(f(Rows())));
  for (const absl::Status& status : met) Print(StatusLine(status));
  Print(StatusLine(SyncHosts("behind")));
}

void Prints() {
  const auto f = pmap(
      [&](Tensor x) {
        debug_print("{device}: sum {}", psum(x, "i"));
        return x;
      },
      {.axis_name = "i"});
  Print(Text(f(Rows())));
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  using namespace lockstep::internal;
  return RunScenario(argc, argv,
                     {{"ordered", Ordered},
                      {"fails_on_one", FailsOnOne},
                      {"throws", Throws},
                      {"meets_within", MeetsWithin},
                      {"prints", Prints}});
}
