#include "runtime/cluster/shared_cause.h"

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kPayload = "lockstep/shared_cause";

}  // namespace

absl::Status AsSharedCause(absl::Status cause) {
  cause.SetPayload(kPayload, absl::Cord());
  return cause;
}

bool IsSharedCause(const absl::Status& cause) {
  return cause.GetPayload(kPayload).has_value();
}

}  // namespace lockstep::internal
