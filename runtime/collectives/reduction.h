#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_REDUCTION_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_REDUCTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/types/element_type.h"

namespace lockstep::internal {

// The bodies of one operation.
enum class ReductionKind {
  kAdd,
  kMultiply,
  kMaximum,
  kMinimum,
  kAnd,
  kOr,
  kXor
};

// How the members' values are combined, elementwise. The order of combination
// is the communicator's: the tree of runtime/mesh/reduction_tree.h, which
// depends on the ordered group only. Thread-safe: the ranks of one process
// share one object.
class Reduction {
 public:
  virtual ~Reduction() = default;

  // Of the operands and the result.
  virtual ElementType element_type() const = 0;
  // Of the partial results that Load makes and Combine works on: f32 for f16
  // and bf16 with a body of one add or multiply, else element_type(). Partial
  // results travel between hosts in this type.
  virtual ElementType accumulation_type() const = 0;
  // Nothing: a body of its own.
  virtual std::optional<ReductionKind> kind() const { return std::nullopt; }

  // accumulator[i] = operand[i], converted.
  virtual void Load(const std::byte* operand, std::byte* accumulator,
                    int64_t count) const = 0;
  // accumulator[i] = body(accumulator[i], operand[i]); both of
  // accumulation_type().
  virtual absl::Status Combine(std::byte* accumulator, const std::byte* operand,
                               int64_t count) const = 0;
  // result[i] = accumulator[i], rounded once to nearest even.
  virtual void Store(const std::byte* accumulator, std::byte* result,
                     int64_t count) const = 0;
};

// UNIMPLEMENTED when `kind` has no meaning for `type` (kAnd on floats).
// kPred: add and maximum are or, multiply and minimum are and. Maximum and
// minimum of floats: a NaN operand gives NaN, -0 < +0; of complex numbers:
// lexicographic, an operand with a NaN wins (runtime/types/scalar_math.h).
absl::StatusOr<std::unique_ptr<Reduction>> MakeReduction(ReductionKind kind,
                                                         ElementType type);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_REDUCTION_H_
