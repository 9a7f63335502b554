#include "client/process/cluster_credentials.h"

#include <stdlib.h>

#include "client/process/run_directory.h"
#include "proto/security/plain_text.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

std::string Variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

absl::Status CheckNotOpenToAll(const SecurityOptions& options,
                               const Credentials& credentials,
                               const std::string& address) {
  if (credentials.is_encrypted() || options.is_insecure ||
      Variable("LOCKSTEP_INSECURE") == "1") {
    return absl::OkStatus();
  }
  return CheckMayBePlain(address);
}

absl::StatusOr<Credentials> FindCredentials(const SecurityOptions& options,
                                            const std::string& address) {
  CredentialSources sources;
  sources.directory = options.directory;
  if (sources.directory.empty()) {
    sources.directory = SecurityDirectoryOf(address);
  }
  if (sources.directory.empty()) {
    sources.directory = Variable("LOCKSTEP_SECURITY_DIR");
  }
  sources.join_token = options.join_token;
  if (sources.join_token.empty()) {
    sources.join_token = Variable("LOCKSTEP_JOIN_TOKEN");
  }
  ASSIGN_OR_RETURN(Credentials credentials, LoadCredentials(sources));
  RETURN_IF_ERROR(CheckNotOpenToAll(options, credentials, address));
  return credentials;
}

}  // namespace lockstep::internal
