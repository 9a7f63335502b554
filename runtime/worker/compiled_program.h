#ifndef LOCKSTEP_RUNTIME_WORKER_COMPILED_PROGRAM_H_
#define LOCKSTEP_RUNTIME_WORKER_COMPILED_PROGRAM_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/executable/executable.h"
#include "runtime/executor/device_constants.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {

// A program with its executable, and which of its places are on this host.
class CompiledProgram : public LoadedProgram {
 public:
  struct Parts {
    std::string name;
    DeviceAssignment assignment;
    std::shared_ptr<const Executable> executable;
    std::vector<int> donated_arguments;
    uint64_t fingerprint = 0;
    // The places of this host, ascending, and their devices.
    std::vector<int32_t> local_places;
    std::vector<GlobalDeviceId> local_devices;
    std::vector<std::shared_ptr<const DeviceConstants>> constants;  // of those
    std::vector<HostId> participants;                               // ascending
  };

  explicit CompiledProgram(Parts parts)
      : parts_(std::move(parts)), is_short_(IsShort(*parts_.executable)) {}

  const std::string& name() const override { return parts_.name; }
  const DeviceAssignment& assignment() const override {
    return parts_.assignment;
  }
  const std::vector<Shape>& argument_shapes() const override {
    return parts_.executable->argument_shapes();
  }
  const std::vector<Shape>& result_shapes() const override {
    return parts_.executable->result_shapes();
  }
  uint64_t fingerprint() const override { return parts_.fingerprint; }
  const std::vector<GlobalDeviceId>& local_devices() const override {
    return parts_.local_devices;
  }

  const Executable& executable() const { return *parts_.executable; }
  const std::vector<int32_t>& local_places() const {
    return parts_.local_places;
  }
  const DeviceConstants& constants(size_t local_device) const {
    return *parts_.constants[local_device];
  }
  const std::vector<HostId>& participants() const {
    return parts_.participants;
  }
  bool spans_hosts() const { return parts_.participants.size() > 1; }
  const std::vector<int>& donated_arguments() const {
    return parts_.donated_arguments;
  }
  // Runs for about as long as it takes to hand it to another thread.
  bool is_short() const { return is_short_; }
  // Devices wait for each other.
  bool has_collectives() const {
    return parts_.executable->clique_slot_count() > 0;
  }
  bool is_donated(int argument) const {
    return std::binary_search(parts_.donated_arguments.begin(),
                              parts_.donated_arguments.end(), argument);
  }

 private:
  static bool IsShort(const Executable& executable);

  const Parts parts_;
  const bool is_short_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_COMPILED_PROGRAM_H_
