#include "client/cli/output_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "runtime/base/directory.h"
#include "runtime/base/status.h"
#include "runtime/types/npy.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

absl::Status CannotWrite(const std::string& path, const std::string& why) {
  return absl::FailedPreconditionError(
      absl::StrCat(path, ": cannot be written: ", why));
}

// A folder beside the results that is gone at the end.
class Staging {
 public:
  static absl::StatusOr<Staging> Create(const std::string& directory) {
    std::string path = directory + "/.partial-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) {
      return CannotWrite(directory, strerror(errno));
    }
    return Staging(path);
  }
  Staging(Staging&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
  }
  ~Staging() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  const std::string& path() const { return path_; }

 private:
  explicit Staging(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace

absl::StatusOr<OutputFiles> OutputFiles::Create(const std::string& directory) {
  RETURN_IF_ERROR(CreateWritableDirectory(directory));
  return OutputFiles(directory);
}

absl::Status OutputFiles::Write(absl::Span<const Literal> literals) const {
  ASSIGN_OR_RETURN(Staging staging, Staging::Create(directory_));
  for (size_t i = 0; i < literals.size(); ++i) {
    RETURN_IF_ERROR(WriteNpyFile(absl::StrCat(staging.path(), "/", i, ".npy"),
                                 literals[i]));
  }
  for (size_t i = 0; i < literals.size(); ++i) {
    std::string name = absl::StrCat("/", i, ".npy");
    std::error_code error;
    fs::rename(staging.path() + name, directory_ + name, error);
    if (error) return CannotWrite(directory_ + name, error.message());
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
