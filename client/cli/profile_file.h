#ifndef LOCKSTEP_CLIENT_CLI_PROFILE_FILE_H_
#define LOCKSTEP_CLIENT_CLI_PROFILE_FILE_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// A file that is there with all of its text or, before and after a failure, as
// it was. Not thread-safe.
class ProfileFile {
 public:
  // FAILED_PRECONDITION when it cannot be written: a folder, or in one that is
  // missing or may not be written to.
  static absl::StatusOr<ProfileFile> Create(const std::string& path);
  ProfileFile(ProfileFile&& other) noexcept
      : path_(std::move(other.path_)),
        partial_(std::exchange(other.partial_, "")) {}
  ~ProfileFile();

  const std::string& path() const { return path_; }
  // Once.
  absl::Status Write(absl::string_view text);

 private:
  ProfileFile(std::string path, std::string partial)
      : path_(std::move(path)), partial_(std::move(partial)) {}

  std::string path_;
  std::string partial_;  // beside it, until it takes its name
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_PROFILE_FILE_H_
