// What the coordinator does for arrays with names.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "coordinator/coordinator.h"
#include "coordinator/coordinator_turn.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {
namespace {

// Of a host that takes up no command it is known sooner.
constexpr absl::Duration kOwnCommandDeadline = absl::Seconds(30);

}  // namespace

void Coordinator::NameArray(ArrayNaming naming, Done<Nothing> done) {
  Turn turn(this);
  const absl::Status status = TryName(std::move(naming), Later(done));
  if (!status.ok()) Later(std::move(done))(status);
  Dispatch();
}

absl::Status Coordinator::TryName(ArrayNaming naming,
                                  const Done<Nothing>& done) {
  ASSIGN_OR_RETURN(const std::string client, CheckClient(naming.handle.client));
  const std::string name = naming.name;
  RETURN_IF_ERROR(NamedArrays::CheckName(name));
  absl::StatusOr<std::set<HostId>> hosts = HostsOf(naming.array.devices);
  if (!hosts.ok()) {
    return Annotate(hosts.status(), absl::StrCat("array '", name, "'"));
  }
  const std::set<Incarnation> lives(naming.lives.begin(), naming.lives.end());
  NamedArrays::Entry entry;
  entry.client = client;
  for (HostId host : *hosts) {
    entry.hosts.push_back(Ref(host));
    if (lives.contains(entry.hosts.back().incarnation)) continue;
    // Whichever it was, it is gone.
    entry.hosts.back().incarnation = Incarnation();
  }
  RETURN_IF_ERROR(LossOf(name, entry));
  JoinArrays share{{{naming.handle, naming.array.devices}}, {}};
  entry.array = std::move(naming.array);
  const auto before = named_arrays_.Find(name);
  // Nobody can use what is not whole any more.
  const bool replaces =
      naming.replaces || (before.ok() && !LossOf(name, **before).ok());
  ASSIGN_OR_RETURN(const NamedArrays::Named named,
                   named_arrays_.Add(name, std::move(entry), replaces));
  share.result = named.handle;
  OwnCommand command;
  command.what = absl::StrCat("array '", name, "'");
  command.on_end = [this, name, named, owner = naming.handle.client,
                    entry = **named_arrays_.Find(name),
                    done](absl::Status status) {
    mutex_.AssertHeld();
    // Client or hosts may have ended before the array was shared.
    if (status.ok()) {
      status = clients_.contains(owner)
                   ? LossOf(name, entry)
                   : absl::CancelledError(
                         absl::StrCat("client ", owner.value(), " is gone"));
      if (!status.ok()) DeleteLater(named.handle);
    }
    if (status.ok()) {
      named_arrays_.Settle(name, named);
    } else if (named_arrays_.Undo(name, named)) {
      return done(status);
    }
    if (named.replaced.has_value()) DeleteLater(named.replaced->handle);
    if (!status.ok()) return done(status);
    done(Nothing());
  };
  command.on_late_place = [this, handle = named.handle] {
    mutex_.AssertHeld();
    DeleteLater(handle);
  };
  EnqueueOwn(std::move(share), *std::move(hosts), std::move(command));
  LogInfo(absl::StrCat("client ", naming.handle.client.value(), " (", client,
                       ") names array '", name, "'"));
  return absl::OkStatus();
}

void Coordinator::FindArray(const std::string& name, ArrayHandle result,
                            Done<NamedArray> done) {
  Turn turn(this);
  const absl::Status status = TryFind(name, result, Later(done));
  if (!status.ok()) Later(std::move(done))(status);
  Dispatch();
}

absl::Status Coordinator::TryFind(const std::string& name, ArrayHandle result,
                                  const Done<NamedArray>& done) {
  RETURN_IF_ERROR(CheckClient(result.client).status());
  ASSIGN_OR_RETURN(const NamedArrays::Entry* entry, named_arrays_.Find(name));
  RETURN_IF_ERROR(LossOf(name, *entry));
  ASSIGN_OR_RETURN(std::set<HostId> hosts, HostsOf(entry->array.devices));
  JoinArrays share{{{entry->handle, entry->array.devices}}, result};
  OwnCommand command;
  command.what = absl::StrCat("array '", name, "'");
  command.on_end = [this, name, result, entry = *entry,
                    done](const absl::Status& status) {
    mutex_.AssertHeld();
    if (!status.ok()) return done(status);
    // The client's arrays, or hosts, may have ended before this one was there.
    const absl::Status loss = LossOf(name, entry);
    if (!loss.ok() || !clients_.contains(result.client)) DeleteLater(result);
    if (!loss.ok()) return done(loss);
    done(Described(name, entry));
  };
  command.on_late_place = [this, result] {
    mutex_.AssertHeld();
    DeleteLater(result);
  };
  EnqueueOwn(std::move(share), std::move(hosts), std::move(command));
  return absl::OkStatus();
}

void Coordinator::RemoveArray(const std::string& name, Done<Nothing> done) {
  Turn turn(this);
  done = Later(std::move(done));
  const absl::StatusOr<NamedArrays::Entry> entry = named_arrays_.Remove(name);
  if (!entry.ok()) return done(entry.status());
  LogInfo(absl::StrCat("the name of array '", name, "' was removed"));
  DeleteLater(entry->handle);
  Dispatch();
  done(Nothing());
}

ArrayList Coordinator::ListArrays() {
  Turn turn(this);
  ArrayList list;
  for (const auto& [name, entry] : named_arrays_.entries()) {
    list.names.emplace_back(entry.handle.number, Described(name, entry));
  }
  for (const auto& [id, client] : clients_) {
    list.clients.emplace_back(id, client.name);
  }
  for (const MemberRecord& member : members_.members()) {
    if (!member.is_alive()) continue;
    list.hosts.push_back({member.ref(), member.info.service_address});
  }
  return list;
}

NamedArray Coordinator::Described(const std::string& name,
                                  const NamedArrays::Entry& entry) const {
  NamedArray array{name, entry.array, {}, entry.client, LossOf(name, entry)};
  for (const HostRef& host : entry.hosts) {
    array.lives.push_back(host.incarnation);
  }
  return array;
}

absl::StatusOr<std::set<HostId>> Coordinator::HostsOf(
    absl::Span<const GlobalDeviceId> devices) const {
  std::set<HostId> hosts;
  std::set<GlobalDeviceId> known;
  for (GlobalDeviceId id : devices) {
    const Device* device = members_.world().Find(id);
    if (device == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("no device ", id.value(), "; the cluster has ",
                       members_.world().device_count()));
    }
    if (!known.insert(id).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "expected different devices, found ", id.value(), " twice"));
    }
    hosts.insert(device->host);
  }
  if (hosts.empty()) {
    return absl::InvalidArgumentError("expected a device, found none");
  }
  return hosts;
}

absl::StatusOr<std::string> Coordinator::CheckClient(ClientId client) const {
  if (is_closed_) return ServerEnds();
  const auto it = clients_.find(client);
  if (it == clients_.end()) {
    return absl::FailedPreconditionError(
        absl::StrCat("no client ", client.value(), " is open"));
  }
  if (!members_.is_formed()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the cluster is not complete: ", members_.WaitingLine(Now())));
  }
  return it->second.name;
}

absl::Status Coordinator::LossOf(const std::string& name,
                                 const NamedArrays::Entry& entry) const {
  for (const HostRef& host : entry.hosts) {
    const MemberRecord* member = members_.Find(host.id);
    const bool is_there = member != nullptr && member->is_alive() &&
                          member->info.incarnation == host.incarnation;
    if (is_there) continue;
    const absl::Status state = StateOf(host.id);
    return absl::FailedPreconditionError(absl::StrCat(
        "array '", name, "': its shards on ", ToString(host), " are lost: ",
        !state.ok() ? state.message() : "it came back in another life"));
  }
  return absl::OkStatus();
}

// To all hosts: those without a shard have nothing to do, and a host's life may
// end while the command waits.
void Coordinator::DeleteLater(ArrayHandle array) {
  // Nobody has it.
  if (!members_.is_formed()) return;
  const HostSet hosts = AllHosts();
  EnqueueOwn(DeleteArrays{{array}}, {hosts.begin(), hosts.end()}, {});
}

void Coordinator::EnqueueOwn(LaunchOrder::Action action, std::set<HostId> hosts,
                             OwnCommand command) {
  launch_order_.Enqueue(kNoClient, std::move(action), std::move(hosts),
                        members_.epoch());
  command.deadline = Now() + kOwnCommandDeadline;
  own_commands_.push_back(std::move(command));
}

void Coordinator::OwnCommandHasPlace() {
  OwnCommand command = std::move(own_commands_.front());
  own_commands_.pop_front();
  if (command.on_end != nullptr) {
    command.on_end(absl::OkStatus());
  } else if (command.on_late_place != nullptr) {
    command.on_late_place();
  }
}

void Coordinator::EndOwnCommands(absl::Time deadline, const absl::Status& why) {
  // What is queued meanwhile has time.
  const size_t count = own_commands_.size();
  for (size_t i = 0; i < count; ++i) {
    OwnCommand& command = own_commands_[i];
    if (command.on_end == nullptr || command.deadline > deadline) continue;
    const auto on_end = std::exchange(command.on_end, nullptr);
    on_end(Annotate(why, command.what));
  }
}

void Coordinator::CheckOwnCommands(absl::Time now) {
  if (own_commands_.empty() || own_commands_.front().deadline > now) return;
  EndOwnCommands(now, absl::DeadlineExceededError(absl::StrCat(
                          "no place among the commands within ",
                          absl::FormatDuration(kOwnCommandDeadline), ": ",
                          HostList(members_.Refs(launch_order_.FullHosts())),
                          " has not taken up those before")));
}

absl::Status Coordinator::ServerEnds() {
  return absl::UnavailableError("the coordinator ends");
}

void Coordinator::Close() {
  Turn turn(this);
  is_closed_ = true;
  EndOwnCommands(absl::InfiniteFuture(), ServerEnds());
  preemption_.Clear();
  for (Leaver& leaver : std::exchange(leavers_, {})) leaver.done(ServerEnds());
}

}  // namespace lockstep::internal
