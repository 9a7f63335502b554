#include "runtime/devices/platform.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

std::map<std::string, PlatformFactory, std::less<>>& Factories() {
  static auto* factories =
      new std::map<std::string, PlatformFactory, std::less<>>();
  return *factories;
}

}  // namespace

bool RegisterPlatform(std::string name, PlatformFactory factory) {
  LOCKSTEP_CHECK(
      Factories().emplace(std::move(name), std::move(factory)).second);
  return true;
}

absl::StatusOr<std::unique_ptr<Platform>> MakePlatform(
    absl::string_view name, const PlatformOptions& options) {
  if (options.device_count < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at least one local device, found ", options.device_count));
  }
  auto found = Factories().find(name);
  if (found == Factories().end()) {
    return absl::NotFoundError(
        absl::StrCat("no platform \"", name,
                     "\"; there are: ", absl::StrJoin(PlatformNames(), ", ")));
  }
  return found->second(options);
}

std::vector<std::string> PlatformNames() {
  std::vector<std::string> names;
  for (const auto& [name, factory] : Factories()) names.push_back(name);
  return names;
}

}  // namespace lockstep::internal
