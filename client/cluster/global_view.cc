#include "client/cluster/global_view.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cluster/remote_shards.h"
#include "runtime/base/status.h"
#include "runtime/mesh/pmap_rules.h"
#include "runtime/worker/daemon/command_executor.h"

namespace lockstep {
namespace {

class RemoteProgram : public ViewProgram {
 public:
  RemoteProgram(ProgramHandle handle, ViewProgramSpec spec)
      : handle_(handle), spec_(std::move(spec)) {}
  ProgramHandle handle() const { return handle_; }
  const ViewProgramSpec& spec() const { return spec_; }

 private:
  const ProgramHandle handle_;
  const ViewProgramSpec spec_;
};

// The world as if one host had all its devices.
World AsOneHost(const World& world) {
  std::vector<Device> devices = world.devices();
  for (Device& device : devices) device.host = HostId(0);
  return World(std::move(devices));
}

std::string Quantity(const AxisQuery& query) {
  return query.axis_name.empty() ? "the mapped axis"
                                 : absl::StrCat("axis '", query.axis_name, "'");
}

// Runs `work` for each item at the same time; the first error, by item.
template <typename Item, typename Work>
absl::Status ForEachAtOnce(std::vector<Item>& items, const Work& work) {
  std::vector<absl::Status> statuses(items.size());
  std::vector<std::thread> threads;
  for (size_t i = 1; i < items.size(); ++i) {
    threads.emplace_back([&, i] { statuses[i] = work(items[i]); });
  }
  if (!items.empty()) statuses[0] = work(items[0]);
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& status : statuses) RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

}  // namespace

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
  return lockstep::CheckReplicas(query.axis_size, global_axis_size,
                                 body_replicas, query.devices, world,
                                 HostId(0));
}

absl::StatusOr<std::shared_ptr<ViewProgram>> GlobalView::Load(
    ViewProgramSpec spec) {
  LoadProgram load;
  load.program = connection_->NewHandle();
  load.text = spec.text;
  load.assignment = spec.assignment;
  load.options[kProgramNameOption] = spec.name;
  if (!spec.donated_arguments.empty()) {
    load.options[kDonatedArgumentsOption] =
        absl::StrJoin(spec.donated_arguments, ",");
  }
  auto program = std::make_shared<RemoteProgram>(load.program, std::move(spec));
  connection_->Submit(Command{0, std::move(load)});
  return program;
}

absl::StatusOr<std::shared_ptr<Shards>> GlobalView::Put(
    std::vector<Literal> shards, std::vector<GlobalDeviceId> devices) {
  const ArrayHandle array = connection_->NewHandle();
  ASSIGN_OR_RETURN(std::vector<HostShards> hosts, ByHost(array, devices));
  for (HostShards& host : hosts) {
    for (size_t i = 0; i < host.shards.size(); ++i) {
      host.shards[i].value = shards[host.positions[i]];
    }
  }
  auto result = std::make_shared<RemoteShards>(
      shared_from_this(), array, shards[0].shape(), std::move(devices));
  RETURN_IF_ERROR(ForEachAtOnce(
      hosts, [](HostShards& host) { return host.transfer->Put(host.shards); }));
  result->SetPresent();
  return result;
}

absl::StatusOr<std::vector<std::shared_ptr<Shards>>> GlobalView::Launch(
    const std::shared_ptr<ViewProgram>& program,
    const std::vector<std::shared_ptr<Shards>>& arguments) {
  const auto& remote = static_cast<const RemoteProgram&>(*program);
  const auto devices = remote.spec().assignment.devices();
  LaunchProgram launch;
  launch.program = remote.handle();
  for (const auto& argument : arguments) {
    launch.arguments.push_back(
        static_cast<const RemoteShards&>(*argument).handle());
  }
  std::vector<std::shared_ptr<Shards>> results;
  for (const Shape& shape : remote.spec().results) {
    launch.results.push_back(connection_->NewHandle());
    results.push_back(std::make_shared<RemoteShards>(
        shared_from_this(), launch.results.back(), shape,
        std::vector<GlobalDeviceId>(devices.begin(), devices.end())));
  }
  for (int i : remote.spec().donated_arguments) {
    static_cast<const RemoteShards&>(*arguments[i])
        .SetDonated(remote.spec().name);
  }
  connection_->Submit(Command{0, std::move(launch)});
  return results;
}

absl::StatusOr<std::vector<Literal>> GlobalView::Fetch(
    const ArrayHandle& array, absl::Span<const GlobalDeviceId> devices,
    CancellationToken& cancellation, absl::Time deadline) {
  ASSIGN_OR_RETURN(std::vector<HostShards> hosts, ByHost(array, devices));
  std::vector<Literal> values(devices.size());
  RETURN_IF_ERROR(ForEachAtOnce(hosts, [&](HostShards& host) -> absl::Status {
    ASSIGN_OR_RETURN(std::vector<Literal> fetched,
                     host.transfer->Fetch(host.shards, cancellation, deadline));
    for (size_t i = 0; i < fetched.size(); ++i) {
      values[host.positions[i]] = std::move(fetched[i]);
    }
    return absl::OkStatus();
  }));
  return values;
}

absl::StatusOr<std::vector<GlobalView::HostShards>> GlobalView::ByHost(
    const ArrayHandle& array, absl::Span<const GlobalDeviceId> devices) {
  const Roster roster = connection_->roster();
  std::vector<HostShards> hosts;
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
    if (is_new) hosts.push_back({TransferTo(*member), {}, {}});
    hosts[it->second].shards.push_back({array, devices[i], {}});
    hosts[it->second].positions.push_back(i);
  }
  return hosts;
}

std::shared_ptr<ShardTransfer> GlobalView::TransferTo(const Member& member) {
  absl::MutexLock lock(&mutex_);
  auto& transfer = transfers_[member.host.incarnation];
  if (transfer == nullptr) {
    transfer =
        ShardTransfer::Create(member.service_address, member.host,
                              connection_->WatchHost(member.host.incarnation),
                              connection_->roster().limits.Verdict());
  }
  return transfer;
}

}  // namespace lockstep
