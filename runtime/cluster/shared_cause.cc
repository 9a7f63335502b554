#include "runtime/cluster/shared_cause.h"

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kShared = "lockstep/shared_cause";
constexpr absl::string_view kSuspicion = "lockstep/suspicion";

}  // namespace

absl::Status AsSharedCause(absl::Status cause) {
  cause.SetPayload(kShared, absl::Cord());
  return cause;
}

bool IsSharedCause(const absl::Status& cause) {
  return cause.GetPayload(kShared).has_value();
}

absl::Status AsSuspicion(absl::Status cause) {
  cause.SetPayload(kSuspicion, absl::Cord());
  return cause;
}

bool IsSuspicion(const absl::Status& cause) {
  return cause.GetPayload(kSuspicion).has_value();
}

absl::Status AsVerdict(absl::Status suspicion) {
  suspicion.ErasePayload(kSuspicion);
  return suspicion;
}

}  // namespace lockstep::internal
