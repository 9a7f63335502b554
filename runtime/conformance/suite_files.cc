#include "runtime/conformance/suite_files.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

bool IsSuiteFile(const std::string& name) {
  return absl::EndsWith(name, ".mlir") || absl::EndsWith(name, ".bc");
}

bool MatchesAny(const std::vector<std::string>& patterns,
                const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const auto& glob) {
    return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
  });
}

bool IsSelected(const SuiteSelection& selection, const std::string& name) {
  if (!selection.include.empty() && !MatchesAny(selection.include, name)) {
    return false;
  }
  return !MatchesAny(selection.exclude, name);
}

// Walks a folder; what cannot be read is passed over.
class FolderWalk {
 public:
  explicit FolderWalk(std::vector<SuiteFile>& files) : files_(files) {}

  void Visit(const fs::path& folder, const std::string& prefix) {
    std::error_code error;
    if (!visited_.insert(fs::canonical(folder, error).string()).second) return;
    for (fs::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
      const std::string name = prefix + it->path().filename().string();
      std::error_code ignored;
      if (it->is_directory(ignored)) {
        Visit(it->path(), name + "/");
      } else if (IsSuiteFile(name)) {
        files_.push_back({name, it->path().string(),
                          static_cast<int64_t>(it->file_size(ignored))});
      }
    }
  }

 private:
  std::vector<SuiteFile>& files_;
  std::set<std::string> visited_;
};

}  // namespace

absl::StatusOr<std::vector<SuiteFile>> FindSuiteFiles(
    const std::string& path, const SuiteSelection& selection) {
  std::error_code error;
  std::vector<SuiteFile> files;
  if (fs::is_directory(path, error)) {
    FolderWalk(files).Visit(path, "");
  } else if (fs::exists(path, error)) {
    files.push_back({fs::path(path).filename().string(), path,
                     static_cast<int64_t>(fs::file_size(path, error))});
  } else {
    return absl::NotFoundError(
        absl::StrCat(path, ": expected a file or a folder, found nothing"));
  }
  std::erase_if(files, [&](const SuiteFile& file) {
    return !IsSelected(selection, file.name);
  });
  if (files.empty()) {
    return absl::NotFoundError(
        absl::StrCat(path, ": expected *.mlir files, found none"));
  }
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

}  // namespace lockstep::internal
