#include "runtime/worker/worker.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/base/directory.h"
#include "runtime/base/lock_order.h"
#include "runtime/base/status.h"
#include "runtime/worker/host_worker.h"
#include "runtime/worker/machine_devices.h"

namespace lockstep::internal {

absl::StatusOr<std::unique_ptr<Worker>> Worker::Create(
    Options options, std::unique_ptr<ControlPlane> control_plane) {
  // As many as are asked for, or as the highest one of them.
  int devices = options.local_device_count;
  for (const int ordinal : options.local_devices) {
    devices = std::max(devices, ordinal + 1);
  }
  ASSIGN_OR_RETURN(const DeviceChoice choice,
                   ChooseDevices(options.platform, options.backend, devices));
  options.platform = choice.platform;
  ASSIGN_OR_RETURN(Backend * backend, FindBackend(choice.backend));
  if (!options.cache_directory.empty()) {
    RETURN_IF_ERROR(CreateWritableDirectory(options.cache_directory));
  }
  DropLockOrderChecks();
  auto worker = std::make_unique<HostWorker>(std::move(options), backend,
                                             std::move(control_plane));
  RETURN_IF_ERROR(worker->Start());
  return std::unique_ptr<Worker>(std::move(worker));
}

namespace {

absl::StatusOr<LocalDevice*> FindDevice(const Worker& worker,
                                        GlobalDeviceId id) {
  LocalDevice* const device = worker.local_device(id);
  if (device != nullptr) return device;
  return absl::FailedPreconditionError(
      absl::StrCat("device ", id.value(), " is not on this host"));
}

}  // namespace

absl::StatusOr<std::shared_ptr<Buffer>> Worker::Put(Literal value,
                                                    GlobalDeviceId device) {
  ASSIGN_OR_RETURN(LocalDevice* const local, FindDevice(*this, device));
  return PutLiteral(std::move(value), device, *local);
}

absl::StatusOr<std::shared_ptr<Buffer>> Worker::Put(HostTensor value,
                                                    GlobalDeviceId device) {
  ASSIGN_OR_RETURN(LocalDevice* const local, FindDevice(*this, device));
  return PutTensor(std::move(value), device, *local);
}

absl::StatusOr<std::shared_ptr<LoadedProgram>> Worker::Load(ProgramSpec spec) {
  CallRequest request;
  const auto devices = spec.assignment.devices();
  request.devices.emplace(devices.begin(), devices.end());
  // What differs in the program the agreement finds out, and tells better.
  request.description = {1, absl::StrCat("load of ", spec.name)};
  ASSIGN_OR_RETURN(const auto call, BeginCall(std::move(request)));
  auto program = Load(std::move(spec), *call);
  if (!program.ok()) FailCall(*call, program.status());
  return program;
}

absl::StatusOr<ShardLists> Worker::Launch(
    const std::shared_ptr<LoadedProgram>& program,
    const ShardLists& arguments) {
  CallRequest request;
  const auto devices = program->assignment().devices();
  request.devices.emplace(devices.begin(), devices.end());
  request.description = {program->fingerprint(),
                         absl::StrCat("launch of ", program->name())};
  ASSIGN_OR_RETURN(const auto call, BeginCall(std::move(request)));
  auto results = Launch(program, arguments, *call);
  if (!results.ok()) FailCall(*call, results.status());
  return results;
}

absl::StatusOr<AxisResolution> Worker::ResolveAxis(AxisQuery query,
                                                   const CallTurn& call) {
  WaitOptions wait;
  wait.timeout = call.request().late_abort;
  if (!call.spans_hosts()) return control_plane().ResolveAxis(query, wait);
  MeetingResults* const results = call.results();
  if (results != nullptr) {
    if (auto known = results->FindAxis(query)) return *std::move(known);
  }
  AxisQuery met = query;
  met.call = call.place();
  met.epoch = call.epoch();
  met.key = MeetingKey(met.call);
  met.description = call.description();
  ASSIGN_OR_RETURN(AxisResolution axis, control_plane().ResolveAxis(met, wait));
  if (results != nullptr) results->AddAxis(query, axis);
  return axis;
}

absl::Status Worker::Agree(AgreementRecord record, const CallTurn& call) {
  record.call = call.place();
  record.epoch = call.epoch();
  record.key = MeetingKey(record.call);
  WaitOptions wait;
  wait.timeout = call.request().late_abort;
  return control_plane().Agree(record, wait);
}

absl::Status Worker::AgreeOnce(AgreementRecord record, const CallTurn& call) {
  MeetingResults* const results = call.results();
  if (results == nullptr || !record.error.ok()) {
    return Agree(std::move(record), call);
  }
  const uint64_t digest = MeetingResults::DigestOf(record);
  if (results->HasAgreed(digest)) return absl::OkStatus();
  RETURN_IF_ERROR(Agree(std::move(record), call));
  results->AddAgreed(digest);
  return absl::OkStatus();
}

}  // namespace lockstep::internal
