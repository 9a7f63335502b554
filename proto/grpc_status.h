#ifndef LOCKSTEP_PROTO_GRPC_STATUS_H_
#define LOCKSTEP_PROTO_GRPC_STATUS_H_

#include <grpcpp/support/status.h>

#include <string>

#include "absl/status/status.h"
#include "proto/convert.h"

namespace lockstep::internal {

// The codes are the same on both sides. Payloads (the origin of a failure)
// travel in the details.
inline grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()),
                      std::string(status.message()),
                      ToProto(status).SerializeAsString());
}

inline absl::Status FromGrpcStatus(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  proto::Status details;
  if (!status.error_details().empty() &&
      details.ParseFromString(status.error_details()) && details.code() != 0) {
    return FromProto(details);
  }
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                      status.error_message());
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_GRPC_STATUS_H_
