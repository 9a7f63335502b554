#include "proto/roster_codec.h"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "proto/id_runs.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kMaxBodyBytes = int64_t{1} << 30;

proto::Member ToMessage(const Member& member) {
  proto::Member message;
  *message.mutable_host() = ToProto(member.host);
  message.set_state(static_cast<proto::Member::State>(member.state));
  message.set_pid(member.pid);
  message.set_machine(member.machine);
  message.set_service_address(member.service_address);
  message.set_transport_address(member.transport_address);
  return message;
}

absl::StatusOr<MemberState> StateOf(proto::Member::State state) {
  if (proto::Member::State_IsValid(state)) {
    return static_cast<MemberState>(state);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "member: expected a state, found ", static_cast<int>(state)));
}

absl::StatusOr<Member> FromMessage(const proto::Member& message) {
  ASSIGN_OR_RETURN(const MemberState state, StateOf(message.state()));
  return Member{FromProto(message.host()),
                state,
                message.pid(),
                message.machine(),
                message.service_address(),
                message.transport_address()};
}

proto::RosterBody BodyOf(const Roster& roster) {
  proto::RosterBody body;
  body.set_cluster_id(roster.cluster_id);
  body.set_report_interval_us(
      absl::ToInt64Microseconds(roster.limits.report_interval));
  body.set_silence_us(absl::ToInt64Microseconds(roster.limits.silence));
  body.set_link_deadline_us(
      absl::ToInt64Microseconds(roster.limits.link_deadline));
  return body;
}

proto::RosterUpdate Compress(const proto::RosterBody& body, Epoch epoch,
                             Epoch base) {
  const std::string bytes = body.SerializeAsString();
  uLongf size = compressBound(bytes.size());
  std::string compressed(size, '\0');
  // Cannot fail: there is room for the worst case.
  compress2(reinterpret_cast<Bytef*>(compressed.data()), &size,
            reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
            Z_BEST_SPEED);
  compressed.resize(size);
  proto::RosterUpdate update;
  update.set_epoch(epoch.value());
  update.set_base(base.value());
  update.set_body(std::move(compressed));
  update.set_body_bytes(static_cast<int64_t>(bytes.size()));
  return update;
}

absl::StatusOr<proto::RosterBody> Decompress(
    const proto::RosterUpdate& update) {
  const auto damaged = [&] {
    return absl::InvalidArgumentError(absl::StrCat(
        "roster of epoch ", update.epoch(), ": ", update.body().size(),
        " bytes, said to be ", update.body_bytes(),
        " before compression, cannot be read"));
  };
  if (update.body_bytes() < 0 || update.body_bytes() > kMaxBodyBytes) {
    return damaged();
  }
  std::string bytes(update.body_bytes(), '\0');
  uLongf size = bytes.size();
  const int result =
      uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                 reinterpret_cast<const Bytef*>(update.body().data()),
                 update.body().size());
  proto::RosterBody body;
  if (result != Z_OK || size != bytes.size() || !body.ParseFromString(bytes)) {
    return damaged();
  }
  return body;
}

// Numbers the kinds of devices.
class Models {
 public:
  explicit Models(proto::RosterBody* body) : body_(*body) {}

  // `machine`: that of its host. Of a device in the network group of its
  // machine the group is not said: each machine would have models of its own.
  int NumberOf(const Device& device, const std::string& machine) {
    const std::string group =
        device.network_group == machine ? "" : device.network_group;
    const auto [it, is_new] =
        numbers_.try_emplace(Key(device.platform, device.kind,
                                 device.memory_bytes, device.numa_node, group),
                             body_.models_size());
    if (is_new) {
      proto::DeviceModel& model = *body_.add_models();
      model.set_platform(device.platform);
      model.set_kind(device.kind);
      model.set_memory_bytes(device.memory_bytes);
      model.set_numa_node(device.numa_node);
      model.set_network_group(group);
    }
    return it->second;
  }

 private:
  using Key =
      std::tuple<std::string, std::string, int64_t, int32_t, std::string>;
  proto::RosterBody& body_;
  absl::flat_hash_map<Key, int> numbers_;
};

absl::StatusOr<World> WorldOf(const proto::RosterBody& body) {
  std::vector<Device> devices;
  for (const proto::Member& member : body.members()) {
    for (int i = 0; i < member.devices_size(); ++i) {
      const int number = member.devices(i);
      if (number < 0 || number >= body.models_size()) {
        return absl::InvalidArgumentError(
            absl::StrCat("roster: device ", i, " of host ", member.host().id(),
                         " is of model ", number, ", expected less than ",
                         body.models_size()));
      }
      const proto::DeviceModel& model = body.models(number);
      Device device;
      device.id = GlobalDeviceId(static_cast<int32_t>(devices.size()));
      device.host = HostId(member.host().id());
      device.local_id = LocalDeviceId(i);
      device.platform = model.platform();
      device.kind = model.kind();
      device.memory_bytes = model.memory_bytes();
      device.numa_node = model.numa_node();
      device.network_group = model.network_group().empty()
                                 ? member.machine()
                                 : model.network_group();
      devices.push_back(std::move(device));
    }
  }
  return World(std::move(devices));
}

absl::StatusOr<Roster> WholeRoster(const proto::RosterBody& body) {
  Roster roster;
  for (const proto::Member& message : body.members()) {
    ASSIGN_OR_RETURN(Member member, FromMessage(message));
    roster.members.push_back(std::move(member));
  }
  ASSIGN_OR_RETURN(roster.world, WorldOf(body));
  return roster;
}

// The place of `host` in `roster`.
absl::StatusOr<size_t> PlaceOf(HostId host, const Roster& roster) {
  const Member* member = roster.Find(host);
  if (member != nullptr) {
    return static_cast<size_t>(member - roster.members.data());
  }
  return absl::InvalidArgumentError(absl::StrCat("roster: host ", host.value(),
                                                 " changes, but is no member"));
}

absl::StatusOr<Roster> ChangedRoster(const proto::RosterBody& body,
                                     const Roster& known) {
  Roster roster = known;
  for (const proto::Member& message : body.members()) {
    ASSIGN_OR_RETURN(Member member, FromMessage(message));
    ASSIGN_OR_RETURN(const size_t place, PlaceOf(member.host.id, roster));
    roster.members[place] = std::move(member);
  }
  for (const proto::StateChange& change : body.states()) {
    ASSIGN_OR_RETURN(const MemberState state, StateOf(change.state()));
    for (const HostId host : HostsOf(change.hosts())) {
      ASSIGN_OR_RETURN(const size_t place, PlaceOf(host, roster));
      roster.members[place].state = state;
    }
  }
  return roster;
}

// Whole members, and the hosts of which only the state is another: when ten
// thousand leave, they are a few bytes.
class MemberChanges {
 public:
  void Add(const Member& from, const Member& to, proto::RosterBody& body) {
    if (from == to) return;
    Member same = from;
    same.state = to.state;
    if (same == to) {
      hosts_[to.state].push_back(to.host.id);
    } else {
      *body.add_members() = ToMessage(to);
    }
  }
  void WriteStates(proto::RosterBody& body) const {
    for (const auto& [state, hosts] : hosts_) {
      proto::StateChange& change = *body.add_states();
      change.set_state(static_cast<proto::Member::State>(state));
      AppendHosts(hosts, change.mutable_hosts());
    }
  }

 private:
  std::map<MemberState, std::vector<HostId>> hosts_;
};

}  // namespace

proto::RosterUpdate EncodeRoster(const Roster& roster) {
  proto::RosterBody body = BodyOf(roster);
  Models models(&body);
  auto device = roster.world.devices().begin();
  for (const Member& member : roster.members) {
    proto::Member& message = *body.add_members();
    message = ToMessage(member);
    for (; device != roster.world.devices().end() &&
           device->host == member.host.id;
         ++device) {
      message.add_devices(models.NumberOf(*device, member.machine));
    }
  }
  return Compress(body, roster.epoch, Epoch());
}

std::optional<proto::RosterUpdate> EncodeRosterChange(const Roster& from,
                                                      const Roster& to) {
  if (from.epoch == Epoch() || from.cluster_id != to.cluster_id ||
      from.members.size() != to.members.size() || from.world != to.world) {
    return std::nullopt;
  }
  proto::RosterBody body = BodyOf(to);
  MemberChanges changes;
  for (size_t i = 0; i < to.members.size(); ++i) {
    if (from.members[i].host.id != to.members[i].host.id) return std::nullopt;
    changes.Add(from.members[i], to.members[i], body);
  }
  changes.WriteStates(body);
  return Compress(body, to.epoch, from.epoch);
}

absl::StatusOr<std::shared_ptr<const Roster>> ApplyRosterUpdate(
    const proto::RosterUpdate& update,
    const std::shared_ptr<const Roster>& known) {
  const Epoch epoch(update.epoch());
  if (known != nullptr && known->epoch > epoch) return known;
  const std::vector<std::string> secrets(update.secrets().begin(),
                                         update.secrets().end());
  // Fetched while the news of it was on its way.
  if (known != nullptr && known->epoch == epoch) {
    Roster roster = *known;
    if (!secrets.empty()) roster.secrets = secrets;
    return std::make_shared<const Roster>(std::move(roster));
  }
  const Epoch base(update.base());
  const bool is_whole = base == Epoch();
  if (update.body().empty() ||
      (!is_whole && (known == nullptr || known->epoch != base))) {
    return absl::FailedPreconditionError(
        absl::StrCat("the roster of epoch ", update.epoch(),
                     " does not follow from what is known"));
  }
  ASSIGN_OR_RETURN(const proto::RosterBody body, Decompress(update));
  ASSIGN_OR_RETURN(Roster roster,
                   is_whole ? WholeRoster(body) : ChangedRoster(body, *known));
  roster.cluster_id = body.cluster_id();
  roster.epoch = epoch;
  roster.limits.report_interval = absl::Microseconds(body.report_interval_us());
  roster.limits.silence = absl::Microseconds(body.silence_us());
  roster.limits.link_deadline = absl::Microseconds(body.link_deadline_us());
  roster.secrets = secrets;
  return std::make_shared<const Roster>(std::move(roster));
}

}  // namespace lockstep::internal
