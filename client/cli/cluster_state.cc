#include "client/cli/cluster_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "client/process/run_directory.h"
#include "nlohmann/json.hpp"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

using nlohmann::json;

json ToJson(const ClusterState& state) {
  json processes = json::array();
  for (const ClusterState::Process& process : state.processes) {
    processes.push_back({{"name", process.name},
                         {"pid", process.ref.pid},
                         {"start_ticks", process.ref.start_ticks}});
  }
  json value = {{"address", state.address},
                {"hosts", state.hosts},
                {"devices_per_host", state.devices_per_host},
                {"processes", processes}};
  if (state.starter.has_value()) {
    value["starter"] = {{"pid", state.starter->pid},
                        {"start_ticks", state.starter->start_ticks}};
  }
  return value;
}

ClusterState FromJson(const json& value) {
  ClusterState state;
  value.at("address").get_to(state.address);
  value.at("hosts").get_to(state.hosts);
  value.at("devices_per_host").get_to(state.devices_per_host);
  for (const json& process : value.at("processes")) {
    state.processes.push_back(
        {process.at("name"),
         ProcessRef{process.at("pid"), process.at("start_ticks")}});
  }
  if (auto starter = value.find("starter"); starter != value.end()) {
    state.starter = ProcessRef{starter->at("pid"), starter->at("start_ticks")};
  }
  return state;
}

}  // namespace

std::vector<ClusterState::Process> ClusterState::Alive() const {
  std::vector<Process> alive;
  for (const Process& process : processes) {
    if (process.ref.IsAlive()) alive.push_back(process);
  }
  return alive;
}

bool ClusterState::is_coordinator_alive() const {
  return !processes.empty() && processes.front().ref.IsAlive();
}

absl::StatusOr<StateDirectory> StateDirectory::Open() {
  StateDirectory directory(RunDirectory());
  if (mkdir(directory.path_.c_str(), 0700) != 0 && errno != EEXIST) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot create ", directory.path_, ": ", strerror(errno)));
  }
  absl::Status status = CheckPrivateDirectory(directory.path_);
  if (!status.ok()) return status;
  return directory;
}

absl::StatusOr<bool> StateDirectory::TryLock() {
  const std::string path = path_ + "/lock";
  lock_ = UniqueFd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock_.is_open() && flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) {
    return true;
  }
  const bool is_taken = lock_.is_open() && errno == EWOULDBLOCK;
  const int error = errno;
  lock_.Reset();
  if (is_taken) return false;
  return absl::FailedPreconditionError(
      absl::StrCat("cannot lock ", path, ": ", strerror(error)));
}

absl::StatusOr<std::optional<ClusterState>> StateDirectory::Read() const {
  std::ifstream file(state_path());
  if (!file) return std::nullopt;
  try {
    return FromJson(json::parse(file));
  } catch (const json::exception& error) {
    return absl::InvalidArgumentError(
        absl::StrCat(state_path(), ": ", error.what()));
  }
}

absl::Status StateDirectory::Write(const ClusterState& state) const {
  const std::string partial = state_path() + ".partial";
  errno = 0;
  std::ofstream file(partial, std::ios::trunc);
  file << ToJson(state).dump(2) << "\n";
  file.close();
  if (file && rename(partial.c_str(), state_path().c_str()) == 0) {
    return absl::OkStatus();
  }
  const int error = errno;
  unlink(partial.c_str());
  return absl::FailedPreconditionError(
      absl::StrCat("cannot write ", state_path(), ": ", strerror(error)));
}

void StateDirectory::Remove() const {
  unlink(state_path().c_str());
  std::error_code error;
  std::filesystem::remove_all(UpSecurityDirectory(), error);
}

void StateDirectory::RemoveLogs() const {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path_, error)) {
    if (entry.path().extension() == ".log") {
      std::filesystem::remove(entry.path(), error);
    }
  }
}

}  // namespace lockstep::internal
