#include "tests/conformance/backend/executable_runner.h"

#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/devices/platform.h"

namespace lockstep::internal {
namespace {

// LOCKSTEP_TEST_PLATFORM, which tests/conformance/fake_platform, cuda_platform
// and cuda_backend set.
std::string TestedPlatform() {
  const char* const platform = std::getenv("LOCKSTEP_TEST_PLATFORM");
  return platform == nullptr ? "cpu" : platform;
}

// LOCKSTEP_TEST_LAUNCHES: for backends whose later launches differ from the
// first.
int TestedLaunches() {
  const char* const launches = std::getenv("LOCKSTEP_TEST_LAUNCHES");
  return launches == nullptr ? 1 : std::atoi(launches);
}

}  // namespace

std::string TestedBackendName() {
  const char* const backend = std::getenv("LOCKSTEP_TEST_BACKEND");
  return backend == nullptr ? "cpu" : backend;
}

absl::StatusOr<DeviceLiterals> RunExecutable(const Executable& executable,
                                             const DeviceLiterals& arguments) {
  const int devices = executable.replica_count() * executable.partition_count();
  // Kept for the next run: a GPU takes a while to open. Never destroyed, for at
  // the end of the process there may be no driver.
  static auto& open = *new std::unique_ptr<Platform>;
  if (open == nullptr || static_cast<int>(open->devices().size()) < devices) {
    open.reset();
    PlatformOptions options;
    options.device_count = devices;
    options.ordinals.resize(static_cast<size_t>(devices));
    std::iota(options.ordinals.begin(), options.ordinals.end(), 0);
    ASSIGN_OR_RETURN(open, MakePlatform(TestedPlatform(), options));
  }
  const std::vector<const Executable*> executables(static_cast<size_t>(devices),
                                                   &executable);
  const auto launch = [&] {
    InProcessCliqueProvider provider;
    auto results = RunOnLiterals(*open, provider, executables, arguments);
    if (!results.ok()) open.reset();  // a device may be lost
    return results;
  };
  for (int launches = TestedLaunches(); launches > 1; --launches) {
    RETURN_IF_ERROR(launch().status());
  }
  return launch();
}

DeviceLiterals ArgumentsFor(const Executable& executable) {
  DeviceLiterals arguments;
  const int devices = executable.replica_count() * executable.partition_count();
  for (int device = 0; device < devices; ++device) {
    std::vector<Literal>& list = arguments.emplace_back();
    int next = device + 1;
    for (const Shape& shape : executable.argument_shapes()) {
      Literal& literal = list.emplace_back(shape);
      DispatchElementType(
          shape.element_type(), [&]<typename T>(std::type_identity<T>) {
            for (T& x : literal.mutable_data<T>()) {
              const float value = static_cast<float>(next % 7) - 2.5f;
              if constexpr (std::is_constructible_v<T, float>) {
                x = static_cast<T>(value);
              }
              next += 3;
            }
          });
    }
  }
  return arguments;
}

}  // namespace lockstep::internal
