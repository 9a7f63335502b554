#include "client/checkpoint/call_hosts.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

CallHosts::CallHosts(std::shared_ptr<View> view, std::set<HostId> hosts)
    : view_(std::move(view)), hosts_(std::move(hosts)) {
  if (!hosts_.empty()) return;
  const World world = view_->world();
  for (const Device& device : world.devices()) {
    if (view_->IsAlive(device.host)) hosts_.insert(device.host);
  }
}

bool CallHosts::has_caller() const {
  const std::optional<HostId> caller = view_->host();
  return !caller.has_value() || hosts_.contains(*caller);
}

bool CallHosts::has_others() const {
  return view_->host().has_value() && hosts_.size() > 1;
}

bool CallHosts::is_caller_first() const {
  const std::optional<HostId> caller = view_->host();
  return !caller.has_value() || *caller == *hosts_.begin();
}

absl::StatusOr<Device> CallHosts::FirstDevice() const {
  if (hosts_.empty()) {
    return absl::FailedPreconditionError("no host is alive");
  }
  const HostId first = *hosts_.begin();
  const std::vector<Device> devices = view_->world().local(first);
  if (!devices.empty()) return devices[0];
  return absl::FailedPreconditionError(
      absl::StrCat(view_->HostText(first), " has no devices"));
}

absl::StatusOr<std::optional<CallHosts::HostFolder>> CallHosts::FindHostFolder(
    const std::string& folder) const {
  CheckpointHosts* const hosts = view_->checkpoint_hosts();
  if (hosts == nullptr) return std::nullopt;
  if (hosts_.empty()) {
    return absl::FailedPreconditionError("no host is alive");
  }
  std::error_code error;
  const std::string path = std::filesystem::absolute(folder, error);
  if (error) {
    return absl::ErrnoToStatus(
        error.value(),
        absl::StrCat("'", folder, "': cannot find its absolute path"));
  }
  ASSIGN_OR_RETURN(const bool may_use, hosts->MayUse(path, hosts_));
  if (!may_use) return std::nullopt;
  return HostFolder{hosts, path};
}

absl::Status CallHosts::Agree(const std::string& call, uint64_t digest,
                              const std::string& sequence,
                              std::vector<AgreementRecord::Field> fields,
                              const absl::Status& error) const {
  CallRequest request;
  request.sequence = sequence;
  request.function = call;
  request.description = {digest, call};
  request.devices.emplace();
  const World world = view_->world();
  for (const Device& device : world.devices()) {
    if (hosts_.contains(device.host)) request.devices->push_back(device.id);
  }
  return view_->Agree(std::move(request), {call, std::move(fields)}, error);
}

}  // namespace lockstep::internal
