#ifndef LOCKSTEP_RUNTIME_FRONTEND_LOCATION_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_LOCATION_PARSER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/frontend/cursor.h"
#include "runtime/ir/location.h"

namespace lockstep::internal {

// The place in a source file, if there is one, that loc("f.py":3:8),
// loc(callsite(#loc1 at #loc2)) and the other forms say: of a call the callee,
// of several fused ones the first; else null. Uses of one alias share it.
// Nothing is consumed when no loc comes.
absl::StatusOr<std::shared_ptr<const Location>> ParseOptionalLocation(
    Cursor& cursor);

// The same where nobody keeps the place.
absl::Status SkipOptionalLocation(Cursor& cursor);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_LOCATION_PARSER_H_
