#include "runtime/ops/branches.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/checks/region_checks.h"

namespace lockstep::internal {

absl::StatusOr<std::vector<Type>> InferBranches(const Op& op) {
  ASSIGN_OR_RETURN(std::vector<Type> types, ReturnedTypes(op, op.region(0)));
  for (int i = 0; i < op.region_count(); ++i) {
    const std::string name = absl::StrCat("branch ", i);
    RETURN_IF_ERROR(CheckRegionArguments(op, name, op.region(i), {}));
    RETURN_IF_ERROR(CheckRegionResults(op, name, op.region(i), types));
  }
  return types;
}

}  // namespace lockstep::internal
