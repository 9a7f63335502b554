#ifndef LOCKSTEP_RUNTIME_FRONTEND_SHARDING_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_SHARDING_PARSER_H_

#include <optional>

#include "absl/status/statusor.h"
#include "runtime/frontend/cursor.h"
#include "runtime/ir/attribute.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// "#sdy.sharding<..>" and the other attributes of sdy that have a type in the
// IR; the cursor is behind `name`. Nullopt, and nothing is read, for others.
// INVALID_ARGUMENT has the place of the name and the column behind it.
absl::StatusOr<std::optional<Attribute>> ParseShardingAttribute(
    Cursor& cursor, const Token& name);

// Whether the op at the cursor is sdy.mesh, in either form.
bool IsMesh(const Cursor& cursor);
// Adds it to the meshes of the module. A copy of it in its attributes is
// skipped.
absl::Status ParseMesh(Cursor& cursor, Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_SHARDING_PARSER_H_
