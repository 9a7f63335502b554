#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_RESHARD_BUILDER_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_RESHARD_BUILDER_H_

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"
#include "runtime/passes/import/module_mesh.h"

namespace lockstep::internal {

// The op that combines partial results of a kind: "stablehlo.add".
absl::string_view ReductionOp(UnreducedKind kind);

// Appends sdy.reshard, sdy.all_reduce and others with a sharding to regions of
// a program over whole tensors, behind PropagateShardings. A value is resharded
// once to each sharding, in a region and those inside of it. Borrows the mesh.
class ReshardBuilder {
 public:
  explicit ReshardBuilder(const ModuleMesh& mesh) : mesh_(mesh) {}

  // Appends to `region` as long as it lives; then to the one before.
  class Scope {
   public:
    Scope(ReshardBuilder& builder, Region& region);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    ReshardBuilder& builder_;
    Region* const outer_;
    // A value of an outer region may be resharded for this one alone.
    const size_t known_;
  };

  Region& region() { return *region_; }
  // Of the ops to come.
  void set_location(Location location) { location_ = std::move(location); }

  // The result of a new op; `type`: where the op does not infer it.
  absl::StatusOr<Value*> Build(absl::string_view name,
                               std::vector<Value*> operands,
                               AttributeMap attributes,
                               const TensorSharding& sharding,
                               std::optional<Type> type = std::nullopt);
  // The value at another sharding, also with other unreduced axes: what is no
  // longer partial is summed.
  absl::StatusOr<Value*> Reshard(Value* value, const TensorSharding& sharding);
  // `combiner` ("stablehlo.add") over `axes`, which leaves the sharding.
  absl::StatusOr<Value*> AllReduce(Value* value,
                                   const std::vector<AxisRef>& axes,
                                   const TensorSharding& sharding,
                                   absl::string_view combiner);

 private:
  // What was resharded to give `value`, where each device has its part of that
  // at `to` already; else `value`.
  Value* SourceOfPart(Value* value, const TensorSharding& to) const;
  // By the op that made it (made_again.h).
  absl::StatusOr<Value*> MakeAgain(Value* value, const TensorSharding& to);
  absl::StatusOr<Value*> ReshardAnew(Value* value, TensorSharding at,
                                     const TensorSharding& to);
  // Where the last axes of dims are to be unreduced. Changes `at` with it.
  absl::StatusOr<Value*> MakePartialSums(Value* value, TensorSharding& at,
                                         const TensorSharding& to);
  absl::StatusOr<Value*> Reduction(absl::string_view name,
                                   absl::string_view axes_attribute,
                                   Value* value,
                                   const std::vector<AxisRef>& axes,
                                   const TensorSharding& sharding,
                                   absl::string_view combiner);

  const ModuleMesh& mesh_;
  Region* region_ = nullptr;
  Location location_;
  // Of a value: what it was resharded to in this region or around it.
  absl::flat_hash_map<const Value*,
                      std::vector<std::pair<TensorSharding, Value*>>>
      reshards_;
  // The values of its entries, in the order in which these were made.
  std::vector<const Value*> resharded_;
  int remade_ = 0;  // of MakeAgain, under way
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_RESHARD_BUILDER_H_
