#include "client/process/cluster_credentials.h"

#include <stdlib.h>

#include "client/process/run_directory.h"

namespace lockstep {
namespace {

std::string Variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

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
  return LoadCredentials(sources);
}

}  // namespace lockstep
