#include "client/process/run_directory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace lockstep::internal {
namespace {

std::string AddressPath() { return UpSecurityDirectory() + "/address"; }

}  // namespace

std::string RunDirectory() {
  const char* runtime = getenv("XDG_RUNTIME_DIR");
  struct stat status = {};
  if (runtime != nullptr && runtime[0] == '/' && stat(runtime, &status) == 0) {
    return absl::StrCat(runtime, "/lockstep");
  }
  return absl::StrCat("/tmp/lockstep-", getuid());
}

absl::Status CheckPrivateDirectory(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot use ", path, ": ", strerror(errno)));
  }
  if (!S_ISDIR(status.st_mode) || status.st_uid != getuid() ||
      (status.st_mode & 077) != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "expected ", path, " to be a folder that only user ", getuid(),
        " may enter; found owner ", status.st_uid, ", mode ",
        absl::StrFormat("%04o", status.st_mode & 07777)));
  }
  return absl::OkStatus();
}

std::string UpSecurityDirectory() { return RunDirectory() + "/security"; }

absl::Status RecordSecurityAddress(const std::string& address) {
  std::ofstream file(AddressPath(), std::ios::trunc);
  file << address << "\n";
  file.close();
  if (file) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("cannot write ", AddressPath(), ": ", strerror(errno)));
}

std::string SecurityDirectoryOf(const std::string& address) {
  if (address.empty() || !CheckPrivateDirectory(RunDirectory()).ok()) return "";
  std::ifstream file(AddressPath());
  std::string recorded;
  if (!std::getline(file, recorded) || recorded != address) return "";
  return UpSecurityDirectory();
}

}  // namespace lockstep::internal
