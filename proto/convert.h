#ifndef LOCKSTEP_PROTO_CONVERT_H_
#define LOCKSTEP_PROTO_CONVERT_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/lockstep/cluster.pb.h"
#include "runtime/cluster/agreement_record.h"
#include "runtime/cluster/axis_query.h"
#include "runtime/cluster/command.h"
#include "runtime/cluster/failure.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/cluster/key_value.h"
#include "runtime/cluster/links.h"
#include "runtime/cluster/preemption.h"
#include "runtime/cluster/progress.h"
#include "runtime/cluster/roster.h"
#include "runtime/cluster/worker_info.h"
#include "runtime/mesh/device_assignment.h"

namespace lockstep::internal {

// The one place that knows the domain types and the wire types. FromProto of a
// message that cannot be what it says is INVALID_ARGUMENT; where every message
// is meaningful it returns the plain type.

proto::Status ToProto(const absl::Status& status);
absl::Status FromProto(const proto::Status& message);

proto::HostRef ToProto(const HostRef& host);
HostRef FromProto(const proto::HostRef& message);

proto::WorkerInfo ToProto(const WorkerInfo& info);
WorkerInfo FromProto(const proto::WorkerInfo& message);

proto::DeviceAssignment ToProto(const DeviceAssignment& assignment);
absl::StatusOr<DeviceAssignment> FromProto(
    const proto::DeviceAssignment& message);

proto::AxisQuery ToProto(const AxisQuery& query);
AxisQuery FromProto(const proto::AxisQuery& message);

proto::AxisResolution ToProto(const AxisResolution& resolution);
AxisResolution FromProto(const proto::AxisResolution& message);

proto::AgreementRecord ToProto(const AgreementRecord& record);
AgreementRecord FromProto(const proto::AgreementRecord& message);

proto::ProgressReport ToProto(const ProgressReport& report);
absl::StatusOr<ProgressReport> FromProto(const proto::ProgressReport& message);

proto::CutLinks ToProto(const std::vector<CutLink>& links);
std::vector<CutLink> FromProto(const proto::CutLinks& message);

proto::LaunchFailure ToProto(const LaunchFailure& failure);
LaunchFailure FromProto(const proto::LaunchFailure& message);

proto::Failure ToProto(const Failure& failure);
Failure FromProto(const proto::Failure& message);

proto::PreemptionOutcome ToProto(const PreemptionOutcome& outcome);
PreemptionOutcome FromProto(const proto::PreemptionOutcome& message);

proto::KeyValue ToProto(const KeyValue& pair);
KeyValue FromProto(const proto::KeyValue& message);

proto::KeyChange ToProto(const KeyChange& change);
KeyChange FromProto(const proto::KeyChange& message);

proto::ClientHandle ToProto(const ClientHandle& handle);
ClientHandle FromProto(const proto::ClientHandle& message);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_CONVERT_H_
