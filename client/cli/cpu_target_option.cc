#include "client/cli/cpu_target_option.h"

#include <cstdlib>
#include <string>

#include "runtime/backends/cpu/processor/cpu_target.h"

namespace lockstep::internal {
namespace {

std::string Refusal(const std::string& name) {
  return std::string(CpuTarget::Parse(name).status().message());
}

}  // namespace

CLI::Option* AddCpuTargetOption(CLI::App& app) {
  return app
      .add_option_function<std::string>(
          "--cpu-target",
          [](const std::string& name) {
            setenv(kCpuTargetVariable, name.c_str(), /*overwrite=*/1);
          },
          "processor that backend cpu compiles for: host, x86-64-v2, x86-64-v3 "
          "or x86-64-v4 (default: LOCKSTEP_CPU_TARGET, or host)")
      ->type_name("NAME")
      ->check(CLI::Validator(Refusal, ""));
}

}  // namespace lockstep::internal
