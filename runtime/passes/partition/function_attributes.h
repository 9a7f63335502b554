#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_FUNCTION_ATTRIBUTES_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_FUNCTION_ATTRIBUTES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/sharding/manual_shardings.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/sharding/function_shardings.h"
#include "runtime/sharding/sharding_change.h"

namespace lockstep::internal {

// Between the attributes of a function and the shardings beside it, which
// propagation works on. Borrows the function and the mesh. Used once.
class FunctionAttributes {
 public:
  FunctionAttributes(Function& function, const ModuleMesh& mesh)
      : function_(function), mesh_(mesh) {}

  // Errors are those of ops, with their place.
  absl::Status Read();
  // As the module of the function says, by kConservativePropagation and
  // kGspmdPropagation. Both others may be null. `after_priority` is called
  // after each user priority, with its name, when the attributes are as
  // propagation has them then.
  absl::Status Propagate(
      const Module& module, ShardingChangeObserver on_change = nullptr,
      const std::function<void(absl::string_view)>& after_priority = nullptr);
  void Write();

  const FunctionShardings& shardings() const { return shardings_; }

 private:
  absl::Status ReadRegion(const Region& region);
  absl::Status ReadManual(const Op& op);
  // Manual axes along which it is not split are replicated.
  TensorSharding WithManualAxes(
      const TensorSharding& sharding,
      const std::vector<std::string>& manual_axes) const;
  // Whoever passes arguments and takes results sees shards of equal sizes.
  TensorSharding Exported(const TensorSharding& sharding,
                          const Type& type) const;
  void WriteBorder(const TensorSharding* sharding, const Type& type,
                   AttributeMap& attributes);
  void WriteRegion(const Region& region);
  // Open, with priorities and replicated axes.
  void WriteAsIs(const FunctionShardings& shardings);
  void WriteAsIs(const FunctionShardings& shardings, const Region& region);
  void WriteResults(const FunctionShardings& all, Op& op);
  void WriteManual(const ManualShardings& manual, Op& op);

  Function& function_;
  const ModuleMesh& mesh_;
  FunctionShardings shardings_;
  std::map<int64_t, ShardingGroup> groups_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_FUNCTION_ATTRIBUTES_H_
