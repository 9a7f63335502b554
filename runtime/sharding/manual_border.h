#ifndef LOCKSTEP_RUNTIME_SHARDING_MANUAL_BORDER_H_
#define LOCKSTEP_RUNTIME_SHARDING_MANUAL_BORDER_H_

#include <string>
#include <vector>

#include "runtime/mesh/sharding/manual_shardings.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// Between what a value is outside of a sdy.manual_computation and what it is in
// the body, where tensors are shards along the manual axes and nothing says so.
// A value type.
class ManualBorder {
 public:
  // `outside` is one of the shardings of ManualShardings; it has a manual axis
  // along which no dim is split in `replicated`. Priorities count as 0
  // (Shardy).
  ManualBorder(TensorSharding outside, std::vector<std::string> manual_axes);

  // `outside` without manual axes.
  TensorSharding Inside(const TensorSharding& outside) const;
  // With the manual axes that the border has, in front of those of `inside`.
  TensorSharding Outside(const TensorSharding& inside) const;

 private:
  TensorSharding outside_;
  std::vector<std::string> manual_axes_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_MANUAL_BORDER_H_
