#include "runtime/worker/argument_check.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status CheckArgument(const CompiledProgram& program, size_t device,
                           size_t position,
                           const std::shared_ptr<Buffer>& argument) {
  const GlobalDeviceId id = program.local_devices()[device];
  const Shape& expected = program.argument_shapes()[position];
  auto error = [&](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat(program.name(), ": argument ", position, " on device ",
                     id.value(), ": expected ", what));
  };
  if (argument == nullptr) return error("a buffer, found none");
  if (!(argument->shape() == expected)) {
    return error(absl::StrCat(expected.ToString(), ", found ",
                              argument->shape().ToString()));
  }
  if (argument->device() != id) {
    return error(absl::StrCat("a buffer there, found one on device ",
                              argument->device().value()));
  }
  return absl::OkStatus();
}

absl::Status CheckDonations(
    const CompiledProgram& program, size_t device,
    const std::vector<std::shared_ptr<Buffer>>& arguments) {
  for (int donated : program.donated_arguments()) {
    for (size_t other = 0; other < arguments.size(); ++other) {
      if (static_cast<int>(other) == donated ||
          arguments[other] != arguments[donated]) {
        continue;
      }
      return absl::InvalidArgumentError(
          absl::StrCat(program.name(), ": argument ", donated, " on device ",
                       program.local_devices()[device].value(),
                       " is donated, and the same buffer is argument ", other));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckArguments(const CompiledProgram& program,
                            const ShardLists& arguments) {
  if (arguments.size() != program.local_devices().size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(program.name(), ": expected arguments for ",
                     program.local_devices().size(),
                     " local devices, found them for ", arguments.size()));
  }
  for (size_t device = 0; device < arguments.size(); ++device) {
    if (arguments[device].size() != program.argument_shapes().size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          program.name(), ": expected ", program.argument_shapes().size(),
          " arguments, found ", arguments[device].size(), " on device ",
          program.local_devices()[device].value()));
    }
    for (size_t i = 0; i < arguments[device].size(); ++i) {
      RETURN_IF_ERROR(CheckArgument(program, device, i, arguments[device][i]));
    }
    RETURN_IF_ERROR(CheckDonations(program, device, arguments[device]));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
