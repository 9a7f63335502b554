#ifndef LOCKSTEP_CLIENT_BENCH_DEVICE_BENCH_H_
#define LOCKSTEP_CLIENT_BENCH_DEVICE_BENCH_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/measurement.h"

namespace lockstep::internal {

struct DeviceBenchOptions {
  std::string backend = {};  // "": what suits
  std::string platform = {};
  std::string cache_directory = {};
  int devices = 1;                      // where the platform does not find them
  std::vector<int> local_devices = {};  // which ones; empty: all
  int64_t side = 0;                     // of matrices; 0: what fills the device
  std::string filter = {};              // only measurements whose names hold it
};

// Where they are taken: "cuda:0 (NVIDIA H200)".
struct DeviceBench {
  std::string device;
  std::vector<Measurement> measurements;
};

// Programs in a worker of this process, as a cluster of one host runs them, on
// its first device; collectives on all. Several launches are under way at a
// time, so that times are the device's where it is slower than the host.
// `begins` hears what is measured next. Errors: of the platform, the backend
// and the programs; NOT_FOUND: nothing has such a name.
absl::StatusOr<DeviceBench> MeasureDevice(
    const DeviceBenchOptions& options,
    const std::function<void(const std::string& name)>& begins);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_BENCH_DEVICE_BENCH_H_
