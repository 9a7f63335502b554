#include "client/host/live_hosts.h"

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/host/host_session.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/callback_scope.h"
#include "runtime/cluster/failure.h"

namespace lockstep {

using internal::AgreementRecord;
using internal::HostRef;
using internal::HostSessionView;
using internal::RollCall;
using internal::RollCallAnswer;
using internal::WaitOptions;

namespace {

// No time at all would be the coordinator's default.
absl::Duration TimeoutOf(const LiveHostsOptions& options) {
  return std::max(options.deadline, absl::Milliseconds(1));
}

std::string LivesText(const std::vector<HostRef>& hosts) {
  return absl::StrJoin(hosts, ", ", [](std::string* out, const HostRef& host) {
    absl::StrAppend(out, ToString(host), " in life ", host.incarnation.value());
  });
}

// Other hosts wait for what this one's function gives.
absl::Status Caught(
    const std::function<absl::Status(const std::vector<Device>& live)>&
        function,
    const std::vector<Device>& live) {
  try {
    return function(live);
  } catch (const std::exception& e) {
    return absl::UnknownError(absl::StrCat("the function threw: ", e.what()));
  }
}

}  // namespace

absl::StatusOr<std::vector<LiveHost>> live_hosts(
    const LiveHostsOptions& options) {
  RETURN_IF_ERROR(internal::CallbackScope::CheckOutside());
  ASSIGN_OR_RETURN(const auto view, HostSessionView("live_hosts"));
  RollCall call;
  call.name = options.name;
  for (int host : options.hosts) call.hosts.emplace_back(host);
  WaitOptions wait;
  wait.timeout = TimeoutOf(options);
  ASSIGN_OR_RETURN(const RollCallAnswer answer,
                   view->worker().control_plane().CallRoll(call, wait));
  std::vector<LiveHost> hosts;
  for (const HostRef& host : answer.hosts) {
    hosts.push_back({host.id.value(), host.name, host.incarnation.value()});
  }
  return hosts;
}

absl::Status with_live_devices(
    const std::vector<Device>& devices,
    const std::function<absl::Status(const std::vector<Device>& live)>&
        function,
    const LiveHostsOptions& options) {
  RETURN_IF_ERROR(internal::CallbackScope::CheckOutside());
  ASSIGN_OR_RETURN(const auto view, HostSessionView("with_live_devices"));
  const HostId me = view->host_id();
  if (absl::c_none_of(devices, [&](const Device& d) { return d.host == me; })) {
    return absl::InvalidArgumentError(
        absl::StrCat("with_live_devices: no device of ", view->HostText(me),
                     " is among the devices [",
                     absl::StrJoin(devices, ", ",
                                   [](std::string* out, const Device& device) {
                                     absl::StrAppend(out, device.id.value());
                                   }),
                     "]"));
  }
  std::set<HostId> asked;
  for (const Device& device : devices) asked.insert(device.host);
  internal::ControlPlane& control_plane = view->worker().control_plane();
  WaitOptions wait;
  wait.timeout = TimeoutOf(options);
  // Apart from calls of live_hosts of that name.
  const std::string name = absl::StrCat("with_live_devices ", options.name);
  ASSIGN_OR_RETURN(
      const RollCallAnswer roll,
      control_plane.CallRoll({name, {asked.begin(), asked.end()}}, wait));

  AgreementRecord record;
  for (const HostRef& host : roll.hosts) {
    record.participants.push_back(host.id);
  }
  std::vector<Device> live;
  for (const Device& device : devices) {
    if (absl::c_linear_search(record.participants, device.host)) {
      live.push_back(device);
    }
  }
  absl::c_sort(live,
               [](const Device& a, const Device& b) { return a.id < b.id; });
  record.error = Caught(function, live);
  record.key = name;
  record.program = "with_live_devices";
  record.epoch = roll.epoch;  // a host that came back since is another one
  record.fields = {{"live hosts", LivesText(roll.hosts)}};
  const absl::Status agreed = control_plane.Agree(record, wait);
  if (agreed.ok()) return agreed;
  // The function ended earlier on one host than on others, which may have made
  // calls together that it did not make.
  view->worker().BeginSequencesAnew(roll.hosts, options.name, roll.number);
  if (absl::IsAborted(agreed)) return agreed;
  return internal::AbortedBy(
      *absl::c_find_if(roll.hosts,
                       [&](const HostRef& host) { return host.id == me; }),
      agreed, "with_live_devices");
}

}  // namespace lockstep
