#include "client/cli/security_options.h"

namespace lockstep::internal {

CLI::Option* AddSecurityOptions(CLI::App& app, SecurityOptions& options) {
  app.add_flag("--insecure", options.is_insecure,
               "plain text off loopback too, on a network that you trust "
               "(LOCKSTEP_INSECURE=1)");
  return app
      .add_option("--security-dir", options.directory,
                  "certificates and tokens of the cluster, made by `lockstep "
                  "credentials` (default: those of `lockstep up --secure`, for "
                  "its cluster; else LOCKSTEP_SECURITY_DIR; else plain text)")
      ->type_name("DIR");
}

}  // namespace lockstep::internal
