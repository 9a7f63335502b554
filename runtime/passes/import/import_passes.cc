#include "runtime/passes/import/import_passes.h"

#include "runtime/passes/import/import_gspmd.h"
#include "runtime/passes/import/import_shardings.h"
#include "runtime/passes/optimize/passes.h"

namespace lockstep::internal {

void AddImportPasses(PassManager& passes) {
  // Before calls are inlined, on some of which shardings stand.
  passes.Add(ImportGspmd());
  // Shardings do not see through calls.
  passes.Add(InlineCalls());
  passes.Add(EliminateDeadCode());
  passes.Add(ImportShardings());
}

}  // namespace lockstep::internal
