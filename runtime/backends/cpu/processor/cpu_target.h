#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_PROCESSOR_CPU_TARGET_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_PROCESSOR_CPU_TARGET_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// What code that is compiled ahead of time has variants for; each holds those
// before it.
enum class InstructionSet {
  kPlain,
  kAvx2,    // and fused multiply-add
  kAvx512,  // F, BW, DQ, VL
};

// "LOCKSTEP_CPU_TARGET": the name of the target of a process; "" or none is
// "host".
extern const char kCpuTargetVariable[];

// The processor that code is made for. Immutable.
class CpuTarget {
 public:
  // "host" (this machine's processor, all of it), "x86-64-v2", "x86-64-v3" or
  // "x86-64-v4" (the levels of the x86-64 psABI).
  // INVALID_ARGUMENT: another name; lists them. FAILED_PRECONDITION: this
  // machine's processor is not of that kind; names what it lacks.
  static absl::StatusOr<CpuTarget> Parse(absl::string_view name);
  static std::vector<std::string> Names();

  // That of kCpuTargetVariable at the first call; the host's when that names
  // none. Thread-safe.
  static const CpuTarget& OfProcess();
  // Whether kCpuTargetVariable named one, at the first call of OfProcess.
  static absl::Status StatusOfProcess();

  const std::string& name() const { return name_; }
  bool is_host() const { return name_ == "host"; }
  InstructionSet instruction_set() const { return instruction_set_; }
  bool has(InstructionSet set) const { return instruction_set_ >= set; }

 private:
  CpuTarget(std::string name, InstructionSet instruction_set)
      : name_(std::move(name)), instruction_set_(instruction_set) {}

  std::string name_;
  InstructionSet instruction_set_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_PROCESSOR_CPU_TARGET_H_
