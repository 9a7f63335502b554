#ifndef LOCKSTEP_RUNTIME_SHARDING_TENSOR_MERGE_H_
#define LOCKSTEP_RUNTIME_SHARDING_TENSOR_MERGE_H_

#include <vector>

namespace lockstep::internal {

// An operand or a result of an op.
struct OpTensor {
  enum class Side { kOperand, kResult };

  Side side = Side::kOperand;
  int index = 0;

  friend bool operator==(const OpTensor&, const OpTensor&) = default;
};

// Which tensor of an op gets axes of which others, the first of which is asked
// first (GSPMD). A value type.
struct TensorMerge {
  OpTensor target;
  std::vector<OpTensor> sources = {};
  // Whether the target may also have axes that a source lacks; else a source
  // gives axes only where it has all of the target's.
  bool combines = true;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_TENSOR_MERGE_H_
