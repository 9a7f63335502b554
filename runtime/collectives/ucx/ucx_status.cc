#include "runtime/collectives/ucx/ucx_status.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

absl::StatusCode CodeOf(ucs_status_t status) {
  switch (status) {
    case UCS_ERR_UNREACHABLE:
    case UCS_ERR_NOT_CONNECTED:
    case UCS_ERR_CONNECTION_RESET:
    case UCS_ERR_REJECTED:
    case UCS_ERR_ENDPOINT_TIMEOUT:
    case UCS_ERR_IO_ERROR:
    case UCS_ERR_NO_DEVICE:
      return absl::StatusCode::kUnavailable;
    case UCS_ERR_TIMED_OUT:
      return absl::StatusCode::kDeadlineExceeded;
    case UCS_ERR_NO_MEMORY:
    case UCS_ERR_NO_RESOURCE:
    case UCS_ERR_EXCEEDS_LIMIT:
      return absl::StatusCode::kResourceExhausted;
    case UCS_ERR_INVALID_PARAM:
    case UCS_ERR_INVALID_ADDR:
      return absl::StatusCode::kInvalidArgument;
    case UCS_ERR_UNSUPPORTED:
    case UCS_ERR_NOT_IMPLEMENTED:
      return absl::StatusCode::kUnimplemented;
    case UCS_ERR_CANCELED:
      return absl::StatusCode::kCancelled;
    default:
      return absl::StatusCode::kInternal;
  }
}

}  // namespace

absl::Status FromUcx(ucs_status_t status, absl::string_view what) {
  if (status == UCS_OK) return absl::OkStatus();
  return absl::Status(
      CodeOf(status),
      absl::StrCat(what, ": ",
                   absl::AsciiStrToLower(ucs_status_string(status))));
}

}  // namespace lockstep::internal
