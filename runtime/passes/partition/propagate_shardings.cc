#include "runtime/base/status.h"
#include "runtime/ir/module.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/passes/partition/function_attributes.h"
#include "runtime/passes/partition/passes.h"

namespace lockstep::internal {

Pass PropagateShardings() {
  return {"propagate_shardings", [](Module& module) -> absl::Status {
            ASSIGN_OR_RETURN(const ModuleMesh mesh, MeshOfModule(module));
            ASSIGN_OR_RETURN(Function * entry, module.EntryFunction());
            FunctionAttributes attributes(*entry, mesh);
            RETURN_IF_ERROR(attributes.Read());
            RETURN_IF_ERROR(attributes.Propagate(module.meshes()));
            attributes.Write();
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
