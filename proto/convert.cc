#include "proto/convert.h"

#include <string>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "proto/id_runs.h"
#include "runtime/base/status.h"
#include "runtime/base/utf8.h"

namespace lockstep::internal {
// Static rather than in an unnamed namespace, which would hide the overloads of
// the header.

static proto::LaunchKey ToProto(const LaunchKey& key) {
  proto::LaunchKey message;
  message.set_sequence(key.sequence);
  message.set_number(key.number.value());
  return message;
}

static LaunchKey FromProto(const proto::LaunchKey& message) {
  return {message.sequence(), LaunchNumber(message.number())};
}

static proto::LaunchProgress ToProto(const LaunchProgress& progress) {
  proto::LaunchProgress message;
  *message.mutable_launch() = ToProto(progress.launch);
  message.set_program(progress.program);
  AppendHosts(progress.participants, message.mutable_participants());
  message.set_phase(static_cast<proto::LaunchProgress::Phase>(progress.phase));
  message.set_collective(progress.collective);
  message.set_collective_name(progress.collective_name);
  message.set_thunk_count(progress.thunk_count);
  AppendHosts(progress.waiting_for, message.mutable_waiting_for());
  message.set_stall_abort_ms(absl::ToInt64Milliseconds(progress.stall_abort));
  message.set_late_abort_ms(absl::ToInt64Milliseconds(progress.late_abort));
  return message;
}

static absl::StatusOr<LaunchProgress> FromProto(
    const proto::LaunchProgress& message) {
  if (!proto::LaunchProgress::Phase_IsValid(message.phase())) {
    return absl::InvalidArgumentError(
        absl::StrCat("progress: expected a phase, found ",
                     static_cast<int>(message.phase())));
  }
  LaunchProgress progress;
  progress.launch = FromProto(message.launch());
  progress.program = message.program();
  progress.participants = HostsOf(message.participants());
  progress.phase = static_cast<LaunchPhase>(message.phase());
  progress.collective = message.collective();
  progress.collective_name = message.collective_name();
  progress.thunk_count = message.thunk_count();
  progress.waiting_for = HostsOf(message.waiting_for());
  progress.stall_abort = absl::Milliseconds(message.stall_abort_ms());
  progress.late_abort = absl::Milliseconds(message.late_abort_ms());
  return progress;
}

static proto::CallDescription ToProto(const CallDescription& description) {
  proto::CallDescription message;
  message.set_digest(description.digest);
  message.set_text(description.text);
  return message;
}

static CallDescription FromProto(const proto::CallDescription& message) {
  return {message.digest(), message.text()};
}

static proto::SequenceProgress ToProto(const SequenceProgress& progress) {
  proto::SequenceProgress message;
  message.set_sequence(progress.sequence);
  AppendHosts(progress.participants, message.mutable_participants());
  message.set_last(progress.last.value());
  message.set_is_over(progress.is_over);
  for (const CallDigest& call : progress.digests) {
    message.add_digests(call.digest);
    message.add_programs(call.program);
  }
  for (const CallDescription& description : progress.descriptions) {
    *message.add_descriptions() = ToProto(description);
  }
  return message;
}

static SequenceProgress FromProto(const proto::SequenceProgress& message) {
  SequenceProgress progress;
  progress.sequence = message.sequence();
  progress.participants = HostsOf(message.participants());
  progress.last = LaunchNumber(message.last());
  progress.is_over = message.is_over();
  for (int i = 0; i < message.digests_size(); ++i) {
    const bool has_program = i < message.programs_size();
    progress.digests.push_back(
        {message.digests(i), has_program ? message.programs(i) : 0});
  }
  for (const proto::CallDescription& from : message.descriptions()) {
    progress.descriptions.push_back(FromProto(from));
  }
  return progress;
}

proto::Status ToProto(const absl::Status& status) {
  proto::Status message;
  message.set_code(static_cast<int>(status.code()));
  // A message may quote the text of a program, and whoever receives a string
  // that is not UTF-8 refuses all that it came with.
  message.set_message(AsUtf8(status.message()));
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& value) {
    proto::Status::Payload* payload = message.add_payloads();
    payload->set_type_url(std::string(url));
    payload->set_value(std::string(value));
  });
  return message;
}

absl::Status FromProto(const proto::Status& message) {
  absl::Status status(static_cast<absl::StatusCode>(message.code()),
                      message.message());
  for (const proto::Status::Payload& payload : message.payloads()) {
    status.SetPayload(payload.type_url(), absl::Cord(payload.value()));
  }
  return status;
}

proto::HostRef ToProto(const HostRef& host) {
  proto::HostRef message;
  message.set_id(host.id.value());
  message.set_name(host.name);
  message.set_incarnation(host.incarnation.value());
  return message;
}

HostRef FromProto(const proto::HostRef& message) {
  return {HostId(message.id()), message.name(),
          Incarnation(message.incarnation())};
}

proto::WorkerInfo ToProto(const WorkerInfo& info) {
  proto::WorkerInfo message;
  message.set_name(info.name);
  message.set_incarnation(info.incarnation.value());
  message.set_pid(info.pid);
  message.set_machine(info.machine);
  message.set_build(info.build);
  message.set_protocol(info.protocol);
  message.set_platform(info.platform);
  for (const DeviceInfo& device : info.devices) {
    proto::DeviceInfo* to = message.add_devices();
    to->set_kind(device.kind);
    to->set_memory_bytes(device.memory_bytes);
    to->set_numa_node(device.numa_node);
    to->set_physical_id(device.physical_id);
  }
  if (info.requested_rank) message.set_requested_rank(*info.requested_rank);
  if (info.expected_hosts) message.set_expected_hosts(*info.expected_hosts);
  message.set_network_group(info.network_group);
  message.set_cluster_id(info.cluster_id);
  message.set_service_address(info.service_address);
  message.set_transport_address(info.transport_address);
  message.set_network(info.network);
  message.set_is_on_loopback(info.is_on_loopback);
  return message;
}

WorkerInfo FromProto(const proto::WorkerInfo& message) {
  WorkerInfo info;
  info.name = message.name();
  info.incarnation = Incarnation(message.incarnation());
  info.pid = message.pid();
  info.machine = message.machine();
  info.build = message.build();
  info.protocol = message.protocol();
  info.platform = message.platform();
  for (const proto::DeviceInfo& device : message.devices()) {
    info.devices.push_back({device.kind(), device.memory_bytes(),
                            device.numa_node(), device.physical_id()});
  }
  if (message.has_requested_rank()) {
    info.requested_rank = message.requested_rank();
  }
  if (message.has_expected_hosts()) {
    info.expected_hosts = message.expected_hosts();
  }
  info.network_group = message.network_group();
  info.cluster_id = message.cluster_id();
  info.service_address = message.service_address();
  info.transport_address = message.transport_address();
  info.network = message.network();
  info.is_on_loopback = message.is_on_loopback();
  return info;
}

proto::DeviceAssignment ToProto(const DeviceAssignment& assignment) {
  proto::DeviceAssignment message;
  message.set_replica_count(assignment.replica_count());
  message.set_partition_count(assignment.partition_count());
  AppendDevices(assignment.devices(), message.mutable_devices());
  return message;
}

absl::StatusOr<DeviceAssignment> FromProto(
    const proto::DeviceAssignment& message) {
  return DeviceAssignment::Create(message.replica_count(),
                                  message.partition_count(),
                                  DevicesOf(message.devices()));
}

proto::AxisQuery ToProto(const AxisQuery& query) {
  proto::AxisQuery message;
  message.set_key(query.key);
  message.set_axis_name(query.axis_name);
  message.set_axis_size(query.axis_size);
  if (query.devices) {
    AppendDevices(*query.devices, message.mutable_devices()->mutable_devices());
  }
  *message.mutable_call() = ToProto(query.call);
  *message.mutable_description() = ToProto(query.description);
  message.set_function(query.function);
  message.set_epoch(query.epoch.value());
  return message;
}

AxisQuery FromProto(const proto::AxisQuery& message) {
  AxisQuery query;
  query.key = message.key();
  query.axis_name = message.axis_name();
  query.axis_size = message.axis_size();
  if (message.has_devices()) {
    query.devices = DevicesOf(message.devices().devices());
  }
  query.call = FromProto(message.call());
  query.description = FromProto(message.description());
  query.function = message.function();
  query.epoch = Epoch(message.epoch());
  return query;
}

proto::AxisResolution ToProto(const AxisResolution& resolution) {
  proto::AxisResolution message;
  message.set_global_axis_size(resolution.global_axis_size);
  AppendDevices(resolution.devices, message.mutable_devices());
  return message;
}

AxisResolution FromProto(const proto::AxisResolution& message) {
  return {message.global_axis_size(), DevicesOf(message.devices())};
}

proto::AgreementRecord ToProto(const AgreementRecord& record) {
  proto::AgreementRecord message;
  message.set_key(record.key);
  message.set_program(record.program);
  AppendHosts(record.participants, message.mutable_participants());
  message.set_digest(record.digest);
  for (const AgreementRecord::Field& field : record.fields) {
    proto::AgreementRecord::Field* to = message.add_fields();
    to->set_name(field.name);
    to->set_value(field.value);
  }
  if (!record.error.ok()) *message.mutable_error() = ToProto(record.error);
  *message.mutable_call() = ToProto(record.call);
  message.set_epoch(record.epoch.value());
  return message;
}

AgreementRecord FromProto(const proto::AgreementRecord& message) {
  AgreementRecord record;
  record.key = message.key();
  record.program = message.program();
  record.participants = HostsOf(message.participants());
  record.digest = message.digest();
  for (const proto::AgreementRecord::Field& field : message.fields()) {
    record.fields.push_back({field.name(), field.value()});
  }
  if (message.has_error()) record.error = FromProto(message.error());
  record.call = FromProto(message.call());
  record.epoch = Epoch(message.epoch());
  return record;
}

proto::ProgressReport ToProto(const ProgressReport& report) {
  proto::ProgressReport message;
  message.set_activity(report.activity);
  for (const LaunchProgress& launch : report.launches) {
    *message.add_launches() = ToProto(launch);
  }
  for (const SequenceProgress& sequence : report.sequences) {
    *message.add_sequences() = ToProto(sequence);
  }
  for (const SilentPeer& peer : report.silent_peers) {
    proto::SilentPeer* to = message.add_silent_peers();
    to->set_host(peer.host.value());
    to->set_incarnation(peer.incarnation.value());
    to->set_silent_for_us(absl::ToInt64Microseconds(peer.silent_for));
  }
  return message;
}

absl::StatusOr<ProgressReport> FromProto(const proto::ProgressReport& message) {
  ProgressReport report;
  report.activity = message.activity();
  for (const proto::LaunchProgress& from : message.launches()) {
    ASSIGN_OR_RETURN(LaunchProgress launch, FromProto(from));
    report.launches.push_back(std::move(launch));
  }
  for (const proto::SequenceProgress& from : message.sequences()) {
    report.sequences.push_back(FromProto(from));
  }
  for (const proto::SilentPeer& peer : message.silent_peers()) {
    report.silent_peers.push_back({HostId(peer.host()),
                                   Incarnation(peer.incarnation()),
                                   absl::Microseconds(peer.silent_for_us())});
  }
  return report;
}

proto::PreemptionOutcome ToProto(const PreemptionOutcome& outcome) {
  proto::PreemptionOutcome message;
  message.set_agreement(outcome.agreement);
  if (outcome.sync_step.ok()) {
    message.set_sync_step(*outcome.sync_step);
  } else {
    *message.mutable_error() = ToProto(outcome.sync_step.status());
  }
  return message;
}

PreemptionOutcome FromProto(const proto::PreemptionOutcome& message) {
  PreemptionOutcome outcome;
  outcome.agreement = message.agreement();
  if (message.has_error()) {
    outcome.sync_step = FromProto(message.error());
  } else {
    outcome.sync_step = message.sync_step();
  }
  return outcome;
}

proto::CutLinks ToProto(const std::vector<CutLink>& links) {
  proto::CutLinks message;
  for (const CutLink& link : links) {
    proto::CutLink* to = message.add_links();
    *to->mutable_first() = ToProto(link.first);
    *to->mutable_second() = ToProto(link.second);
    *to->mutable_cause() = ToProto(link.cause);
  }
  return message;
}

std::vector<CutLink> FromProto(const proto::CutLinks& message) {
  std::vector<CutLink> links;
  for (const proto::CutLink& from : message.links()) {
    links.push_back({FromProto(from.first()), FromProto(from.second()),
                     FromProto(from.cause())});
  }
  return links;
}

proto::LaunchFailure ToProto(const LaunchFailure& failure) {
  proto::LaunchFailure message;
  *message.mutable_launch() = ToProto(failure.launch);
  message.set_program(failure.program);
  AppendHosts(failure.participants, message.mutable_participants());
  message.set_collective(failure.collective);
  *message.mutable_status() = ToProto(failure.status);
  message.set_command(failure.command);
  message.set_call(failure.call);
  message.set_is_shared(failure.is_shared);
  return message;
}

LaunchFailure FromProto(const proto::LaunchFailure& message) {
  LaunchFailure failure;
  failure.launch = FromProto(message.launch());
  failure.program = message.program();
  failure.participants = HostsOf(message.participants());
  failure.collective = message.collective();
  failure.status = FromProto(message.status());
  failure.command = message.command();
  failure.call = message.call();
  failure.is_shared = message.is_shared();
  return failure;
}

proto::Failure ToProto(const Failure& failure) {
  proto::Failure message;
  *message.mutable_origin() = ToProto(failure.origin);
  *message.mutable_cause() = ToProto(failure.cause);
  message.set_running(failure.running);
  message.set_is_shared(failure.is_shared);
  if (failure.launch) *message.mutable_launch() = ToProto(*failure.launch);
  message.set_program(failure.program);
  AppendHosts(failure.participants, message.mutable_participants());
  for (const std::string& line : failure.collateral) {
    message.add_collateral(line);
  }
  return message;
}

Failure FromProto(const proto::Failure& message) {
  Failure failure;
  failure.origin = FromProto(message.origin());
  failure.cause = FromProto(message.cause());
  failure.running = message.running();
  failure.is_shared = message.is_shared();
  if (message.has_launch()) failure.launch = FromProto(message.launch());
  failure.program = message.program();
  failure.participants = HostsOf(message.participants());
  failure.collateral.assign(message.collateral().begin(),
                            message.collateral().end());
  return failure;
}

proto::KeyValue ToProto(const KeyValue& pair) {
  proto::KeyValue message;
  message.set_key(pair.key);
  message.set_value(pair.value);
  message.set_revision(pair.revision);
  return message;
}

KeyValue FromProto(const proto::KeyValue& message) {
  return {message.key(), message.value(), message.revision()};
}

proto::KeyChange ToProto(const KeyChange& change) {
  proto::KeyChange message;
  message.set_key(change.key);
  message.set_value(change.value);
  message.set_is_deleted(change.is_deleted);
  message.set_revision(change.revision);
  return message;
}

KeyChange FromProto(const proto::KeyChange& message) {
  return {message.key(), message.value(), message.is_deleted(),
          message.revision()};
}

proto::ClientHandle ToProto(const ClientHandle& handle) {
  proto::ClientHandle message;
  message.set_client(handle.client.value());
  message.set_number(handle.number);
  return message;
}

ClientHandle FromProto(const proto::ClientHandle& message) {
  return {ClientId(message.client()), message.number()};
}

}  // namespace lockstep::internal
