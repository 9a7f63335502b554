#include "client/cluster/global_view.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "client/cluster/described_array.h"
#include "client/cluster/for_each_at_once.h"
#include "client/cluster/host_put.h"
#include "client/cluster/remote_shards.h"
#include "proto/convert_profile.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/host_call.h"
#include "runtime/ir/printer.h"
#include "runtime/mesh/pmap_rules.h"

namespace lockstep::internal {

class RemoteProgram : public ViewProgram {
 public:
  RemoteProgram(ProgramHandle handle, ViewProgramSpec spec)
      : handle_(handle), spec_(std::move(spec)) {}
  ProgramHandle handle() const { return handle_; }
  const ViewProgramSpec& spec() const { return spec_; }

  // The hosts of the program's devices, as of a roster.
  struct Hosts {
    std::shared_ptr<const Roster> roster;
    std::vector<Incarnation> lives;
  };
  Hosts hosts() const {
    absl::MutexLock lock(&mutex_);
    return hosts_;
  }
  void set_hosts(Hosts hosts) const {
    absl::MutexLock lock(&mutex_);
    hosts_ = std::move(hosts);
  }

 private:
  const ProgramHandle handle_;
  const ViewProgramSpec spec_;
  mutable absl::Mutex mutex_;
  mutable Hosts hosts_ ABSL_GUARDED_BY(mutex_);
};

namespace {

// The world as if one host had all its devices.
World AsOneHost(const World& world) {
  std::vector<Device> devices = world.devices();
  for (Device& device : devices) device.host = HostId(0);
  return World(std::move(devices));
}

// What a host has found on its devices, to their places in `found`.
absl::Status FetchProfiles(const GlobalView::HostDevices& host,
                           const RemoteShards& profiles,
                           std::vector<DeviceProfile>& found) {
  RETURN_IF_ERROR(GlobalView::CheckLife(*host.link, profiles.lives()));
  std::vector<ShardTransfer::Shard> shards;
  for (GlobalDeviceId device : host.devices) {
    shards.push_back({profiles.handle(), device, {}, {}});
  }
  CancellationToken nothing;
  ASSIGN_OR_RETURN(
      const std::vector<Literal> values,
      host.link->transfer().Fetch(shards, nothing, absl::InfiniteFuture()));
  for (size_t i = 0; i < values.size(); ++i) {
    const absl::Span<const std::byte> bytes = values[i].byte_span();
    ASSIGN_OR_RETURN(
        DeviceProfile profile,
        ProfileOf({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    profile.host_id = host.link->host().id;
    profile.host = ToString(host.link->host());
    found[host.positions[i]] = std::move(profile);
  }
  return absl::OkStatus();
}

std::string Quantity(const AxisQuery& query) {
  return query.axis_name.empty() ? "the mapped axis"
                                 : absl::StrCat("axis '", query.axis_name, "'");
}

}  // namespace

std::string GlobalView::HostText(HostId host) const {
  const std::shared_ptr<const Roster> roster = connection_->roster();
  const Member* member = roster->Find(host);
  return member == nullptr ? HostNames().Text(host) : ToString(member->host);
}

bool GlobalView::IsAlive(HostId host) const {
  const std::shared_ptr<const Roster> roster = connection_->roster();
  const Member* member = roster->Find(host);
  return member != nullptr && member->state == MemberState::kAlive &&
         !connection_->IsLost(member->host.incarnation);
}

absl::StatusOr<AxisResolution> GlobalView::ResolveAxis(const AxisQuery& query) {
  const World world = AsOneHost(this->world());
  RETURN_IF_ERROR(ValidateDeviceList(query.devices, world));
  AxisResolution resolution;
  const auto size =
      GlobalAxisSize(query.axis_size, query.devices, world, HostId(0));
  if (!size.ok()) return Annotate(size.status(), Quantity(query));
  resolution.global_axis_size = *size;
  if (query.devices.has_value()) {
    // J-10: as many rows as devices.
    RETURN_IF_ERROR(CheckReplicas(query, *size, 1));
    resolution.devices = *query.devices;
    return resolution;
  }
  for (const Device& device : world.devices()) {
    if (static_cast<int64_t>(resolution.devices.size()) == *size) break;
    resolution.devices.push_back(device.id);
  }
  return resolution;
}

absl::Status GlobalView::CheckReplicas(const AxisQuery& query,
                                       int64_t global_axis_size,
                                       int64_t body_replicas) {
  const World world = AsOneHost(this->world());
  return internal::CheckReplicas(query.axis_size, global_axis_size,
                                 body_replicas, query.devices, world,
                                 HostId(0));
}

absl::StatusOr<std::shared_ptr<ViewProgram>> GlobalView::Load(
    ViewProgramSpec spec) {
  if (spec.callbacks != nullptr && spec.module != nullptr) {
    RETURN_IF_ERROR(CheckWithoutCallbacks(*spec.module));
  }
  LoadProgram load;
  load.program = connection_->NewHandle();
  load.text = spec.module == nullptr ? std::move(spec.text)
                                     : Print(*spec.module, {.locations = true});
  load.assignment = spec.assignment;
  load.name = spec.name;
  load.donated_arguments = spec.donated_arguments;
  auto program = std::make_shared<RemoteProgram>(load.program, std::move(spec));
  connection_->Submit(Command{0, std::move(load)});
  return program;
}

absl::StatusOr<std::shared_ptr<Shards>> GlobalView::Put(
    std::vector<HostTensor> shards, std::vector<GlobalDeviceId> devices) {
  ASSIGN_OR_RETURN(std::vector<HostDevices> hosts,
                   ByHost(*connection_->roster(), devices));
  // After an error, its end deletes what some of the hosts have.
  auto array = std::make_shared<RemoteShards>(
      Self(), connection_->NewHandle(), shards[0].view.shape(),
      std::move(devices), LivesOf(hosts), /*is_pending=*/false);
  std::vector<std::unique_ptr<HostPut>> puts;
  std::vector<HostPut*> large;
  for (const HostDevices& host : hosts) {
    std::vector<ShardTransfer::Shard> of_host;
    // What several devices have goes to their host once.
    absl::flat_hash_map<const std::byte*, size_t> places;
    for (size_t i = 0; i < host.devices.size(); ++i) {
      const LiteralView& value = shards[host.positions[i]].view;
      const auto [it, is_new] =
          places.try_emplace(value.bytes(), of_host.size());
      if (is_new) {
        of_host.push_back({array->handle(), host.devices[i], value, {}});
      } else {
        of_host[it->second].other_devices.push_back(host.devices[i]);
      }
    }
    puts.push_back(std::make_unique<HostPut>(host.link, std::move(of_host)));
    if (puts.back()->is_large()) large.push_back(puts.back().get());
  }
  absl::Status status =
      ForEachAtOnce(large, [](HostPut* put) { return put->Finish(); });
  for (const auto& put : puts) {
    if (!put->is_large()) status.Update(put->Finish());
  }
  RETURN_IF_ERROR(status);
  return array;
}

absl::StatusOr<std::shared_ptr<Shards>> GlobalView::Join(
    std::vector<std::shared_ptr<Shards>> parts) {
  JoinArrays join;
  std::vector<GlobalDeviceId> devices;
  for (const std::shared_ptr<Shards>& part : parts) {
    const auto& remote = static_cast<const RemoteShards&>(*part);
    RETURN_IF_ERROR(remote.CheckNotDonated());
    if (join.parts.empty() || join.parts.back().array != remote.handle()) {
      join.parts.push_back({remote.handle(), {}});
    }
    for (GlobalDeviceId device : part->devices()) {
      join.parts.back().devices.push_back(device);
      devices.push_back(device);
    }
  }
  ASSIGN_OR_RETURN(const std::vector<HostDevices> by_host,
                   ByHost(*connection_->roster(), devices));
  join.result = connection_->NewHandle();
  auto joined = std::make_shared<RemoteShards>(
      Self(), join.result, parts[0]->shape(), std::move(devices),
      LivesOf(by_host), /*is_pending=*/true);
  connection_->Submit(Command{0, std::move(join)});
  return joined;
}

absl::StatusOr<std::vector<std::shared_ptr<Shards>>> GlobalView::Launch(
    const std::shared_ptr<ViewProgram>& program,
    const std::vector<std::shared_ptr<Shards>>& arguments) {
  ASSIGN_OR_RETURN(Launched launched,
                   Submit(static_cast<const RemoteProgram&>(*program),
                          arguments, std::nullopt));
  return std::move(launched.results);
}

absl::StatusOr<GlobalView::Launched> GlobalView::Submit(
    const RemoteProgram& remote,
    const std::vector<std::shared_ptr<Shards>>& arguments,
    std::optional<LaunchProgram::Profile> profile) {
  const auto devices = remote.spec().assignment.devices();
  ASSIGN_OR_RETURN(const std::vector<Incarnation> hosts, HostsOf(remote));
  LaunchProgram launch;
  launch.program = remote.handle();
  for (const auto& argument : arguments) {
    launch.arguments.push_back(
        static_cast<const RemoteShards&>(*argument).handle());
  }
  Launched launched;
  const auto pending = [&](const ArrayHandle& handle, Shape shape) {
    return std::make_shared<RemoteShards>(
        Self(), handle, std::move(shape),
        std::vector<GlobalDeviceId>(devices.begin(), devices.end()), hosts,
        /*is_pending=*/true);
  };
  for (const Shape& shape : remote.spec().results) {
    launch.results.push_back(connection_->NewHandle());
    launched.results.push_back(pending(launch.results.back(), shape));
  }
  if (profile.has_value()) {
    profile->array = connection_->NewHandle();
    launch.profile = profile;
    // Of as many bytes as it takes on each device.
    launched.profile = pending(profile->array, Shape(ElementType::kU8, {0}));
  }
  for (int i : remote.spec().donated_arguments) {
    static_cast<const RemoteShards&>(*arguments[i])
        .SetDonated(remote.spec().name);
  }
  if (!launch.results.empty()) latest_results_ = launch.results[0].number;
  connection_->Submit(Command{0, std::move(launch)});
  return launched;
}

absl::StatusOr<std::vector<DeviceProfile>> GlobalView::Profile(
    const std::shared_ptr<ViewProgram>& program,
    const std::vector<std::shared_ptr<Shards>>& arguments,
    int64_t most_events) {
  ASSIGN_OR_RETURN(const Launched launched,
                   Submit(static_cast<const RemoteProgram&>(*program),
                          arguments, LaunchProgram::Profile{{}, most_events}));
  for (const auto& result : launched.results) {
    RETURN_IF_ERROR(result->Await(absl::InfiniteFuture()));
  }
  const RemoteShards& profiles = *launched.profile;
  RETURN_IF_ERROR(profiles.Await(absl::InfiniteFuture()));
  ASSIGN_OR_RETURN(std::vector<HostDevices> hosts,
                   ByHost(*connection_->roster(), profiles.devices()));
  std::vector<DeviceProfile> found(profiles.devices().size());
  RETURN_IF_ERROR(ForEachAtOnce(hosts, [&](const HostDevices& host) {
    return FetchProfiles(host, profiles, found);
  }));
  return found;
}

absl::Status GlobalView::NameArray(const std::string& name, const Array& array,
                                   bool replaces) {
  const std::string who = absl::StrCat("array '", name, "'");
  const absl::Status usable = array.CheckUsable();
  if (!usable.ok()) return Annotate(usable, who);
  if (array.shards() == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        who,
        ": expected an array on devices, found a value in host memory: put it "
        "on devices first (device_put)"));
  }
  const auto* shards = dynamic_cast<const RemoteShards*>(array.shards().get());
  if (shards == nullptr || shards->view() != this) {
    return absl::InvalidArgumentError(absl::StrCat(
        who, ": expected an array of this client, found one of another"));
  }
  const absl::Status there = array.Await();
  if (!there.ok()) return Annotate(there, who);
  return connection_->NameArray(
      {name, shards->handle(), Describe(array), shards->lives(), replaces});
}

absl::StatusOr<Array> GlobalView::FindArray(const std::string& name) {
  const ArrayHandle handle = connection_->NewHandle();
  ASSIGN_OR_RETURN(const NamedArray found,
                   connection_->FindArray(name, handle));
  auto shards = std::make_shared<RemoteShards>(
      Self(), handle, found.array.shard_shape, found.array.devices, found.lives,
      /*is_pending=*/false);
  return MakeDescribed(found.array, std::move(shards), world());
}

absl::StatusOr<RemoteRead> GlobalView::StartRead(
    const ArrayHandle& array, absl::Span<const GlobalDeviceId> devices,
    absl::Span<const Incarnation> lives, CancellationToken& failure) {
  ASSIGN_OR_RETURN(std::vector<HostDevices> hosts,
                   ByHost(*connection_->roster(), devices));
  for (const HostDevices& host : hosts) {
    RETURN_IF_ERROR(CheckLife(*host.link, lives));
  }
  std::vector<RemoteRead::Part> parts;
  for (HostDevices& host : hosts) {
    parts.push_back({host.link->StartRead(array, std::move(host.devices)),
                     std::move(host.positions)});
  }
  return RemoteRead::Await(std::move(parts), failure);
}

absl::Status GlobalView::CheckLife(const HostLink& host,
                                   absl::Span<const Incarnation> lives) {
  if (absl::c_linear_search(lives, host.incarnation())) {
    return absl::OkStatus();
  }
  // Its present life would wait for the array for ever.
  return absl::FailedPreconditionError(absl::StrCat(
      ToString(host.host()),
      " is in another life than the one in which it had its part of the "
      "array"));
}

absl::Status GlobalView::CheckReachable(const std::vector<Incarnation>& hosts) {
  const absl::flat_hash_set<Incarnation> wanted(hosts.begin(), hosts.end());
  std::vector<std::shared_ptr<HostLink>> links;
  {
    absl::MutexLock lock(&mutex_);
    for (const auto& [id, link] : links_) {
      if (wanted.contains(link->incarnation())) links.push_back(link);
    }
  }
  for (const auto& link : links) RETURN_IF_ERROR(link->CheckReachable());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Incarnation>> GlobalView::HostsOf(
    const RemoteProgram& program) {
  RemoteProgram::Hosts hosts = program.hosts();
  const std::shared_ptr<const Roster> roster = connection_->roster();
  if (hosts.roster == roster) return hosts.lives;
  ASSIGN_OR_RETURN(const std::vector<HostDevices> by_host,
                   ByHost(*roster, program.spec().assignment.devices()));
  hosts = {roster, LivesOf(by_host)};
  program.set_hosts(hosts);
  return hosts.lives;
}

std::vector<Incarnation> GlobalView::LivesOf(
    absl::Span<const HostDevices> hosts) {
  std::vector<Incarnation> lives;
  for (const HostDevices& host : hosts) {
    lives.push_back(host.link->incarnation());
  }
  return lives;
}

absl::StatusOr<std::vector<GlobalView::HostDevices>> GlobalView::ByHost(
    const Roster& roster, absl::Span<const GlobalDeviceId> devices) {
  std::vector<HostDevices> hosts;
  absl::flat_hash_map<HostId, size_t> positions;
  for (size_t i = 0; i < devices.size(); ++i) {
    const Device* device = roster.world.Find(devices[i]);
    const Member* member =
        device == nullptr ? nullptr : roster.Find(device->host);
    if (member == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("the cluster has no device ", devices[i].value()));
    }
    const auto [it, is_new] = positions.try_emplace(device->host, hosts.size());
    if (is_new) hosts.push_back({LinkTo(*member), {}, {}});
    hosts[it->second].devices.push_back(devices[i]);
    hosts[it->second].positions.push_back(i);
  }
  return hosts;
}

std::shared_ptr<HostLink> GlobalView::LinkTo(const Member& member) {
  // Outlives the lock: its end waits for its stream's.
  std::shared_ptr<HostLink> ended;
  absl::MutexLock lock(&mutex_);
  auto& link = links_[member.host.id];
  if (link == nullptr || link->incarnation() != member.host.incarnation) {
    ended = std::move(link);
    link = HostLink::Open({member, connection_->client(),
                           connection_->WatchHost(member.host.incarnation),
                           &connection_->arrays(), connection_->uses_memory(),
                           connection_->roster()->limits.Verdict(),
                           connection_->credentials()});
  }
  return link;
}

}  // namespace lockstep::internal
