#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_UNSUPPORTED_REASON_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_UNSUPPORTED_REASON_H_

#include <string>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// Why a case is unsupported, from a closed list, so that cases can be counted
// by it: "op NAME", "element type NAME", "dynamic shape", "quantized",
// "attribute NAME", "literal form", "custom call NAME", "no check", "file
// size", "bytecode", "dense_resource without data", "named parts"; for a
// message of none of these "other".
struct UnsupportedReason {
  std::string reason;
  std::string op;  // the op that the message names; may be empty
};

// From the message of an UNIMPLEMENTED status.
UnsupportedReason ReasonOf(absl::string_view message);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_UNSUPPORTED_REASON_H_
