#include "client/cli/profile_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

absl::Status CannotWrite(const std::string& path, const std::string& why) {
  return absl::FailedPreconditionError(
      absl::StrCat(path, ": cannot be written: ", why));
}

// As for any file that a program makes; mkstemp's are the owner's alone.
void SetUsualMode(int file) {
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(file, 0666 & ~mask);
}

}  // namespace

absl::StatusOr<ProfileFile> ProfileFile::Create(const std::string& path) {
  std::error_code ignored;
  // Another one takes its place: not that of a device or a pipe.
  if (path.empty() ||
      (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))) {
    return CannotWrite(path, "it is no regular file");
  }
  std::string partial = path + ".partial-XXXXXX";
  const int file = mkstemp(partial.data());
  if (file < 0) return CannotWrite(path, strerror(errno));
  SetUsualMode(file);
  close(file);
  return ProfileFile(path, std::move(partial));
}

ProfileFile::~ProfileFile() {
  if (!partial_.empty()) unlink(partial_.c_str());
}

absl::Status ProfileFile::Write(absl::string_view text) {
  std::ofstream file(partial_, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) return CannotWrite(path_, strerror(errno));
  if (rename(partial_.c_str(), path_.c_str()) != 0) {
    return CannotWrite(path_, strerror(errno));
  }
  partial_.clear();
  return absl::OkStatus();
}

}  // namespace lockstep::internal
