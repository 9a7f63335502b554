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
// results of collectives where devices receive equal values, numbers of devices
// (axis_index) where these are, and all else where its operands are.
// What JAX's types of varying values accept is accepted. INVALID_ARGUMENT names
// a result, by `paths`, and an axis, with `what` before them.
absl::Status CheckReplication(const Region& body, const ManualShardings& manual,
                              const AbstractMesh& mesh, absl::string_view what,
                              const std::vector<std::string>& paths);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_JIT_REPLICATION_H_
