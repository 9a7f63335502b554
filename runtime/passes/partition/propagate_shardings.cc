#include <utility>

#include "runtime/base/status.h"
#include "runtime/ir/module.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/passes/partition/function_attributes.h"
#include "runtime/passes/partition/passes.h"

namespace lockstep::internal {

Pass PropagateShardings(
    std::function<void(absl::string_view stage, const Module&)> observer) {
  return {
      "propagate_shardings",
      [observer = std::move(observer)](Module& module) -> absl::Status {
        ASSIGN_OR_RETURN(const ModuleMesh mesh, MeshOfModule(module));
        ASSIGN_OR_RETURN(Function * entry, module.EntryFunction());
        FunctionAttributes attributes(*entry, mesh);
        RETURN_IF_ERROR(attributes.Read());
        std::function<void(absl::string_view)> after_priority;
        if (observer != nullptr) {
          after_priority = [&](absl::string_view stage) {
            observer(stage, module);
          };
        }
        RETURN_IF_ERROR(attributes.Propagate(module, nullptr, after_priority));
        attributes.Write();
        return absl::OkStatus();
      }};
}

}  // namespace lockstep::internal
