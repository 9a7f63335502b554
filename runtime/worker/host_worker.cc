#include "runtime/worker/host_worker.h"

#include <unistd.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"
#include "runtime/base/logging.h"
#include "runtime/base/quantity_text.h"
#include "runtime/base/status.h"
#include "runtime/base/version.h"
#include "runtime/cluster/machine.h"
#include "runtime/cluster/shared_cause.h"
#include "runtime/collectives/device_fabric.h"
#include "runtime/collectives/ucx/ucx_transport.h"
#include "runtime/worker/argument_check.h"
#include "runtime/worker/host_address.h"
#include "runtime/worker/host_fabric.h"

namespace lockstep::internal {
namespace {

// Between two looks at the links while they are set up.
constexpr absl::Duration kLinkLook = absl::Milliseconds(5);

// Longest time for which compiling may keep others waiting.
constexpr absl::Duration kCompileTime = absl::Minutes(10);

Incarnation NewIncarnation() {
  std::random_device random;
  uint64_t value = 0;
  while (value == 0) value = (uint64_t{random()} << 32) | random();
  return Incarnation(value);
}

}  // namespace

HostWorker::HostWorker(Options options, Backend* backend,
                       std::unique_ptr<ControlPlane> control_plane)
    : options_(std::move(options)),
      backend_(backend),
      control_plane_(std::move(control_plane)) {}

HostWorker::~HostWorker() {
  if (absl::Status status = Shutdown(); !status.ok()) {
    LogDebug(absl::StrCat("shutdown: ", status.ToString()));
  }
  control_plane_->SetProgressSource(nullptr);
  // What runs reports to the control plane, and that reports to this object:
  // both end while all other members are there.
  lanes_.Clear();
  platform_.reset();
  control_plane_.reset();
}

absl::Status HostWorker::Start() {
  ASSIGN_OR_RETURN(platform_,
                   MakePlatform(options_.platform,
                                {.device_count = options_.local_device_count,
                                 .ordinals = options_.local_devices}));
  ASSIGN_OR_RETURN(std::unique_ptr<Transport> transport, MakeTransport());
  WorkerInfo info = options_.info;
  if (info.incarnation.value() == 0) info.incarnation = NewIncarnation();
  info.pid = getpid();
  if (info.machine.empty()) info.machine = MachineId();
  info.build = kVersion;  // equal on all hosts of a cluster
  info.platform = options_.platform;
  for (const auto& device : platform_->devices()) {
    info.devices.push_back(device->info());
  }
  if (transport != nullptr) info.transport_address = transport->address();
  info.network = NetworkId();
  info.is_on_loopback = IsLoopback(options_.network_interface);
  ASSIGN_OR_RETURN(Membership membership, control_plane_->Join(info, this));
  host_id_ = membership.host;
  limits_ = membership.roster->limits;
  world_ = membership.roster->world;
  for (const Device& device : world_.local(host_id_)) {
    lanes_.Add(device.id, *platform_->devices()[device.local_id.value()]);
  }
  {
    absl::MutexLock lock(&mutex_);
    has_joined_ = true;
    cluster_.Update(*membership.roster);
  }
  RETURN_IF_ERROR(MakeFabric(*membership.roster, std::move(transport)));
  control_plane_->SetProgressSource([this] { return Progress(); });
  RETURN_IF_ERROR(AwaitLinks());
  WaitOptions others;
  others.timeout = limits_.link_deadline;
  return control_plane_->Ready(others);
}

absl::Status HostWorker::AwaitLinks() {
  const absl::Time deadline = absl::Now() + limits_.link_deadline;
  while (true) {
    std::vector<std::string> missing;
    for (const PeerLink& link : fabric_->Links()) {
      absl::MutexLock lock(&mutex_);
      if (!link.is_up) missing.push_back(cluster_.Name(link.host));
    }
    if (missing.empty()) return absl::OkStatus();
    if (absl::Now() >= deadline) {
      return absl::UnavailableError(
          absl::StrCat("no connection with ", CutList(missing), " after ",
                       absl::FormatDuration(limits_.link_deadline)));
    }
    absl::SleepFor(kLinkLook);
  }
}

absl::StatusOr<std::unique_ptr<Transport>> HostWorker::MakeTransport() const {
  if (options_.info.expected_hosts == 1) return nullptr;
  if (options_.make_transport) return options_.make_transport();
  UcxTransport::Options options;
  options.interface = options_.network_interface;
  return UcxTransport::Create(std::move(options));
}

absl::Status HostWorker::MakeFabric(const Roster& roster,
                                    std::unique_ptr<Transport> transport) {
  std::unique_ptr<CollectiveFabric> fabric;
  if (transport == nullptr) {
    fabric = MakeLocalFabric(Names());
  } else {
    transport->SetPatience(limits_.Verdict());
    ASSIGN_OR_RETURN(fabric, MakeHostFabric(roster.Find(host_id_)->host,
                                            std::move(transport), Names()));
  }
  if (platform_->has_distinct_devices()) {
    ASSIGN_OR_RETURN(
        fabric, MakeDeviceFabric(platform_->name(),
                                 {.reduction_mode = options_.reduction_mode},
                                 std::move(fabric)));
  }
  {
    absl::MutexLock lock(&fabric_mutex_);
    fabric_ = std::move(fabric);
  }
  return ApplyRoster();
}

absl::Status HostWorker::ApplyRoster() {
  absl::MutexLock lock(&fabric_mutex_);
  if (fabric_ == nullptr) return absl::OkStatus();
  Roster roster;
  {
    absl::MutexLock view(&mutex_);
    roster = cluster_.roster();
  }
  return fabric_->SetMembers(roster);
}

absl::Status HostWorker::CheckRunning() const {
  absl::MutexLock lock(&mutex_);
  if (!is_shut_down_) return absl::OkStatus();
  return absl::FailedPreconditionError("the worker is shut down");
}

CollectiveNames HostWorker::Names() {
  CollectiveNames names;
  names.program = [this](uint64_t fingerprint) -> std::string {
    absl::MutexLock lock(&mutex_);
    auto it = program_names_.find(fingerprint);
    return it == program_names_.end() ? "" : it->second;
  };
  names.host = [this](HostId host) {
    absl::MutexLock lock(&mutex_);
    return cluster_.Name(host);
  };
  return names;
}

ProgressReport HostWorker::Progress() {
  ProgressReport report;
  report.launches = active_.Progress();
  for (const CollectiveWait& wait : fabric_->Waits()) {
    for (LaunchProgress& launch : report.launches) {
      if (!(launch.launch ==
            LaunchKey{wait.launch.sequence, wait.launch.launch})) {
        continue;
      }
      std::set<HostId> hosts(launch.waiting_for.begin(),
                             launch.waiting_for.end());
      for (const CliqueMember& member : wait.missing) hosts.insert(member.host);
      hosts.erase(host_id_);
      launch.waiting_for.assign(hosts.begin(), hosts.end());
    }
  }
  report.sequences = sequences_.Report();
  for (const PeerLink& link : fabric_->Links()) {
    if (link.silent_for < limits_.LinkSilence() / 2) continue;
    report.silent_peers.push_back(
        {link.host, link.incarnation, link.silent_for});
  }
  absl::MutexLock lock(&mutex_);
  if (!compiling_.empty()) {
    report.activity =
        absl::StrCat("compiling ", absl::StrJoin(compiling_, ", "));
  }
  return report;
}

absl::StatusOr<CompiledProgram::Parts> HostWorker::Place(
    const ProgramSpec& spec) {
  CompiledProgram::Parts parts;
  parts.name = spec.name;
  parts.assignment = spec.assignment;
  parts.donated_arguments = spec.donated_arguments;
  absl::MutexLock lock(&mutex_);
  ASSIGN_OR_RETURN(parts.participants, cluster_.Participants(spec.assignment));
  for (int32_t place = 0; place < spec.assignment.device_count(); ++place) {
    const GlobalDeviceId device = spec.assignment.devices()[place];
    if (world_.Find(device)->host != host_id_) continue;
    parts.local_places.push_back(place);
    parts.local_devices.push_back(device);
  }
  if (parts.local_devices.empty()) {
    std::vector<std::string> hosts;
    for (HostId host : parts.participants) hosts.push_back(cluster_.Name(host));
    return absl::FailedPreconditionError(
        absl::StrCat(spec.name, ": ", cluster_.Name(host_id_),
                     " has no device in the assignment, whose devices are on ",
                     CutList(hosts)));
  }
  return parts;
}

absl::StatusOr<std::shared_ptr<LoadedProgram>> HostWorker::Load(
    ProgramSpec spec, const CallTurn& call) {
  RETURN_IF_ERROR(CheckRunning());
  std::sort(spec.donated_arguments.begin(), spec.donated_arguments.end());
  ASSIGN_OR_RETURN(CompiledProgram::Parts parts, Place(spec));
  const bool spans_hosts = parts.participants.size() > 1;
  const std::string compiling = absl::StrCat("compiling ", spec.name);
  if (spans_hosts) control_plane_->Busy(compiling, kCompileTime);
  {
    absl::MutexLock lock(&mutex_);
    compiling_.push_back(spec.name);
  }
  absl::StatusOr<CompiledText> compiled = CompileProgram(
      spec, *backend_, {.cache_directory = options_.cache_directory});
  {
    absl::MutexLock lock(&mutex_);
    compiling_.erase(
        std::find(compiling_.begin(), compiling_.end(), spec.name));
  }
  if (compiled.ok()) {
    const absl::Status fits = CheckFits(parts, *compiled->executable);
    if (!fits.ok()) compiled = fits;
  }
  if (compiled.ok()) {
    const absl::Status loaded = LoadConstants(*compiled->executable, parts);
    if (!loaded.ok()) compiled = loaded;
  }
  if (spans_hosts) control_plane_->Busy(compiling, absl::ZeroDuration());
  if (spans_hosts) RETURN_IF_ERROR(AgreeOn(spec, parts, compiled, call));
  RETURN_IF_ERROR(compiled.status());
  if (spans_hosts) call.SetProgram(compiled->fingerprint);
  parts.executable = std::move(compiled->executable);
  parts.fingerprint = compiled->fingerprint;
  {
    absl::MutexLock lock(&mutex_);
    program_names_[parts.fingerprint] = parts.name;
  }
  return std::make_shared<CompiledProgram>(std::move(parts));
}

absl::Status HostWorker::CheckFits(const CompiledProgram::Parts& parts,
                                   const Executable& executable) const {
  const int64_t sharers = platform_->devices_share_memory()
                              ? static_cast<int64_t>(parts.local_devices.size())
                              : 1;
  const int64_t bytes = executable.launch_bytes();
  const int64_t memory = world_.Find(parts.local_devices[0])->memory_bytes;
  if (memory == 0 || bytes <= memory / sharers) return absl::OkStatus();
  const std::string there_is =
      platform_->devices_share_memory()
          ? absl::StrCat("this host has ", BytesText(memory), " for ", sharers,
                         " of them")
          : absl::StrCat("each has ", BytesText(memory));
  return absl::ResourceExhaustedError(
      absl::StrCat(parts.name, ": a launch needs ", BytesText(bytes),
                   " of memory on each device; ", there_is));
}

absl::Status HostWorker::LoadConstants(const Executable& executable,
                                       CompiledProgram::Parts& parts) const {
  for (const GlobalDeviceId device : parts.local_devices) {
    ASSIGN_OR_RETURN(parts.constants.emplace_back(),
                     DeviceConstants::Load(executable, *lanes_.Find(device)));
  }
  return absl::OkStatus();
}

std::string HostWorker::HostText(HostId host) const {
  absl::MutexLock lock(&mutex_);
  return cluster_.Name(host);
}

LocalDevice* HostWorker::local_device(GlobalDeviceId id) const {
  return lanes_.Find(id);
}

absl::Status HostWorker::AgreeOn(const ProgramSpec& spec,
                                 const CompiledProgram::Parts& parts,
                                 const absl::StatusOr<CompiledText>& compiled,
                                 const CallTurn& call) {
  AgreementRecord record;
  record.program = spec.name;
  record.participants = parts.participants;
  if (compiled.ok()) {
    record.fields = AgreementFields(spec, *compiled, *backend_);
    if (compiled->executable->clique_slot_count() > 0) {
      record.fields.push_back({"collectives by", fabric_->collectives()});
    }
  } else {
    record.error = compiled.status();
  }
  // This host's own error is what its caller wants to see.
  const absl::Status agreed = AgreeOnce(std::move(record), call);
  return compiled.ok() ? agreed : compiled.status();
}

absl::StatusOr<HostWorker::SharedProgram> HostWorker::Own(
    const std::shared_ptr<LoadedProgram>& program) {
  auto own = std::dynamic_pointer_cast<CompiledProgram>(program);
  if (own != nullptr) return own;
  return absl::InvalidArgumentError("expected a program of this worker");
}

void HostWorker::Cancel(const std::shared_ptr<LoadedProgram>& program,
                        const absl::Status& cause) {
  active_.AbortProgram(*program, cause);
}

absl::StatusOr<HostWorker::LaunchPlace> HostWorker::PlaceOf(
    const CompiledProgram& program, const CallTurn& call) {
  LaunchPlace place;
  place.call = &call;
  {
    absl::MutexLock lock(&mutex_);
    const bool devices_meet = program.executable().clique_slot_count() > 0;
    ASSIGN_OR_RETURN(place.members,
                     cluster_.Members(program.assignment(),
                                      /*may_have_left=*/!devices_meet));
  }
  LaunchKey key = call.place();
  if (key.number == LaunchNumber()) {
    key = sequences_.Begin(key.sequence, {}, call.description());
  }
  place.info.program = program.name();
  place.info.epoch = call.epoch();
  place.info.sequence = key.sequence;
  place.info.number = key.number;
  place.info.recent_programs =
      sequences_.AddProgram(key.sequence, program.fingerprint());
  return place;
}

absl::StatusOr<ShardLists> HostWorker::Launch(
    const std::shared_ptr<LoadedProgram>& program, const ShardLists& arguments,
    const CallTurn& call, ProfileRequest profile) {
  ASSIGN_OR_RETURN(const SharedProgram own, Own(program));
  RETURN_IF_ERROR(CheckRunning());
  RETURN_IF_ERROR(CheckArguments(*own, arguments));
  absl::StatusOr<ShardLists> results;
  std::vector<std::function<void()>> here;
  {
    absl::MutexLock lock(&launch_mutex_);
    absl::StatusOr<LaunchPlace> found = PlaceOf(*own, call);
    if (!found.ok()) {
      // A host that failed the launch may be gone already: that it is gone says
      // less.
      RETURN_IF_ERROR(active_.FailureOf(call.place()));
      return found.status();
    }
    LaunchPlace place = *std::move(found);
    if (own->executable().clique_slot_count() > 0) {
      absl::MutexLock view(&mutex_);
      RETURN_IF_ERROR(cluster_.CheckLinks(own->participants()));
    }
    results =
        Enqueue(own, std::move(place), arguments, std::move(profile), here);
  }
  for (const auto& run : here) run();
  return results;
}

absl::StatusOr<ShardLists> HostWorker::Enqueue(
    const SharedProgram& program, LaunchPlace place,
    const ShardLists& arguments, ProfileRequest profile,
    std::vector<std::function<void()>>& here) {
  lockstep::internal::Launch::Options options;
  options.program = program;
  options.info = place.info;
  options.members = std::move(place.members);
  options.clique_provider = &fabric_->provider();
  options.on_failure = [this](const lockstep::internal::Launch& launch,
                              const absl::Status& cause) {
    LaunchFailure failure;
    failure.launch = launch.key();
    failure.program = launch.program().name();
    if (launch.program().spans_hosts()) {
      failure.participants = launch.program().participants();
    }
    failure.collective = launch.RunningCollective();
    failure.call = sequences_.TextOf(launch.key());
    failure.status = cause;
    ReportFailed(launch.id(), std::move(failure));
  };
  options.on_abort = [this](const lockstep::internal::Launch& launch,
                            const absl::Status& cause) {
    fabric_->AbortLaunch(launch.id(), cause);
  };
  options.on_done = [this](const lockstep::internal::Launch& launch) {
    active_.Remove(launch);
  };
  options.profile = std::move(profile);
  if (program->spans_hosts()) options.verdict_grace = limits_.Verdict();
  options.stall_abort = place.call->request().stall_abort;
  options.late_abort = place.call->request().late_abort;
  auto launch =
      std::make_shared<lockstep::internal::Launch>(std::move(options));
  ASSIGN_OR_RETURN(auto held, HostLanes::Hold(*launch, arguments));
  if (program->spans_hosts()) {
    fabric_->BeginLaunch(launch->id(), place.call->description());
  }
  active_.Add(launch);
  ShardLists results;
  for (const GlobalDeviceId device : program->local_devices()) {
    std::vector<std::shared_ptr<Buffer>>& buffers = results.emplace_back();
    for (const Shape& shape : program->result_shapes()) {
      buffers.push_back(std::make_shared<Buffer>(shape, device));
    }
  }
  lanes_.Put(launch, std::move(held), results, here);
  return results;
}

void HostWorker::ReportFailed(const LaunchId& launch, LaunchFailure failure) {
  failure.is_shared = IsSharedCause(failure.status);
  if (launch.sequence == kCommandSequence) {
    failure.command = launch.launch.value();
  }
  if (failure.participants.size() > 1) {
    control_plane_->ReportLaunchFailure(failure);
  }
  // After the report: whoever waits for the launch here may go on, and leave
  // the cluster, before this returns. The coordinator is to hear of the failure
  // first.
  fabric_->AbortLaunch(launch, failure.status);
}

absl::Status HostWorker::Synchronize(absl::Time deadline) {
  return lanes_.AwaitIdle(deadline);
}

absl::Status HostWorker::Shutdown() {
  if (BeginShutdown()) return FinishShutdown(WaitOptions());
  absl::MutexLock lock(&mutex_);
  return shutdown_status_;
}

absl::Status HostWorker::Depart(const absl::Status& cause) {
  if (!BeginShutdown()) return absl::OkStatus();
  active_.AbortAll(cause);
  WaitOptions nobody;
  nobody.timeout = absl::Milliseconds(1);
  const absl::Status left = FinishShutdown(nobody);
  return absl::IsDeadlineExceeded(left) ? absl::OkStatus() : left;
}

bool HostWorker::BeginShutdown() {
  absl::MutexLock lock(&mutex_);
  if (is_shut_down_ || !has_joined_) return false;
  is_shut_down_ = true;
  return true;
}

absl::Status HostWorker::FinishShutdown(const WaitOptions& options) {
  preemption_point_.Close(
      absl::FailedPreconditionError("the worker is shut down"));
  absl::Status status = Synchronize(absl::InfiniteFuture());
  if (absl::Status left = control_plane_->Leave(options); status.ok()) {
    status = left;
  }
  absl::MutexLock lock(&mutex_);
  shutdown_status_ = status;
  return status;
}

}  // namespace lockstep::internal
