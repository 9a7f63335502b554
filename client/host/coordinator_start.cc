#include "client/host/coordinator_start.h"

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/host/pmix/pmix_client.h"
#include "client/process/coordinator_process.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/worker/host_address.h"

namespace lockstep::internal {
namespace {

// A launcher waits for whoever has its standard error.
constexpr absl::Duration kEndOfLaunchedCluster = absl::Seconds(1);

// The next program of a step, and hosts that a launcher starts anew, have the
// address of those before them, whose coordinator may be about to end: when
// they were killed, a second after that is seen.
constexpr absl::Duration kEndOfEarlierCluster = absl::Seconds(3);
constexpr absl::Duration kRetryPause = absl::Milliseconds(50);

constexpr char kAddressKey[] = "lockstep.coordinator";

// Whether somebody listens at `address` until `end`.
bool SomebodyListensUntil(const std::string& address, absl::Time end) {
  while (SomebodyListens(address)) {
    if (absl::Now() >= end) return true;
    absl::SleepFor(kRetryPause);
  }
  return false;
}

std::string HostOf(const std::string& address) {
  return address.substr(0, address.rfind(':'));
}

std::string PortOf(const std::string& address) {
  return address.substr(address.rfind(':') + 1);
}

// Other hosts look for it as this one does.
absl::Status CheckIsFound(const ResolvedOptions& options) {
  if (options.coordinator_bind_address == options.coordinator_address ||
      SomebodyListens(options.coordinator_address)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "the coordinator listens at ", options.coordinator_bind_address,
      " (LOCKSTEP_COORDINATOR_BIND), where hosts that look for it at ",
      options.coordinator_address,
      " do not find it; LOCKSTEP_COORDINATOR says where they look"));
}

// Who listens there may be of the cluster before this one, which nobody can
// join any more. Who still does then is joined, and refuses other clusters.
absl::Status StartForLauncher(const ResolvedOptions& options,
                              const CoordinatorProcessOptions& process) {
  const std::string& address = options.coordinator_address;
  const absl::Time end = absl::Now() + kEndOfEarlierCluster;
  absl::Status started;
  do {
    if (SomebodyListensUntil(address, end)) return absl::OkStatus();
    started = StartCoordinatorProcess(process).status();
    if (started.ok()) return CheckIsFound(options);
    // Somebody who came in between.
  } while (SomebodyListens(address));
  return Annotate(started,
                  "rank 0 cannot start the coordinator there; "
                  "LOCKSTEP_COORDINATOR gives it another address");
}

absl::Status StartByRankZero(const ResolvedOptions& options,
                             const CoordinatorProcessOptions& process) {
  if (options.requested_rank != 0) return absl::OkStatus();
  if (options.is_address_of_launcher) return StartForLauncher(options, process);
  if (SomebodyListens(options.coordinator_address)) return absl::OkStatus();
  const absl::Status started = StartCoordinatorProcess(process).status();
  if (!started.ok()) {
    LogInfo(absl::StrCat("no coordinator started: ", StatusLine(started)));
  }
  return absl::OkStatus();
}

CoordinatorProcessOptions ProcessOf(const ResolvedOptions& options) {
  CoordinatorProcessOptions process;
  process.listen_address = options.coordinator_bind_address;
  process.expected_hosts = options.expected_hosts;
  process.cluster_id = options.cluster_id;
  if (options.is_address_of_launcher) {
    process.end_when_empty = kEndOfLaunchedCluster;
    process.waits_for_this_process = true;
  }
  process.deadline = options.join_deadline;
  process.security = SecurityOf(options);
  return process;
}

absl::Status LeadsToLoopback(const LocalFacts& facts, const std::string& own,
                             const HostAddress& address) {
  return absl::FailedPreconditionError(absl::StrCat(
      "on the machine ", facts.machine_name, " the name ", HostOf(own),
      " leads to ", address.ip,
      ", which other machines do not reach; LOCKSTEP_INTERFACE names a network "
      "interface that they do"));
}

// Where hosts of its job reach this one, with port 0.
absl::StatusOr<std::string> AddressForJob(const LocalFacts& facts,
                                          const ResolvedOptions& options,
                                          bool is_one_machine) {
  const std::string& bind = options.coordinator_bind_address;
  if (!bind.empty() && !IsAnyAddress(HostOf(bind))) {
    return absl::StrCat(HostOf(bind), ":0");
  }
  if (is_one_machine && options.interface.empty()) return "127.0.0.1:0";
  const std::string own = absl::StrCat(facts.machine_name, ":1");
  ASSIGN_OR_RETURN(const HostAddress address,
                   facts.find_address(own, options.interface,
                                      absl::Now() + options.join_deadline));
  if (options.interface.empty() && IsLoopback(address.interface)) {
    return LeadsToLoopback(facts, own, address);
  }
  return address.WithPort(0);
}

absl::StatusOr<std::string> StartAtFreePort(const LocalFacts& facts,
                                            const ResolvedOptions& options,
                                            bool is_one_machine) {
  ASSIGN_OR_RETURN(const std::string address,
                   AddressForJob(facts, options, is_one_machine));
  CoordinatorProcessOptions process = ProcessOf(options);
  if (process.listen_address.empty()) process.listen_address = address;
  ASSIGN_OR_RETURN(const std::string listening,
                   StartCoordinatorProcess(process));
  return absl::StrCat(HostOf(address), ":", PortOf(listening));
}

absl::Status MeetByPmix(const LocalFacts& facts, ResolvedOptions& options) {
  ASSIGN_OR_RETURN(PmixClient* const pmix, facts.pmix());
  ASSIGN_OR_RETURN(const PmixClient::Place place, pmix->FindPlace());
  std::string& address = options.coordinator_address;
  if (place.rank != 0) {
    ASSIGN_OR_RETURN(address,
                     pmix->Read(0, kAddressKey, options.join_deadline));
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(address, StartAtFreePort(facts, options,
                                            place.local_count == place.count));
  return pmix->Publish(kAddressKey, address);
}

// The others look for rank 0 by the launcher's name for its machine. That may
// lead to loopback there, and only there.
absl::Status TakeOwnAddress(const LocalFacts& facts, ResolvedOptions& options) {
  std::string& address = options.coordinator_address;
  std::string& bind = options.coordinator_bind_address;
  const absl::Time deadline = absl::Now() + options.join_deadline;
  ASSIGN_OR_RETURN(const HostAddress named,
                   facts.find_address(address, "", deadline));
  if (!IsLoopback(named.interface)) return absl::OkStatus();
  if (options.interface.empty()) return LeadsToLoopback(facts, address, named);
  ASSIGN_OR_RETURN(const HostAddress chosen,
                   facts.find_address(address, options.interface, deadline));
  const bool is_bound_there = bind == address;
  address = absl::StrCat(HostOf(chosen.WithPort(0)), ":", PortOf(address));
  if (is_bound_there) bind = address;
  return absl::OkStatus();
}

}  // namespace

SecurityOptions SecurityOf(const ResolvedOptions& options) {
  return {.directory = options.security_directory,
          .join_token = options.join_token,
          .is_insecure = options.allow_insecure};
}

absl::Status EnsureCoordinator(const ResolvedOptions& options) {
  if (options.meets_by_pmix) return absl::OkStatus();
  const CoordinatorProcessOptions process = ProcessOf(options);
  switch (options.start_coordinator) {
    case StartCoordinator::kNever:
      return absl::OkStatus();
    case StartCoordinator::kAlways:
      return StartCoordinatorProcess(process).status();
    case StartCoordinator::kAuto:
      return StartByRankZero(options, process);
  }
  return absl::OkStatus();
}

absl::Status OfLauncher(const ResolvedOptions& options,
                        const absl::Status& status) {
  if (!options.is_address_of_launcher) return status;
  return Annotate(
      status, absl::StrCat("the cluster of launcher ", options.launcher, " at ",
                           options.coordinator_address));
}

absl::Status FindMeetingPlace(const LocalFacts& facts,
                              ResolvedOptions& options) {
  if (options.meets_by_pmix) return MeetByPmix(facts, options);
  if (options.is_address_of_launcher && options.spans_machines &&
      options.requested_rank == 0 &&
      options.start_coordinator != StartCoordinator::kNever) {
    return TakeOwnAddress(facts, options);
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
