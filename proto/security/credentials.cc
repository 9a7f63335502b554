#include "proto/security/credentials.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <fstream>
#include <optional>
#include <sstream>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// More than any certificate chain.
constexpr size_t kMaxFileBytes = 1 << 20;

// None when it is not there.
absl::StatusOr<std::optional<std::string>> ReadFile(const std::string& path,
                                                    bool is_secret) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return std::optional<std::string>();
    return absl::FailedPreconditionError(
        absl::StrCat("cannot read ", path, ": ", strerror(errno)));
  }
  if (!S_ISREG(status.st_mode) ||
      status.st_size > static_cast<off_t>(kMaxFileBytes)) {
    return absl::FailedPreconditionError(
        absl::StrCat("expected ", path, " to be a file of at most ",
                     kMaxFileBytes, " bytes"));
  }
  if (is_secret && (status.st_mode & 07) != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, " holds a secret, but everybody may open it (mode ",
        absl::StrFormat("%04o", status.st_mode & 07777), "); chmod o= ", path));
  }
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot read ", path, ": ", strerror(errno)));
  }
  return std::make_optional(text.str());
}

absl::StatusOr<std::string> ReadNeeded(const std::string& path,
                                       bool is_secret) {
  ASSIGN_OR_RETURN(std::optional<std::string> text, ReadFile(path, is_secret));
  if (text.has_value() && !text->empty()) return *std::move(text);
  return absl::FailedPreconditionError(
      absl::StrCat(path, text.has_value() ? " is empty" : " is missing",
                   "; `lockstep credentials DIR` makes such a folder"));
}

absl::Status ReadDirectory(const std::string& directory,
                           Credentials& credentials) {
  const auto path = [&](absl::string_view name) {
    return absl::StrCat(directory, "/", name);
  };
  ASSIGN_OR_RETURN(credentials.authority, ReadNeeded(path("ca.pem"), false));
  ASSIGN_OR_RETURN(credentials.certificate,
                   ReadNeeded(path("host.pem"), false));
  ASSIGN_OR_RETURN(credentials.private_key, ReadNeeded(path("host.key"), true));
  for (Role role : {Role::kView, Role::kSubmit, Role::kAdmin}) {
    const std::string file = path(absl::StrCat(RoleName(role), ".token"));
    ASSIGN_OR_RETURN(std::optional<std::string> text, ReadFile(file, true));
    if (!text.has_value()) continue;
    credentials.token =
        std::string(absl::StripAsciiWhitespace(*std::move(text)));
    if (credentials.token.empty()) {
      return absl::FailedPreconditionError(absl::StrCat(file, " is empty"));
    }
    credentials.accepted_tokens[role] = credentials.token;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Credentials> LoadCredentials(const CredentialSources& sources) {
  Credentials credentials;
  if (!sources.directory.empty()) {
    RETURN_IF_ERROR(ReadDirectory(sources.directory, credentials));
  }
  if (!sources.join_token.empty()) {
    credentials.token = sources.join_token;
    credentials.accepted_tokens[Role::kAdmin] = sources.join_token;
  }
  for (char c : credentials.token) {
    if (!absl::ascii_isgraph(c)) {
      return absl::FailedPreconditionError(
          "a token may hold visible ASCII characters only");
    }
  }
  return credentials;
}

}  // namespace lockstep::internal
