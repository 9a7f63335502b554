// lockstep arrays: which arrays a cluster has, and where.
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/cli/array_calls.h"
#include "client/cli/array_report.h"
#include "client/cli/coordinator_address.h"
#include "client/cli/duration_option.h"
#include "client/cli/security_options.h"
#include "client/cli/shape_text.h"
#include "client/cli/subcommand.h"
#include "client/lockstep.h"
#include "runtime/base/quantity_text.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

struct ArraysOptions {
  std::string name;
  std::string coordinator;
  SecurityOptions security;
  bool is_json = false;
  bool is_svg = false;
  bool removes = false;
  absl::Duration timeout = absl::Seconds(5);
};

// A picture of where one array lies.
absl::Status Show(const ArraysOptions& options, const std::string& address) {
  ASSIGN_OR_RETURN(
      const Client client,
      Client::Connect(address,
                      {.name = "lockstep arrays",
                       .deadline = options.timeout,
                       .security_directory = options.security.directory,
                       .allow_insecure = options.security.is_insecure}));
  ASSIGN_OR_RETURN(const Array array, client.FindArray(options.name));
  if (options.is_svg) {
    ASSIGN_OR_RETURN(const std::string picture,
                     visualize_array_sharding(array, PictureFormat::kSvg));
    std::cout << picture << std::flush;
    return absl::OkStatus();
  }
  std::cout << options.name << ": " << ShapeText(array.shape()) << ", "
            << array.sharding() << ", "
            << BytesText(array.on_device_size_in_bytes()) << "\n";
  return print_array_sharding(array);
}

absl::Status Arrays(const ArraysOptions& options) {
  if (options.name.empty() && (options.is_svg || options.removes)) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.is_svg ? "--svg" : "--remove",
                     ": expected the name of an array, found none"));
  }
  ASSIGN_OR_RETURN(const std::string address,
                   CoordinatorAddress(options.coordinator));
  if (!options.name.empty() && !options.removes) return Show(options, address);
  ASSIGN_OR_RETURN(const Credentials credentials,
                   FindCredentials(options.security, address));
  const absl::Time deadline = absl::Now() + options.timeout;
  if (options.removes) {
    return RemoveArray(address, options.name, deadline, credentials);
  }
  ASSIGN_OR_RETURN(const ArrayReport report,
                   ListArrays(address, deadline, credentials));
  std::cout << (options.is_json ? ArrayJson(report) : ArrayTable(report))
            << std::flush;
  return absl::OkStatus();
}

}  // namespace

std::function<absl::Status()> DefineArrays(CLI::App& app) {
  auto options = std::make_shared<ArraysOptions>();
  CLI::Option* name = app.add_option(
      "name", options->name,
      "show where the parts of this array lie, in place of the list");
  AddCoordinatorOption(app, options->coordinator);
  AddSecurityOptions(app, options->security);
  CLI::Option* json =
      app.add_flag("--json", options->is_json,
                   "the list as one JSON object instead of tables")
          ->excludes(name);
  CLI::Option* svg =
      app.add_flag("--svg", options->is_svg, "the picture as an SVG document")
          ->excludes(json);
  app.add_flag("--remove", options->removes,
               "remove the name; the array ends when no client has it any more")
      ->excludes(json)
      ->excludes(svg);
  AddDurationOption(app, "--timeout", options->timeout,
                    "how long to wait for the cluster");
  return [options] { return Arrays(*options); };
}

}  // namespace lockstep::internal
