#include "runtime/callbacks/callback_scope.h"

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

thread_local const std::string* current_callback = nullptr;

}  // namespace

CallbackScope::CallbackScope(const std::string& callback)
    : previous_(current_callback) {
  current_callback = &callback;
}

CallbackScope::~CallbackScope() { current_callback = previous_; }

absl::Status CallbackScope::CheckOutside() {
  if (current_callback == nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      *current_callback,
      ": a callback cannot launch programs, meet other hosts or leave the "
      "cluster: the launch that calls it would wait for itself"));
}

}  // namespace lockstep::internal
