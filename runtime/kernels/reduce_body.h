#ifndef LOCKSTEP_RUNTIME_KERNELS_REDUCE_BODY_H_
#define LOCKSTEP_RUNTIME_KERNELS_REDUCE_BODY_H_

#include <vector>

#include "runtime/kernels/element_emitter.h"

namespace lockstep::internal {

// The accumulators of one stablehlo.reduce and how an element goes in. f16 and
// bf16 accumulate in f32 when the body is a single operation; floats are then
// added and multiplied in any order.
class ReduceBody {
 public:
  explicit ReduceBody(const Op& op);

  const Op& op() const { return op_; }
  int count() const { return op_.result_count(); }
  ElementType accumulator_type(int i) const { return types_[i]; }
  // Whether elements may be combined in any order: the body is one op that is
  // commutative.
  bool is_commutative() const;
  // Whether the init values are known to change nothing, however often they are
  // combined.
  bool has_identity_inits() const;

  // The init values, as accumulators.
  std::vector<int> Init(KernelCode& code, ElementEmitter& emitter) const;
  // body(accumulators, elements); elements are the inputs' scalars.
  std::vector<int> Combine(KernelCode& code, ElementEmitter& emitter,
                           const std::vector<int>& accumulators,
                           const std::vector<int>& elements) const;
  // The op's results.
  std::vector<int> Finish(KernelCode& code,
                          const std::vector<int>& accumulators) const;

 private:
  const Op& op_;
  std::vector<ElementType> types_;
  bool is_single_op_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_REDUCE_BODY_H_
