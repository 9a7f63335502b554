#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_WORKER_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_WORKER_H_

#include <ucp/api/ucp.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/collectives/ucx/ucx_gate.h"

namespace lockstep::internal {

// Owns a UCP context and its one worker. Used by one thread at a time.
class UcxWorker {
 public:
  // `interface`, `transports`: as in UcxTransport::Options. What it listens on
  // belongs to `gate`, which outlives it.
  static absl::StatusOr<std::unique_ptr<UcxWorker>> Create(
      const std::string& interface, const std::string& transports,
      UcxGate* gate);
  ~UcxWorker();
  UcxWorker(const UcxWorker&) = delete;
  UcxWorker& operator=(const UcxWorker&) = delete;

  ucp_worker_h handle() const { return worker_; }
  // Readable when there is something to do after ucp_worker_arm.
  int event_fd() const { return event_fd_; }
  // UCX's bytes.
  absl::StatusOr<std::string> Address() const;

 private:
  UcxWorker() = default;
  absl::Status Init(const std::string& interface,
                    const std::string& transports);

  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  int event_fd_ = -1;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_WORKER_H_
