#include "client/cli/module_dump.h"

#include <fstream>
#include <utility>

#include "absl/strings/str_format.h"
#include "runtime/base/directory.h"
#include "runtime/base/status.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {

absl::StatusOr<ModuleDump> ModuleDump::Create(const std::string& directory) {
  RETURN_IF_ERROR(CreateWritableDirectory(directory));
  return ModuleDump(directory);
}

void ModuleDump::Add(absl::string_view stage, const Module& module) {
  const int number = stage_++;
  std::string text = Print(module);
  if (text == last_ || !status_.ok()) return;
  const std::string path =
      absl::StrFormat("%s/%02d_%s.mlir", directory_, number, stage);
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) {
    status_ = absl::FailedPreconditionError(
        absl::StrFormat("%s: cannot be written", path));
  }
  ++file_count_;
  last_ = std::move(text);
}

}  // namespace lockstep::internal
