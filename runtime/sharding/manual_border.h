#ifndef LOCKSTEP_RUNTIME_SHARDING_MANUAL_BORDER_H_
#define LOCKSTEP_RUNTIME_SHARDING_MANUAL_BORDER_H_

#include <string>
#include <vector>

#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// What a sdy.manual_computation says of its operands and results. Manual axes
// stand before the others in a dim, and where a sharding has them in no dim,
// in `replicated`. Priorities count as 0 (Shardy). A value type.
struct ManualShardings {
  std::vector<TensorSharding> in;   // one per operand
  std::vector<TensorSharding> out;  // one per result
  std::vector<std::string> manual_axes;

  friend bool operator==(const ManualShardings&,
                         const ManualShardings&) = default;
};

// Between what a value is outside of a sdy.manual_computation and what it is in
// the body, where tensors are shards along the manual axes and nothing says so.
// A value type.
class ManualBorder {
 public:
  // `outside` is one of the shardings of ManualShardings.
  ManualBorder(TensorSharding outside, std::vector<std::string> manual_axes);

  // `outside` without manual axes.
  TensorSharding Inside(const TensorSharding& outside) const;
  // With the manual axes that the border has, in front of those of `inside`.
  TensorSharding Outside(const TensorSharding& inside) const;

 private:
  bool IsManual(const AxisRef& axis) const;
  std::vector<AxisRef> Free(const std::vector<AxisRef>& axes) const;

  TensorSharding outside_;
  std::vector<std::string> manual_axes_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_MANUAL_BORDER_H_
