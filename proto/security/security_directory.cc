#include "proto/security/security_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "proto/security/certificates.h"
#include "proto/security/role.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status WritePrivate(const std::string& path, absl::string_view text) {
  const int fd =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool is_written = fd >= 0;
  while (is_written && !text.empty()) {
    const ssize_t size = write(fd, text.data(), text.size());
    is_written = size > 0;
    if (is_written) text.remove_prefix(size);
  }
  const int error = errno;
  if (fd >= 0) close(fd);
  if (is_written) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("cannot write ", path, ": ", strerror(error)));
}

absl::Status MakePrivate(const std::string& directory) {
  if (mkdir(directory.c_str(), 0700) == 0) return absl::OkStatus();
  const int reason = errno;
  std::error_code error;
  if (reason == EEXIST && std::filesystem::is_empty(directory, error) &&
      chmod(directory.c_str(), 0700) == 0) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "cannot make ", directory, ": ",
      reason == EEXIST ? "it is there, and not empty" : strerror(reason)));
}

absl::Status WriteFolder(const std::string& directory,
                         const std::string& authority,
                         const Certificate& certificate,
                         const std::map<Role, std::string>& tokens) {
  RETURN_IF_ERROR(MakePrivate(directory));
  RETURN_IF_ERROR(WritePrivate(directory + "/ca.pem", authority));
  RETURN_IF_ERROR(
      WritePrivate(directory + "/host.pem", certificate.certificate));
  RETURN_IF_ERROR(
      WritePrivate(directory + "/host.key", certificate.private_key));
  for (const auto& [role, token] : tokens) {
    RETURN_IF_ERROR(WritePrivate(
        absl::StrCat(directory, "/", RoleName(role), ".token"), token + "\n"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CreateSecurityDirectory(const std::string& directory,
                                     absl::Time now, absl::Duration lifetime) {
  ASSIGN_OR_RETURN(const auto authority,
                   CertificateAuthority::Create(now, lifetime));
  std::map<Role, std::string> tokens;
  for (Role role : {Role::kView, Role::kSubmit, Role::kAdmin}) {
    ASSIGN_OR_RETURN(tokens[role], RandomToken());
  }
  ASSIGN_OR_RETURN(const Certificate host, authority->IssueForHost());
  RETURN_IF_ERROR(
      WriteFolder(directory, authority->certificate(), host, tokens));
  for (Role role : {Role::kSubmit, Role::kView}) {
    const std::string name(RoleName(role));
    ASSIGN_OR_RETURN(const Certificate client, authority->IssueForClient(name));
    RETURN_IF_ERROR(WriteFolder(absl::StrCat(directory, "/", name),
                                authority->certificate(), client,
                                {{role, tokens[role]}}));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
