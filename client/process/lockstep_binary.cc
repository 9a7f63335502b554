#include "client/process/lockstep_binary.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

bool IsExecutable(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// Of the program or shared library that holds this function.
fs::path OwnLibrary() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&FindLockstepBinary), &info) == 0) {
    return {};
  }
  std::error_code error;
  return fs::canonical(info.dli_fname, error);
}

std::vector<std::string> Candidates() {
  std::vector<std::string> candidates;
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (self.filename() == "lockstep") candidates.push_back(self.string());
  for (const fs::path& file : {self, OwnLibrary()}) {
    if (file.empty()) continue;
    fs::path directory = file.parent_path();
    candidates.push_back((directory / "lockstep").string());
    candidates.push_back(
        (directory.parent_path() / "bin" / "lockstep").string());
  }
  const char* path = getenv("PATH");
  for (absl::string_view directory :
       absl::StrSplit(path == nullptr ? "" : path, ':', absl::SkipEmpty())) {
    candidates.push_back(absl::StrCat(directory, "/lockstep"));
  }
  return candidates;
}

}  // namespace

absl::StatusOr<std::string> FindLockstepBinary() {
  if (const char* path = getenv("LOCKSTEP_BINARY"); path != nullptr) {
    if (IsExecutable(path)) return path;
    return absl::NotFoundError(
        absl::StrCat("LOCKSTEP_BINARY is ", path, ", which is no program"));
  }
  std::vector<std::string> candidates = Candidates();
  for (const std::string& candidate : candidates) {
    if (IsExecutable(candidate)) return candidate;
  }
  return absl::NotFoundError(absl::StrCat("the lockstep program is at none of ",
                                          absl::StrJoin(candidates, ", "),
                                          "; set LOCKSTEP_BINARY"));
}

}  // namespace lockstep::internal
