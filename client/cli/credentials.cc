// lockstep credentials: certificates and tokens for a cluster of several
// machines.
#include <iostream>
#include <memory>

#include "absl/time/clock.h"
#include "client/cli/duration_option.h"
#include "client/cli/subcommand.h"
#include "proto/security/security_directory.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

struct CredentialsOptions {
  std::string directory;
  absl::Duration valid_for = absl::Hours(24 * 365);
};

absl::Status MakeCredentials(const CredentialsOptions& options) {
  RETURN_IF_ERROR(CreateSecurityDirectory(options.directory, absl::Now(),
                                          options.valid_for));
  std::cout << options.directory
            << ": for every host, and for who administers the cluster\n"
            << options.directory << "/submit: for who runs programs\n"
            << options.directory << "/view: for who looks at its status\n"
            << "valid until "
            << absl::FormatTime("%Y-%m-%d", absl::Now() + options.valid_for,
                                absl::LocalTimeZone())
            << "; pass them with --security-dir or LOCKSTEP_SECURITY_DIR"
            << std::endl;
  return absl::OkStatus();
}

}  // namespace

std::function<absl::Status()> DefineCredentials(CLI::App& app) {
  auto options = std::make_shared<CredentialsOptions>();
  app.add_option("directory", options->directory,
                 "a folder that is not there yet, or empty")
      ->required()
      ->type_name("DIR");
  AddDurationOption(app, "--valid-for", options->valid_for,
                    "how long the certificates are accepted");
  return [options] { return MakeCredentials(*options); };
}

}  // namespace lockstep::internal
