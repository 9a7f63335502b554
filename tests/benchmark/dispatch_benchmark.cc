// What a launch of a program of one small kernel costs, from the host view: a
// chain of launches, each on the result of the one before, on one device and on
// eight. The limit beside it is a task through a queue and back, which a launch
// cannot do without.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "absl/synchronization/blocking_counter.h"
#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

constexpr int kRounds = 7;
constexpr int kLaunches = 2000;

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Microseconds of one call of `f`, which makes kLaunches steps.
double MicrosecondsPerStep(const std::function<void()>& f) {
  f();
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    const absl::Time start = absl::Now();
    f();
    times.push_back(absl::ToDoubleMicroseconds(absl::Now() - start) /
                    kLaunches);
  }
  return Median(times);
}

// One task per thread, all handed over at once, as a launch does.
double QueueLimit(int threads) {
  std::vector<std::unique_ptr<ThreadPool>> pools;
  for (int i = 0; i < threads; ++i) {
    pools.push_back(std::make_unique<ThreadPool>("queue", 1));
  }
  return MicrosecondsPerStep([&] {
    absl::BlockingCounter done(threads * kLaunches);
    for (int step = 0; step < kLaunches; ++step) {
      for (auto& pool : pools) {
        pool->Schedule([&] { done.DecrementCount(); });
      }
    }
    done.Wait();
  });
}

absl::Status Measure(int devices) {
  PmapOptions options{.axis_name = "i"};
  options.devices = lockstep::devices();
  options.devices->resize(devices);
  auto step = pmap([](Tensor x) { return x + 1.0f; }, options);
  const std::vector<float> start(devices, 0.0f);
  absl::Status status;
  const double launch = MicrosecondsPerStep([&] {
    absl::StatusOr<Array> x = step(start);
    for (int i = 1; i < kLaunches && x.ok(); ++i) x = step(*x);
    status.Update(x.ok() ? x->Await(absl::InfiniteFuture()) : x.status());
  });
  RETURN_IF_ERROR(status);
  const double limit = QueueLimit(devices);
  std::printf("%8d %14.2f %14.2f %8.2f\n", devices, launch, limit,
              launch / limit);
  return absl::OkStatus();
}

absl::Status Main() {
  InitializeOptions options;
  options.num_cpu_devices = 8;
  RETURN_IF_ERROR(Initialize(options));
  std::printf("%8s %14s %14s %8s\n", "devices", "us per launch", "us per task",
              "ratio");
  for (int devices : {1, 8}) RETURN_IF_ERROR(Measure(devices));
  return Shutdown();
}

}  // namespace
}  // namespace lockstep::internal

int main() {
  const absl::Status status = lockstep::internal::Main();
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", lockstep::internal::StatusLine(status).c_str());
  return 1;
}
