#ifndef LOCKSTEP_RUNTIME_WORKER_SESSION_COORDINATOR_SESSION_H_
#define LOCKSTEP_RUNTIME_WORKER_SESSION_COORDINATOR_SESSION_H_

#include <memory>

#include "runtime/worker/control_plane.h"
#include "runtime/worker/session/session_options.h"

namespace lockstep::internal {

// The control plane of a cluster with a coordinator: one stream over gRPC that
// survives broken connections. Does not connect before Join.
std::unique_ptr<ControlPlane> MakeCoordinatorSession(SessionOptions options);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_SESSION_COORDINATOR_SESSION_H_
