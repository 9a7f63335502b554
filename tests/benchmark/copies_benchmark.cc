// How often 64 MiB are copied on their way to the devices and back, in both
// views: eight devices, of one process or of two that are the client's
// children, which it reaches by their memory or, as on other machines, by
// connections alone. Counts every memcpy and memmove of 4 KiB and more, of our
// code and of libraries, and the bytes that processes receive from each other
// or write into each other's files in memory; a copy made by a loop or a kernel
// of a program is not seen.
//
//   LOCKSTEP_BINARY=bazel-bin/client/cli/lockstep copies_benchmark
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/benchmark/counted_run.h"

namespace lockstep::internal {
namespace {

constexpr int kDevices = 8;
constexpr int kCalls = 5;
constexpr int64_t kBytes = int64_t{64} << 20;
constexpr int64_t kElements = kBytes / sizeof(float);

CopyCounts* counts = nullptr;

absl::Status CountCalls(const char* what, int calls,
                        const std::function<absl::Status()>& f) {
  counts->copies = counts->copied_bytes = counts->moved_bytes = 0;
  for (int i = 0; i < calls; ++i) RETURN_IF_ERROR(f());
  const auto mebibytes = [&](int64_t bytes) {
    return static_cast<double>(bytes) / calls / (1 << 20);
  };
  std::printf("  %-46s %8.1f %10.1f %10.1f\n", what,
              static_cast<double>(counts->copies) / calls,
              mebibytes(counts->copied_bytes), mebibytes(counts->moved_bytes));
  return absl::OkStatus();
}

// After a first call, which compiles.
absl::Status Count(const char* what, const std::function<absl::Status()>& f) {
  RETURN_IF_ERROR(f());
  return CountCalls(what, kCalls, f);
}

absl::Status CountView(const char* title, PmapOptions options) {
  std::printf("%-48s %8s %10s %10s\n", title, "copies", "copied", "moved");
  std::printf("%-48s %8s %10s %10s\n", "", "a call", "MiB", "MiB");
  options.axis_name = "i";
  auto take_rows = pmap([](Tensor x) { return psum(sum(x), "i"); }, options);
  auto add_one = pmap([](Tensor x) { return x + 1.0f; }, options);
  PmapOptions whole_first = options;
  whole_first.in_axes = {std::nullopt, 0};
  auto take_whole = pmap(
      [](Tensor x, Tensor i) { return psum(sum(x) * i, "i"); }, whole_first);
  std::vector<float> host(kElements);
  std::iota(host.begin(), host.end(), 0.0f);
  ASSIGN_OR_RETURN(const Array rows,
                   Array::FromValues({kDevices, kElements / kDevices}, host));
  ASSIGN_OR_RETURN(const Array whole, Array::FromValues({kElements}, host));
  const Array ones(std::vector<float>(kDevices, 1.0f));
  const auto put_rows = [&] {
    const auto y = take_rows(rows);
    return y.ok() ? y->Await() : y.status();
  };
  RETURN_IF_ERROR(
      CountCalls("an argument, the first call of the process", 1, put_rows));
  RETURN_IF_ERROR(Count("an argument, a row to each device", put_rows));
  RETURN_IF_ERROR(Count("an unmapped argument, the whole to each", [&] {
    const auto y = take_whole(whole, ones);
    return y.ok() ? y->Await() : y.status();
  }));
  ASSIGN_OR_RETURN(const Array result, add_one(rows));
  RETURN_IF_ERROR(Count("a result on devices as the next argument", [&] {
    const auto y = take_rows(result);
    return y.ok() ? y->Await() : y.status();
  }));
  RETURN_IF_ERROR(Count("a result, ToVector",
                        [&] { return result.ToVector<float>().status(); }));
  RETURN_IF_ERROR(
      Count("a result, Fetch", [&] { return result.Fetch().status(); }));
  PmapOptions columns = options;
  columns.out_axes = 1;
  // Rows of 64 KiB each, so that what is written of one is seen.
  auto add_one_in_columns =
      pmap([](Tensor x) { return reshape(x, {-1, 16384}) + 1.0f; }, columns);
  ASSIGN_OR_RETURN(const Array stacked, add_one_in_columns(rows));
  return Count("a result mapped along dimension 1, Fetch",
               [&] { return stacked.Fetch().status(); });
}

absl::Status Main() {
  {
    ASSIGN_OR_RETURN(
        const Client client,
        Client::Embedded({.hosts = 2, .devices_per_host = kDevices / 2}));
    PmapOptions options;
    options.view = client.view();
    RETURN_IF_ERROR(CountView("global view, 2 hosts x 4 devices", options));
    ASSIGN_OR_RETURN(const Client elsewhere,
                     Client::Connect(client.address(), {.uses_memory = false}));
    options.view = elsewhere.view();
    RETURN_IF_ERROR(CountView("the same, by connections", options));
  }
  InitializeOptions options;
  options.num_cpu_devices = kDevices;
  RETURN_IF_ERROR(Initialize(options));
  RETURN_IF_ERROR(CountView("host view, 1 host x 8 devices", {}));
  return Shutdown();
}

}  // namespace
}  // namespace lockstep::internal

int main(int, char** argv) {
  lockstep::internal::counts = lockstep::internal::CountsOfRun();
  if (lockstep::internal::counts == nullptr) {
    lockstep::internal::RunWithCounter(argv);
  }
  const absl::Status status = lockstep::internal::Main();
  lockstep::internal::EndCountedRun();
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", lockstep::internal::StatusLine(status).c_str());
  return 1;
}
