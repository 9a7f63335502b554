#ifndef LOCKSTEP_CLIENT_JIT_CUSTOM_PARTITION_CALLS_H_
#define LOCKSTEP_CLIENT_JIT_CUSTOM_PARTITION_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "client/jit/custom_partition.h"
#include "client/jit/jit_program.h"
#include "client/tracer/axis_environment.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"
#include "client/trees/tree.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// A function with a partitioning of its own, called in a program over whole
// arrays. In the module it is
//   stablehlo.custom_call @lockstep.custom_partitioning(..)
//     {backend_config = {number = 0}, sdy.sharding_rule = #sdy..}
// and propagates shardings by its rule, until resolve_custom_partitions.h puts
// what runs on the devices in its place.
struct CustomPartitionCall {
  std::shared_ptr<const CustomPartitionDefinition> definition;
  SourceLocation place;
  // Around the call.
  AxisEnvironment axes;
  // Which leaf stands where: a list of the arguments, and the result.
  Tree<size_t> arguments;
  Tree<size_t> results;
};

// Those of one program, by the numbers in its module. Filled while it is
// traced, by that thread; immutable afterwards.
class CustomPartitionCalls {
 public:
  // Calls that are traced on this thread while it lives are added to `calls`.
  class Scope {
   public:
    explicit Scope(CustomPartitionCalls* calls);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    CustomPartitionCalls* const previous_;
  };
  // Null: no such program is traced.
  static CustomPartitionCalls* Current();

  size_t size() const { return calls_.size(); }
  // The number.
  int64_t Add(CustomPartitionCall call) {
    calls_.push_back(std::move(call));
    return static_cast<int64_t>(calls_.size()) - 1;
  }
  const CustomPartitionCall& at(int64_t number) const {
    return calls_[static_cast<size_t>(number)];
  }

 private:
  std::vector<CustomPartitionCall> calls_;
};

// The number of the call that an op stands for; none: it is another op.
std::optional<int64_t> CustomPartitionNumber(const Op& op);

// The call on tensors of a trace; `structure`, a list of the arguments, says
// which stands where, `body` is the function. It is called as it is where there
// is nothing to partition: in a mapped function, on one device, and where all
// axes are manual. Gives the results; poisoned after an error, which is the
// trace's, with the place: FAILED_PRECONDITION without a definition;
// INVALID_ARGUMENT where the function uses tensors that are no arguments, and
// for a rule that does not fit.
std::vector<Tensor> CallWithCustomPartition(
    const std::shared_ptr<const CustomPartitionDefinition>& definition,
    const SourceLocation& place, const std::vector<Tensor>& tensors,
    const Tree<size_t>& structure, const JitTrace& body);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_JIT_CUSTOM_PARTITION_CALLS_H_
