#ifndef LOCKSTEP_PROTO_SERVER_H_
#define LOCKSTEP_PROTO_SERVER_H_

#include <grpcpp/impl/service_type.h>
#include <grpcpp/server_context.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "proto/call_queues.h"
#include "proto/security/admission.h"
#include "proto/security/credentials.h"

namespace lockstep::internal {

// A listening server. The destructor ends it at once. Thread-safe.
class Server {
 public:
  virtual ~Server() = default;
  // host:port with the port that was taken.
  virtual const std::string& address() const = 0;
  // Stops listening; calls that have not ended at the deadline are cancelled.
  // Idempotent.
  virtual void Shutdown(absl::Time deadline) = 0;
};

struct ServerOptions {
  std::string address = {};  // host:port; port 0 takes a free one
  Credentials credentials = {};
  // Connections at a time; 0: three quarters of the files that this process
  // may open.
  size_t max_connections = 0;
};

// The one place where servers are made. `service` outlives the server.
// Strangers cost little: a connection that does not begin as ours do is closed
// at once, one that does not go on within a few seconds a little later.
// UNAVAILABLE names the address when it cannot be bound; FAILED_PRECONDITION:
// credentials with certificates but no token to ask for; INVALID_ARGUMENT: no
// address.
absl::StatusOr<std::unique_ptr<Server>> StartServer(
    const ServerOptions& options, grpc::Service* service);
// The same for a service whose methods are asynchronous ones: `serve` begins to
// take their calls, which complete on queues of the server.
absl::StatusOr<std::unique_ptr<Server>> StartServer(
    const ServerOptions& options, grpc::Service* service,
    const std::function<void(CallQueues* queues)>& serve);

// What every handler asks first: whether the caller may make `call`
// ("Coordinator/GetStatus"); see Admission.
absl::Status Admit(const Admission& admission, absl::string_view call,
                   const grpc::ServerContextBase& context);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_SERVER_H_
