#include "client/bench/launch_limits.h"

#include <algorithm>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/substitute.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr int kLaunches = 8;

// Makes what the others work on: numbers between -1 and 1, which differ.
constexpr char kNumbers[] = R"(
module @numbers attributes {mhlo.num_replicas = $0 : i32} {
  func.func @main() -> (tensor<2048x2048xf32>, tensor<1024x1024xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<4194304xf32>
    %1 = stablehlo.sine %0 : tensor<4194304xf32>
    %2 = stablehlo.reshape %1 : (tensor<4194304xf32>) -> tensor<2048x2048xf32>
    %3 = stablehlo.slice %2 [0:1024, 0:1024]
        : (tensor<2048x2048xf32>) -> tensor<1024x1024xf32>
    return %2, %3 : tensor<2048x2048xf32>, tensor<1024x1024xf32>
  }
})";

// A copy of 16 MiB, and a kernel that is one but for a sum.
constexpr char kCopy[] = R"(
module @copy attributes {mhlo.num_replicas = $0 : i32} {
  func.func @main(%x: tensor<2048x2048xf32>)
      -> (tensor<2048x2048xf32>, tensor<2048x2048xf32>) {
    %0 = stablehlo.add %x, %x : tensor<2048x2048xf32>
    return %x, %0 : tensor<2048x2048xf32>, tensor<2048x2048xf32>
  }
})";

constexpr char kProduct[] = R"(
module @product attributes {mhlo.num_replicas = $0 : i32} {
  func.func @main(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
        : (tensor<1024x1024xf32>, tensor<1024x1024xf32>)
          -> tensor<1024x1024xf32>
    return %0 : tensor<1024x1024xf32>
  }
})";

// Of one execution.
using Work = absl::FunctionRef<double(const ProfiledThunk&)>;

// The highest rate of a thunk. One device's: others may keep the cores from it
// some of the time.
double BestRate(const DeviceProfile& device, Work work) {
  double best = 0;
  for (size_t i = 0; i < device.thunks.size(); ++i) {
    const double seconds = absl::ToDoubleSeconds(device.times[i].longest);
    if (seconds > 0) best = std::max(best, work(device.thunks[i]) / seconds);
  }
  return best;
}

class Measuring {
 public:
  Measuring(const Client& client, const std::vector<GlobalDeviceId>& devices)
      : client_(client) {
    for (const Device& device : client.devices()) {
      if (std::find(devices.begin(), devices.end(), device.id) !=
          devices.end()) {
        devices_.push_back(device);
      }
    }
  }

  absl::StatusOr<ClusterProgram> Load(absl::string_view text) const {
    return client_.LoadProgram(absl::Substitute(text, devices_.size()),
                               {.devices = devices_});
  }

  absl::StatusOr<double> Best(absl::string_view text, const Array& argument,
                              Work work) const {
    ASSIGN_OR_RETURN(const ClusterProgram program, Load(text));
    double best = 0;
    for (int i = 0; i < kLaunches; ++i) {
      ASSIGN_OR_RETURN(const LaunchProfile profile,
                       client_.Profile(program, {argument}));
      for (const DeviceProfile& device : profile.devices) {
        best = std::max(best, BestRate(device, work));
      }
    }
    return best;
  }

 private:
  const Client& client_;
  std::vector<Device> devices_;
};

}  // namespace

absl::StatusOr<LaunchLimits> MeasureLaunchLimits(
    const Client& client, const std::vector<GlobalDeviceId>& devices) {
  const Measuring measuring(client, devices);
  ASSIGN_OR_RETURN(const ClusterProgram numbers, measuring.Load(kNumbers));
  ASSIGN_OR_RETURN(const std::vector<Array> made, client.Run(numbers, {}));
  LaunchLimits limits;
  limits.bytes_origin = "copy of 16 MiB";
  ASSIGN_OR_RETURN(
      limits.bytes_per_second,
      measuring.Best(kCopy, made[0], [](const ProfiledThunk& thunk) {
        return static_cast<double>(thunk.bytes);
      }));
  limits.flops_origin = "f32 product of 1024x1024";
  ASSIGN_OR_RETURN(
      limits.flops_per_second,
      measuring.Best(kProduct, made[1],
                     [](const ProfiledThunk& thunk) { return thunk.flops; }));
  return limits;
}

}  // namespace lockstep::internal
