#include "runtime/base/directory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

absl::Status CreateWritableDirectory(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": cannot be written: ", why));
  };
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return refuse(error.message());
  // Root may write where the mode forbids it, a read-only file system refuses
  // root too: try it.
  std::string probe = path + "/.probe-XXXXXX";
  const int file = mkstemp(probe.data());
  if (file < 0) return refuse(strerror(errno));
  close(file);
  unlink(probe.c_str());
  return absl::OkStatus();
}

}  // namespace lockstep::internal
