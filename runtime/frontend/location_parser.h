#ifndef LOCKSTEP_RUNTIME_FRONTEND_LOCATION_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_LOCATION_PARSER_H_

#include "absl/status/status.h"
#include "runtime/frontend/cursor.h"

namespace lockstep::internal {

// loc("f.py":3:8), loc(callsite(#loc1 at #loc2)) and the other forms, if one
// comes. It is checked and dropped: lockstep names places of the text itself.
absl::Status SkipOptionalLocation(Cursor& cursor);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_LOCATION_PARSER_H_
