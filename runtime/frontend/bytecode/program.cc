#include "runtime/frontend/bytecode/program.h"

#include "runtime/frontend/bytecode/bytecode.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {

absl::StatusOr<std::unique_ptr<Module>> ReadProgram(
    absl::string_view bytes, absl::string_view file_name) {
  return FindBytecode(bytes).has_value() ? ReadBytecode(bytes, file_name)
                                         : ParseAndVerify(bytes, file_name);
}

std::string ProgramText(absl::string_view bytes, const Module& module) {
  if (!FindBytecode(bytes).has_value()) return std::string(bytes);
  PrintOptions options;
  options.locations = true;
  return Print(module, options);
}

}  // namespace lockstep::internal
