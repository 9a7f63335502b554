#ifndef LOCKSTEP_CLIENT_JIT_REPLICATION_H_
#define LOCKSTEP_CLIENT_JIT_REPLICATION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/manual_shardings.h"

namespace lockstep::internal {

// Whether the results of the body of a manual computation are equal along the
// manual axes that their out shardings do not name, as far as this follows from
// the ops: arguments are equal along axes that their shardings do not name,
// collectives make their results equal along the axes of their groups, and all
// else is equal where its operands are. INVALID_ARGUMENT names a result, by
// `paths`, and an axis, with `what` before them.
absl::Status CheckReplication(const Region& body, const ManualShardings& manual,
                              const AbstractMesh& mesh, absl::string_view what,
                              const std::vector<std::string>& paths);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_JIT_REPLICATION_H_
