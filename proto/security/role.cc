#include "proto/security/role.h"

namespace lockstep::internal {

absl::string_view RoleName(Role role) {
  switch (role) {
    case Role::kView:
      return "view";
    case Role::kSubmit:
      return "submit";
    case Role::kAdmin:
      break;
  }
  return "admin";
}

const std::map<std::string, Role, std::less<>>& RolesByCall() {
  static const auto& roles = *new std::map<std::string, Role, std::less<>>{
      {"Coordinator/Connect", Role::kAdmin},
      {"Coordinator/FetchRoster", Role::kSubmit},
      {"Coordinator/FindArray", Role::kSubmit},
      {"Coordinator/GetStatus", Role::kView},
      {"Coordinator/ListArrays", Role::kView},
      {"Coordinator/NameArray", Role::kSubmit},
      {"Coordinator/NoticePreemption", Role::kAdmin},
      {"Coordinator/OpenClient", Role::kSubmit},
      {"Coordinator/RemoveArray", Role::kSubmit},
      {"Coordinator/Shutdown", Role::kAdmin},
      {"Worker/CommitCheckpoint", Role::kSubmit},
      {"Worker/FetchShards", Role::kSubmit},
      {"Worker/ListShards", Role::kView},
      {"Worker/OpenCheckpoint", Role::kSubmit},
      {"Worker/PutShards", Role::kSubmit},
      {"Worker/RestoreShards", Role::kSubmit},
      {"Worker/SaveShards", Role::kSubmit},
      {"Worker/WatchArrays", Role::kSubmit},
  };
  return roles;
}

Role RequiredRole(absl::string_view call) {
  const auto it =
      RolesByCall().find(std::string_view(call.data(), call.size()));
  return it == RolesByCall().end() ? Role::kAdmin : it->second;
}

}  // namespace lockstep::internal
