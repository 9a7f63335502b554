#ifndef LOCKSTEP_RUNTIME_FRONTEND_RESOURCE_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_RESOURCE_PARSER_H_

#include <functional>

#include "absl/status/status.h"
#include "runtime/frontend/cursor.h"

namespace lockstep::internal {

// Called with the key and the string of each entry of
// dialect_resources.builtin.
using ResourceFn = std::function<void(const Token& key, const Token& value)>;

// {-# dialect_resources: { builtin: { key: "0x.." } } #-}. Sections for others
// are read over.
absl::Status ParseResources(Cursor& cursor, const ResourceFn& on_resource);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_RESOURCE_PARSER_H_
