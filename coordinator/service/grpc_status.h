#ifndef LOCKSTEP_COORDINATOR_SERVICE_GRPC_STATUS_H_
#define LOCKSTEP_COORDINATOR_SERVICE_GRPC_STATUS_H_

#include <grpcpp/support/status.h>

#include <string>

#include "absl/status/status.h"

namespace lockstep {

// The codes are the same; payloads do not travel.
inline grpc::Status ToGrpcStatus(const absl::Status& status) {
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()),
                      std::string(status.message()));
}

}  // namespace lockstep

#endif  // LOCKSTEP_COORDINATOR_SERVICE_GRPC_STATUS_H_
