// What the global view costs: chains of launches, the latency of a scalar psum,
// and 64 MiB to and from the devices, on two hosts of four devices that are
// processes of their own. Beside it the host view of one process with eight
// devices, and a copy of as much memory.
//
//   LOCKSTEP_BINARY=bazel-bin/client/cli/lockstep global_view_benchmark [PART]
//
// PART is chains, latency or transfers; without it all are run.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr int kDevices = 8;
constexpr int kLaunches = 4000;
constexpr int64_t kElements = (int64_t{64} << 20) / sizeof(float);

// Of several runs, in ascending order.
struct Times {
  std::vector<double> sorted;
  double at(double part) const {
    return sorted[static_cast<size_t>(part * (sorted.size() - 1))];
  }
};

// Milliseconds of `f`, after one run that is not counted; `prepare` runs before
// each and is not counted.
absl::StatusOr<Times> Measure(int rounds,
                              const std::function<absl::Status()>& prepare,
                              const std::function<absl::Status()>& f) {
  Times times;
  for (int round = 0; round <= rounds; ++round) {
    if (prepare) RETURN_IF_ERROR(prepare());
    const absl::Time start = absl::Now();
    RETURN_IF_ERROR(f());
    if (round == 0) continue;
    times.sorted.push_back(absl::ToDoubleMilliseconds(absl::Now() - start));
  }
  std::sort(times.sorted.begin(), times.sorted.end());
  return times;
}

void Print(const char* what, const Times& times, double scale,
           const char* unit) {
  std::printf("  %-44s %10.1f %10.1f %10.1f %s\n", what, times.at(0) * scale,
              times.at(0.5) * scale, times.at(0.9) * scale, unit);
}

using Mapped = std::function<absl::StatusOr<Array>(const Array&)>;

absl::Status PrintChain(const char* what, const Mapped& step,
                        const Array& start) {
  ASSIGN_OR_RETURN(const Times times,
                   Measure(7, nullptr, [&]() -> absl::Status {
                     absl::StatusOr<Array> x = step(start);
                     for (int i = 1; i < kLaunches && x.ok(); ++i) x = step(*x);
                     return x.ok() ? x->Await() : x.status();
                   }));
  Print(what, times, 1000.0 / kLaunches, "us per launch");
  std::printf("  %-44s %32.0f per second\n", "",
              1000 * kLaunches / times.at(0.5));
  return absl::OkStatus();
}

absl::Status PrintLatency(const std::string& what, const Mapped& f,
                          const Array& x) {
  ASSIGN_OR_RETURN(const Times waits,
                   Measure(1000, nullptr, [&]() -> absl::Status {
                     ASSIGN_OR_RETURN(const Array y, f(x));
                     return y.Await();
                   }));
  Print((what + ", awaited").c_str(), waits, 1000, "us");
  ASSIGN_OR_RETURN(const Times fetches,
                   Measure(1000, nullptr, [&]() -> absl::Status {
                     ASSIGN_OR_RETURN(const Array y, f(x));
                     return y.ToVector<float>().status();
                   }));
  Print((what + ", fetched").c_str(), fetches, 1000, "us");
  return absl::OkStatus();
}

absl::Status PrintTransfers(const Mapped& add_one) {
  std::vector<float> host(kElements);
  std::iota(host.begin(), host.end(), 0.0f);
  ASSIGN_OR_RETURN(const Array x,
                   Array::FromValues({kDevices, kElements / kDevices}, host));
  ASSIGN_OR_RETURN(const Array on_devices, add_one(x));
  absl::StatusOr<Array> y = on_devices;
  ASSIGN_OR_RETURN(const Times puts, Measure(9, nullptr, [&]() -> absl::Status {
                     ASSIGN_OR_RETURN(const Array z, add_one(x));
                     return z.Await();
                   }));
  Print("64 MiB in, add 1, awaited", puts, 1, "ms");
  ASSIGN_OR_RETURN(const Times steps,
                   Measure(9, nullptr, [&]() -> absl::Status {
                     y = add_one(on_devices);
                     return y.ok() ? y->Await() : y.status();
                   }));
  Print("64 MiB add 1, awaited", steps, 1, "ms");
  const auto compute = [&]() -> absl::Status {
    y = add_one(on_devices);
    return y.ok() ? y->Await() : y.status();
  };
  ASSIGN_OR_RETURN(
      const Times fetches, Measure(9, compute, [&]() -> absl::Status {
        ASSIGN_OR_RETURN(const std::vector<float> v, y->ToVector<float>());
        if (v[kElements - 1] == host[kElements - 1] + 2)
          return absl::OkStatus();
        return absl::InternalError("a wrong value came back");
      }));
  Print("64 MiB ToVector", fetches, 1, "ms");
  ASSIGN_OR_RETURN(
      const Times copies, Measure(9, nullptr, [&]() -> absl::Status {
        const std::vector<float> copy(host.begin(), host.end());
        return copy.size() == host.size() ? absl::OkStatus()
                                          : absl::InternalError("");
      }));
  Print("limit: a vector of 64 MiB copied", copies, 1, "ms");
  return absl::OkStatus();
}

absl::Status MeasureView(const char* title, PmapOptions options,
                         absl::string_view part) {
  std::printf("%-46s %10s %10s %10s\n", title, "best", "median", "p90");
  options.axis_name = std::string("i");
  auto add = pmap([](Tensor x) { return x + 1.0f; }, options);
  auto sum = pmap([](Tensor x) { return psum(x, "i"); }, options);
  auto mean = pmap([](Tensor x) { return x + pmax(x, "i"); }, options);
  const Array start(std::vector<float>(kDevices, 1.0f));
  ASSIGN_OR_RETURN(const Array x, add(start));
  const Mapped step = [&](const Array& a) { return add(a); };
  if (part.empty() || part == "chains") {
    RETURN_IF_ERROR(PrintChain("chain of x + 1", step, x));
    RETURN_IF_ERROR(PrintChain(
        "chain of x + pmax(x)", [&](const Array& a) { return mean(a); }, x));
  }
  if (part.empty() || part == "latency") {
    RETURN_IF_ERROR(PrintLatency("x + 1", step, x));
    RETURN_IF_ERROR(
        PrintLatency("scalar psum", [&](const Array& a) { return sum(a); }, x));
    RETURN_IF_ERROR(PrintLatency(
        "scalar psum of values of the host",
        [&](const Array& a) { return sum(a); }, start));
  }
  return part.empty() || part == "transfers" ? PrintTransfers(step)
                                             : absl::OkStatus();
}

absl::Status Main(absl::string_view part) {
  {
    ASSIGN_OR_RETURN(
        const Client client,
        Client::Embedded({.hosts = 2, .devices_per_host = kDevices / 2}));
    PmapOptions options;
    options.view = client.view();
    RETURN_IF_ERROR(
        MeasureView("global view, 2 hosts x 4 devices", options, part));
  }
  InitializeOptions options;
  options.num_cpu_devices = kDevices;
  RETURN_IF_ERROR(Initialize(options));
  RETURN_IF_ERROR(MeasureView("host view, 1 host x 8 devices", {}, part));
  return Shutdown();
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  const absl::Status status = lockstep::internal::Main(argc > 1 ? argv[1] : "");
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", lockstep::internal::StatusLine(status).c_str());
  return 1;
}
