// What the coordinator does for arrays with names.
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "coordinator/coordinator.h"
#include "coordinator/coordinator_turn.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {

void Coordinator::NameArray(const std::string& name, ArrayHandle source,
                            ArrayDescription array, bool replaces,
                            Done<Nothing> done) {
  Turn turn(this);
  const absl::Status status =
      TryName(name, source, std::move(array), replaces, Later(done));
  if (!status.ok()) Later(std::move(done))(status);
  Dispatch();
}

absl::Status Coordinator::TryName(const std::string& name, ArrayHandle source,
                                  ArrayDescription array, bool replaces,
                                  const Done<Nothing>& done) {
  ASSIGN_OR_RETURN(const std::string client, CheckClient(source.client));
  std::set<HostId> hosts;
  for (GlobalDeviceId id : array.devices) {
    const Device* device = members_.world().Find(id);
    if (device == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("array '", name, "': no device ", id.value(),
                       "; the cluster has ", members_.world().device_count()));
    }
    hosts.insert(device->host);
  }
  std::vector<GlobalDeviceId> devices = array.devices;
  NamedArrays::Entry entry;
  entry.array = std::move(array);
  entry.client = client;
  entry.hosts = members_.Refs({hosts.begin(), hosts.end()});
  const auto before = named_arrays_.Find(name);
  // Nobody can use what is not whole any more.
  replaces |= before.ok() && !LossOf(name, **before).ok();
  ASSIGN_OR_RETURN(const NamedArrays::Named named,
                   named_arrays_.Add(name, std::move(entry), replaces));
  JoinArrays share{{{source, std::move(devices)}}, named.handle};
  EnqueueOwn(std::move(share), [this, name, named, source, done] {
    mutex_.AssertHeld();
    if (clients_.contains(source.client)) return done(Nothing());
    // It may have ended before the array was shared.
    const auto entry = named_arrays_.Find(name);
    if (entry.ok() && (*entry)->handle == named.handle) {
      (void)named_arrays_.Remove(name);
    }
    DeleteLater(named.handle, [] {});
    done(absl::CancelledError(
        absl::StrCat("client ", source.client.value(), " is gone")));
  });
  if (named.replaced.has_value()) DeleteLater(*named.replaced, [] {});
  LogInfo(absl::StrCat("client ", source.client.value(), " (", client,
                       ") named array '", name, "'"));
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
  NamedArray found{name, entry->array, entry->client, absl::OkStatus()};
  JoinArrays share{{{entry->handle, entry->array.devices}}, result};
  EnqueueOwn(std::move(share), [this, result, found = std::move(found), done] {
    mutex_.AssertHeld();
    if (!clients_.contains(result.client)) {
      // Its arrays may have ended before this one was there.
      DeleteLater(result, [] {});
    }
    done(found);
  });
  return absl::OkStatus();
}

void Coordinator::RemoveArray(const std::string& name, Done<Nothing> done) {
  Turn turn(this);
  const absl::StatusOr<NamedArrays::Entry> entry = named_arrays_.Remove(name);
  if (entry.ok()) {
    LogInfo(absl::StrCat("the name of array '", name, "' was removed"));
    DeleteLater(entry->handle,
                [done = Later(std::move(done))] { done(Nothing()); });
  } else {
    Later(std::move(done))(entry.status());
  }
  Dispatch();
}

ArrayList Coordinator::ListArrays() {
  Turn turn(this);
  ArrayList list;
  for (const auto& [name, entry] : named_arrays_.entries()) {
    list.names.emplace_back(
        entry.handle.number,
        NamedArray{name, entry.array, entry.client, LossOf(name, entry)});
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

absl::StatusOr<std::string> Coordinator::CheckClient(ClientId client) const {
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
        state.ok() ? "it came back in another life" : state.message()));
  }
  return absl::OkStatus();
}

void Coordinator::DeleteLater(ArrayHandle array,
                              std::function<void()> on_placed) {
  EnqueueOwn(DeleteArrays{{array}}, std::move(on_placed));
}

// To all hosts: those without a shard have nothing to do, and a host's life may
// end while the command waits.
void Coordinator::EnqueueOwn(LaunchOrder::Action action,
                             std::function<void()> on_placed) {
  const HostSet hosts = AllHosts();
  launch_order_.Enqueue(kNoClient, std::move(action),
                        {hosts.begin(), hosts.end()}, members_.epoch());
  on_placed_.push_back(std::move(on_placed));
}

}  // namespace lockstep::internal
