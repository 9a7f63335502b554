// What the coordinator does for clients of the global view and for operators.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "coordinator/coordinator.h"
#include "coordinator/coordinator_turn.h"
#include "coordinator/membership/join_checks.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {
namespace {

constexpr size_t kShownFailures = 10;  // in a status

// Clients hear of so many placed commands at a time.
constexpr int64_t kPlacedStep = 64;

// Calls `visit` with each handle that an action names.
template <typename Visit>
void ForEachHandle(const LaunchOrder::Action& action, Visit visit) {
  if (const auto* load = std::get_if<LoadProgram>(&action)) {
    visit(load->program);
  } else if (const auto* launch = std::get_if<LaunchProgram>(&action)) {
    visit(launch->program);
    for (const ArrayHandle& array : launch->arguments) visit(array);
    for (const ArrayHandle& array : launch->results) visit(array);
    if (launch->profile.has_value()) visit(launch->profile->array);
  } else if (const auto* join = std::get_if<JoinArrays>(&action)) {
    for (const JoinArrays::Part& part : join->parts) visit(part.array);
    visit(join->result);
  } else if (const auto* arrays = std::get_if<DeleteArrays>(&action)) {
    for (const ArrayHandle& array : arrays->arrays) visit(array);
  }
}

}  // namespace

ClientId Coordinator::OpenClient(const std::string& name,
                                 std::shared_ptr<ClientLink> link) {
  Turn turn(this);
  const ClientId id(++last_client_);
  clients_[id] = {name, link};
  LogInfo(absl::StrCat("client ", id.value(), " (", name, ") opened"));
  if (members_.is_formed() && readiness_.is_ready()) {
    effects_.push_back(
        [link, roster = members_.roster()] { link->PushRoster(roster); });
  } else {
    effects_.push_back(
        [link, line = WaitingLine()] { link->PushNotice(line); });
  }
  return id;
}

std::string Coordinator::WaitingLine() const {
  const std::string line = members_.WaitingLine(Now());
  if (!members_.is_formed() || readiness_.is_ready()) return line;
  return absl::StrCat(line, ", but do not all reach each other yet");
}

void Coordinator::CloseClient(ClientId client) {
  Turn turn(this);
  if (clients_.erase(client) == 0) return;
  LogInfo(absl::StrCat("client ", client.value(), " closed"));
  const HostSet hosts = AllHosts();
  launch_order_.Enqueue(client, lockstep::internal::CloseClient{client},
                        {hosts.begin(), hosts.end()});
  Dispatch();
}

absl::Status Coordinator::Submit(ClientId client, LaunchOrder::Action action) {
  Turn turn(this);
  absl::Status status = Take(client, std::move(action));
  Dispatch();
  return status;
}

void Coordinator::SubmitAll(ClientId client,
                            std::vector<LaunchOrder::Action> actions) {
  Turn turn(this);
  for (LaunchOrder::Action& action : actions) {
    LaunchProgram refused;
    if (const auto* launch = std::get_if<LaunchProgram>(&action)) {
      refused.results = launch->results;
      refused.profile = launch->profile;
    } else if (const auto* join = std::get_if<JoinArrays>(&action)) {
      refused.results = {join->result};
    }
    const absl::Status status = Take(client, std::move(action));
    auto it = clients_.find(client);
    if (status.ok() || it == clients_.end()) continue;
    ++it->second.placed;
    if (refused.results.empty() && !refused.profile.has_value()) continue;
    effects_.push_back([link = it->second.link, refused = std::move(refused),
                        status] { link->PushLaunchFailed(refused, status); });
  }
  Dispatch();
  TellPlaced();
}

absl::Status Coordinator::Take(ClientId client, LaunchOrder::Action action) {
  RETURN_IF_ERROR(CheckClient(client).status());
  if (std::holds_alternative<lockstep::internal::CloseClient>(action)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "client ", client.value(),
        ": expected a command about its own arrays and programs, found the end "
        "of a client"));
  }
  ASSIGN_OR_RETURN(std::set<HostId> hosts,
                   HostsOf(clients_.at(client), action));
  absl::Status status;
  ForEachHandle(action, [&](const ClientHandle& handle) {
    if (handle.client != client) {
      status = absl::InvalidArgumentError(
          absl::StrCat("client ", client.value(), " uses handle ",
                       handle.number, " of client ", handle.client.value()));
    }
  });
  RETURN_IF_ERROR(status);
  launch_order_.Enqueue(client, std::move(action), std::move(hosts),
                        members_.epoch());
  return absl::OkStatus();
}

void Coordinator::TellPlaced() {
  for (auto& [id, client] : clients_) {
    if (client.placed - client.told_placed < kPlacedStep) continue;
    client.told_placed = client.placed;
    effects_.push_back([link = client.link, count = client.placed] {
      link->PushPlaced(count);
    });
  }
}

absl::StatusOr<std::set<HostId>> Coordinator::HostsOf(
    ClientRecord& client, const LaunchOrder::Action& action) {
  if (const auto* load = std::get_if<LoadProgram>(&action)) {
    auto& program = client.programs[load->program.number];
    std::set<HostId> hosts;
    for (GlobalDeviceId id : load->assignment.devices()) {
      const Device* device = members_.world().Find(id);
      if (device == nullptr) {
        program = absl::InvalidArgumentError(absl::StrCat(
            "device assignment ", load->assignment.ToString(), ": no device ",
            id.value(), "; the cluster has ", members_.world().device_count()));
        return program.status();
      }
      hosts.insert(device->host);
    }
    if (hosts.empty()) {
      program = absl::InvalidArgumentError("the device assignment is empty");
    } else {
      program = members_.Refs({hosts.begin(), hosts.end()});
    }
    return program.ok() ? absl::StatusOr<std::set<HostId>>(std::move(hosts))
                        : program.status();
  }
  if (const auto* launch = std::get_if<LaunchProgram>(&action)) {
    auto program = client.programs.find(launch->program.number);
    if (program == client.programs.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "program ", launch->program.number, " has not been submitted"));
    }
    RETURN_IF_ERROR(program->second.status());
    std::set<HostId> hosts;
    for (const HostRef& host : *program->second) {
      const HostRef present = Ref(host.id);
      if (present.incarnation != host.incarnation) {
        return absl::FailedPreconditionError(absl::StrCat(
            "program ", launch->program.number, " was loaded before ",
            ToString(present), " came back in another life (",
            ToString(host.incarnation), " then, ",
            ToString(present.incarnation), " now): load it again"));
      }
      hosts.insert(host.id);
    }
    return hosts;
  }
  if (const auto* join = std::get_if<JoinArrays>(&action)) {
    std::vector<GlobalDeviceId> devices;
    for (const JoinArrays::Part& part : join->parts) {
      devices.insert(devices.end(), part.devices.begin(), part.devices.end());
    }
    return HostsOf(devices);
  }
  const HostSet hosts = AllHosts();
  return std::set<HostId>(hosts.begin(), hosts.end());
}

void Coordinator::Dispatch() {
  if (!members_.is_formed()) return;
  std::map<HostId, std::vector<Command>> commands;
  while (std::optional<LaunchOrder::Placed> placed = launch_order_.Next()) {
    const bool is_launch =
        std::holds_alternative<LaunchProgram>(placed->command.action);
    auto client = clients_.find(placed->client);
    if (client != clients_.end()) ++client->second.placed;
    if (placed->client == kNoClient) OwnCommandHasPlace();
    for (HostId host : placed->hosts) {
      const MemberRecord* member = members_.Find(host);
      if (member != nullptr && member->is_alive()) {
        commands[host].push_back(placed->command);
        continue;
      }
      launch_order_.Received(host, placed->command.sequence);
      if (!is_launch || member == nullptr) continue;
      // The others take it up too, and find the host missing.
      LaunchFailure failure;
      failure.command = placed->command.sequence;
      failure.status = AbortedBy(member->ref(), StateOf(host), "");
      TellClientOf(failure);
    }
  }
  // Workers know the membership of a command's epoch before it.
  if (!commands.empty()) PushRoster();
  for (const auto& [host, of_host] : commands) {
    members_.Find(host)->link->PushCommands(of_host);
  }
}

bool Coordinator::HasHosts() {
  Turn turn(this);
  return members_.AnyAlive() || !members_.joiners().empty();
}

ClusterStatus Coordinator::Status() {
  Turn turn(this);
  ClusterStatus status;
  status.cluster_id = cluster_id_;
  status.epoch = members_.epoch();
  status.is_formed = members_.is_formed() && readiness_.is_ready();
  status.expected_hosts = members_.expected_hosts();
  status.client_count = static_cast<int32_t>(clients_.size());
  if (!status.is_formed || !members_.joiners().empty()) {
    status.notices.push_back(WaitingLine());
  }
  for (const CutLink& link : links_.cut()) {
    status.notices.push_back(std::string(link.cause.message()));
  }
  for (const PendingWait& wait : Waits()) {
    status.notices.push_back(absl::StrCat(
        wait.what, ": ", wait.arrived.size(), " of ",
        wait.arrived.size() + wait.missing.size(),
        " hosts are there; missing: ", HostList(members_.Refs(wait.missing))));
  }
  const std::vector<Failure> failures = failures_.failures();
  const size_t skipped =
      failures.size() - std::min(failures.size(), kShownFailures);
  for (size_t i = skipped; i < failures.size(); ++i) {
    const Failure& failure = failures[i];
    std::string line = std::string(failure.ToStatus().message());
    if (!failure.collateral.empty()) {
      absl::StrAppend(&line, "; ", failure.collateral.size(), " later errors");
    }
    status.notices.push_back(std::move(line));
  }
  for (const MemberRecord& member : members_.members()) {
    status.hosts.push_back(StatusOf(member));
  }
  for (const MemberRecord& joiner : members_.joiners()) {
    HostStatus host;
    host.name = joiner.info.name;
    host.incarnation = joiner.info.incarnation;
    host.pid = joiner.info.pid;
    host.address = joiner.peer;
    host.state = joiner.is_connected ? "joining" : "suspect";
    host.since_report = Now() - joiner.connection_changed_at;
    status.hosts.push_back(std::move(host));
  }
  return status;
}

HostStatus Coordinator::StatusOf(const MemberRecord& member) const {
  HostStatus host;
  host.id = member.id;
  host.name = member.info.name;
  host.incarnation = member.info.incarnation;
  host.pid = member.info.pid;
  host.address = member.info.service_address.empty()
                     ? member.peer
                     : member.info.service_address;
  host.state = ToString(liveness_.ConditionOf(member.id));
  host.state_reason = member.state_reason;
  for (const Device& device : members_.world().local(member.id)) {
    host.devices.push_back(device.id);
  }
  host.since_report = Now() - liveness_.LastReport(member.id);
  host.activity = liveness_.Activity(member.id);
  if (const LaunchProgress* launch = liveness_.LatestLaunch(member.id)) {
    host.program = launch->program;
    host.launch = launch->launch.number.value();
    host.collective = launch->collective_name;
  }
  return host;
}

void Coordinator::Shutdown(const std::string& reason, Done<Nothing> done) {
  Turn turn(this);
  if (is_closed_) return Later(std::move(done))(ServerEnds());
  shutdown_reason_ = reason;
  LogInfo(absl::StrCat("shutting down: ", reason));
  PushToMembers([&](WorkerLink& link) { link.PushShutdown(reason); });
  // Nobody would answer them afterwards.
  members_.RefuseWaiting(ShuttingDown(reason));
  PushToClients([reason](ClientLink& link) { link.PushShutdown(reason); });
  leavers_.push_back({"the cluster", std::nullopt, Now(),
                      Now() + options_.shutdown_deadline,
                      Later(std::move(done)), nullptr});
  AnswerLeavers();
}

}  // namespace lockstep::internal
