#ifndef LOCKSTEP_PROTO_CONVERT_ARRAYS_H_
#define LOCKSTEP_PROTO_CONVERT_ARRAYS_H_

#include "absl/status/statusor.h"
#include "proto/lockstep/cluster.pb.h"
#include "runtime/cluster/array_description.h"

namespace lockstep::internal {

// As proto/convert.h, for what clients tell each other of arrays.
// INVALID_ARGUMENT: a shape that there cannot be; no layout. That mesh, spec
// and shapes go together is for whoever makes an array of it.

proto::ArrayDescription ToProto(const ArrayDescription& array);
absl::StatusOr<ArrayDescription> FromProto(
    const proto::ArrayDescription& message);

proto::NamedArray ToProto(const NamedArray& array);
absl::StatusOr<NamedArray> FromProto(const proto::NamedArray& message);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_CONVERT_ARRAYS_H_
