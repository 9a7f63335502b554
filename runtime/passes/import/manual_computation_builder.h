#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_MANUAL_COMPUTATION_BUILDER_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_MANUAL_COMPUTATION_BUILDER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_builder.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/passes/import/value_origins.h"

namespace lockstep::internal {

// Collects what becomes one sdy.manual_computation, at the end of a region.
// Values are named as they are outside: what stands for them inside, the
// builder knows. Used by one thread, once.
class ManualComputationBuilder {
 public:
  // Borrows all of them. `outside` says what stands for values of the original
  // module around the computation.
  ManualComputationBuilder(Region& region, const ValueMap& outside,
                           ValueOrigins& origins);

  // `shard` is, inside, what devices have of `whole`. Dropped if nothing uses
  // it.
  void AddInput(Value* whole, TensorSharding sharding, const Value* shard);
  // In their order. Keeps the op and its results.
  void AddOp(std::unique_ptr<Op> op);
  // `type` is that of the whole value.
  void AddOutput(Value* shard, TensorSharding sharding, Type type);

  // Values from outside that are used inside are computed again there, or
  // become inputs (BuildManualRegions). Errors are those of the op, with its
  // location.
  absl::StatusOr<Op*> Build(const std::vector<std::string>& manual_axes,
                            Location location);

  // The ops that were computed again.
  const std::vector<const Op*>& copied() const { return copied_; }

 private:
  struct Input {
    Value* whole;
    TensorSharding sharding;
    const Value* shard;
  };

  void AddOperand(Input input);
  void BringIn();
  std::vector<Value*> ValuesUsed() const;

  const ValueMap& outside_;
  ValueOrigins& origins_;
  OpBuilder builder_;
  std::unique_ptr<Region> body_;
  ValueMap inside_;
  std::vector<std::unique_ptr<Op>> ops_;
  absl::flat_hash_set<const Value*> computed_;  // by ops_
  std::vector<Input> inputs_;
  std::vector<Value*> operands_;
  std::vector<TensorSharding> in_shardings_;
  std::vector<Value*> outputs_;
  std::vector<Type> types_;
  std::vector<TensorSharding> out_shardings_;
  std::vector<const Op*> copied_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_MANUAL_COMPUTATION_BUILDER_H_
