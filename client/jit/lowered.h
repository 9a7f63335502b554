#ifndef LOCKSTEP_CLIENT_JIT_LOWERED_H_
#define LOCKSTEP_CLIENT_JIT_LOWERED_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "client/jit/jit_program.h"
#include "runtime/ir/module.h"

namespace lockstep {

// What one run of a program takes on one device, as estimated from its shapes
// (spec T-25).
struct ProgramCost {
  double flops = 0;
  // Of device memory, as if every op read its operands and wrote its results.
  double bytes_accessed = 0;
  // What the device sends to others in collectives.
  double bytes_communicated = 0;
};

// A program as every device runs it: on shards, with collectives between them.
// A value type.
class PartitionedProgram {
 public:
  explicit PartitionedProgram(std::shared_ptr<const internal::Module> module)
      : module_(std::move(module)) {}
  std::string as_text() const;
  ProgramCost cost() const;

 private:
  std::shared_ptr<const internal::Module> module_;
};

// The forms in which a program may say its shardings.
enum class ShardingForm { kShardy, kGspmd };

// A function as a program over whole arrays, with the shardings that are known
// before propagation. A value type.
class Lowered {
 public:
  explicit Lowered(internal::JitProgram program)
      : program_(std::move(program)) {}

  // StableHLO with ops and attributes of sdy (spec Y-5, Y-6, Y-7).
  std::string as_text() const;
  // The same in one of the forms (spec Y-5, Y-6, Y-7). UNIMPLEMENTED: what
  // GSPMD has no form for.
  absl::StatusOr<std::string> as_text(ShardingForm form) const;
  // INVALID_ARGUMENT and UNIMPLEMENTED, with the place in the source: what
  // cannot be split. Errors of custom_partitioning.
  absl::StatusOr<PartitionedProgram> compile() const;

 private:
  internal::JitProgram program_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_LOWERED_H_
