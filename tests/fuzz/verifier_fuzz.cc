// Whatever the text: a verified module or a status with a place. A module that
// verifies prints to text that verifies, and evaluates without a crash.
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "runtime/base/check.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/printer.h"
#include "tests/fuzz/module_inputs.h"
#include "tests/fuzz/mutation_driver.h"

namespace lockstep::internal {
namespace {

void EvaluateOnZeros(const Module& module) {
  std::vector<Literal> arguments;
  for (const Type& type : (*module.EntryFunction())->argument_types()) {
    arguments.emplace_back(type.shape());
  }
  SpmdOptions options;
  // A program that receives waits for ever.
  options.timeout = absl::Seconds(1);
  std::vector<std::vector<Literal>> of_device;
  of_device.push_back(std::move(arguments));
  (void)EvaluateSpmd(module, DeviceAssignment::Iota(1, 1), std::move(of_device),
                     options);
}

bool TakesTensors(const Module& module) {
  return absl::c_all_of((*module.EntryFunction())->argument_types(),
                        [](const Type& type) { return type.is_tensor(); });
}

}  // namespace
}  // namespace lockstep::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep::internal;
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const auto module = ParseAndVerify(text, "input");
  if (!module.ok()) {
    LOCKSTEP_CHECK(absl::IsInvalidArgument(module.status()) ||
                   absl::IsUnimplemented(module.status()) ||
                   absl::IsResourceExhausted(module.status()));
    return 0;
  }
  const std::string printed = Print(**module);
  const auto again = ParseAndVerify(printed, "printed");
  LOCKSTEP_CHECK(again.ok());
  LOCKSTEP_CHECK(Print(**again) == printed);
  if (EndsSoon(**module) && TakesTensors(**module)) EvaluateOnZeros(**module);
  return 0;
}

FuzzSeeds MakeFuzzSeeds() { return lockstep::internal::ModuleSeeds(); }
