#include "runtime/passes/partition/import_gspmd.h"

#include "runtime/base/status.h"
#include "runtime/ir/shardings.h"
#include "runtime/passes/partition/annotation_calls.h"
#include "runtime/passes/partition/gspmd_attributes.h"
#include "runtime/passes/partition/shape_change.h"

namespace lockstep::internal {

Pass ImportGspmd() {
  return {"import_gspmd", [](Module& module) -> absl::Status {
            ShapeChanges changes;
            RETURN_IF_ERROR(ImportGspmdAttributes(module, changes));
            RETURN_IF_ERROR(VerifyShardings(module));
            return ReplaceAnnotationCalls(module);
          }};
}

}  // namespace lockstep::internal
