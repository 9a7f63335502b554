#include "runtime/ir/pass_manager.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/verifier.h"

namespace lockstep::internal {

absl::Status PassManager::Run(Module& module) const {
  for (const Pass& pass : passes_) {
    const absl::Status status = pass.run(module);
    if (!status.ok()) {
      return absl::IsInternal(status) ? Annotate(status, pass.name) : status;
    }
    if (options_.verify_each) {
      const absl::Status valid = Verify(module);
      if (!valid.ok()) {
        return absl::InternalError(
            absl::StrCat(pass.name, " broke the module: ", valid.message()));
      }
    }
    if (options_.after_pass) options_.after_pass(pass.name, module);
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
