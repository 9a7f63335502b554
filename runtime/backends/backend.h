#ifndef LOCKSTEP_RUNTIME_BACKENDS_BACKEND_H_
#define LOCKSTEP_RUNTIME_BACKENDS_BACKEND_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/executable/executable.h"
#include "runtime/executable/overlap_plan.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/device_assignment.h"

namespace lockstep::internal {

class HostCallbacks;

struct CompileOptions {
  // Positions of arguments whose memory results may take over. Ascending.
  std::vector<int> donated_arguments;
  // Where compiled code is kept between processes; "": nowhere. Has no
  // influence on the executable.
  std::string cache_directory = {};
  // Which collectives run beside other work. The same on all hosts.
  OverlapPolicy overlap = {};
  // The functions of this process that the program calls; null: none are here.
  // They differ between hosts and have no influence on the dump.
  std::shared_ptr<const HostCallbacks> callbacks = nullptr;
  // To look at what is compiled: calls of functions that are not here fail when
  // they run.
  bool allows_missing_callbacks = false;
};

// Turns programs into executables for one kind of device. Stateless and
// thread-safe; lives for ever.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string name() const = 0;  // "interpreter"
  // Changes whenever the same program may give another executable; part of
  // fingerprints.
  virtual std::string version() const = 0;
  // Of the devices it compiles for: "cpu".
  virtual std::string platform() const = 0;
  // Whether it compiles lockstep.fusion into one kernel. Only then programs are
  // optimised (runtime/passes) before Compile.
  virtual bool compiles_fusions() const { return false; }
  // Whether its kernels have code for `op`, so that a lockstep.fusion may
  // contain it. Asked when it compiles fusions, for ops of a verified module.
  virtual bool CanFuse(const Op& op) const { return true; }
  // Whether it computes `fusion`, a lockstep.fusion of kind dot that is in no
  // region yet, at once. Asked when it compiles fusions.
  virtual bool CanFuseDot(const Op& fusion) const { return false; }
  // Whether it computes `op`, a dot_general, faster when the batching dims of
  // its operands come first, transposes included. Asked when it compiles
  // fusions.
  virtual bool WantsBatchFirst(const Op& op) const { return false; }

  // `module` is verified. Deterministic: the same module, assignment and
  // options give an executable with the same dump on every host. The
  // executable keeps the module.
  // INVALID_ARGUMENT: replica or partition counts of module and assignment
  // differ (spec J-11), a donated position out of range; names both.
  // UNIMPLEMENTED, with location: an op, type or custom call target that this
  // backend lacks, a callback whose function is not here.
  virtual absl::StatusOr<std::shared_ptr<const Executable>> Compile(
      std::shared_ptr<const Module> module, const DeviceAssignment& assignment,
      const CompileOptions& options) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_BACKEND_H_
