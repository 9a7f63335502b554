// lockstep version: what this program is built as.
#include "runtime/base/version.h"

#include <iostream>

#include "client/cli/subcommand.h"
#include "runtime/cluster/worker_info.h"

namespace lockstep::internal {

std::function<absl::Status()> DefineVersion(CLI::App&) {
  return [] {
    std::cout << "lockstep " << kVersion << " (protocol " << kProtocolVersion
              << ")" << std::endl;
    return absl::OkStatus();
  };
}

}  // namespace lockstep::internal
