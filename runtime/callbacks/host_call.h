#ifndef LOCKSTEP_RUNTIME_CALLBACKS_HOST_CALL_H_
#define LOCKSTEP_RUNTIME_CALLBACKS_HOST_CALL_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/attribute.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// A call of the host by a program, as a stablehlo.custom_call says it:
//   @lockstep.callback     a function of the process that traced the program
//   @lockstep.debug_print  a line of text
// All of it stands in the text, the same on every host. A value type.
struct HostCall {
  enum class Kind { kCallback, kDebugPrint };

  Kind kind = Kind::kCallback;
  std::string name;   // the function that the source called: "io_callback"
  std::string place;  // where: "train.cc:12", without a folder
  // Whether it must be neither removed nor doubled.
  bool has_effect = true;
  // Whether the source asked for program order among the calls of a device.
  bool is_ordered = false;
  int64_t number = 0;  // kCallback: in HostCallbacks
  std::string format;  // kDebugPrint: see PrintFormat

  // "train.cc:12: io_callback".
  std::string ToString() const;
  // Of the custom_call.
  AttributeMap Attributes() const;
};

// Whether `op` is a custom_call with a target of those above.
bool IsHostCall(const Op& op);
// Of such an op. INVALID_ARGUMENT, with its location, when its backend_config
// is not that of a host call.
absl::StatusOr<HostCall> HostCallOf(const Op& op);
// Whether `op` is such an op, and must be neither removed nor doubled.
bool HasHostEffect(const Op& op);

// Where the function that `op` calls is not there. UNIMPLEMENTED with the
// location of the op and the place of the callback.
absl::Status CallbackIsElsewhere(const Op& op, const HostCall& call);
// The same for the first op of a module that calls a function; OK when none
// does.
absl::Status CheckWithoutCallbacks(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CALLBACKS_HOST_CALL_H_
