#include "client/cli/module_dump.h"

#include <fstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
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
  if (absl::StartsWith(stage, "propagation_after_user_priority_")) {
    return WriteShardy(stage, Print(module));
  }
  const int number = stage_++;
  std::string text = Print(module);
  if (stage == "propagate_shardings") {
    WriteShardy("sdy_module_after_sdy_export", text);
  }
  if (text == last_) return;
  Write(absl::StrFormat("%02d_%s.mlir", number, stage), text);
  last_ = std::move(text);
}

void ModuleDump::WriteShardy(absl::string_view stage, const std::string& text) {
  if (status_.ok()) {
    status_ = CreateWritableDirectory(absl::StrCat(directory_, "/shardy"));
  }
  Write(absl::StrCat("shardy/", stage, ".mlir"), text);
}

void ModuleDump::Write(const std::string& name, const std::string& text) {
  if (!status_.ok()) return;
  const std::string path = absl::StrCat(directory_, "/", name);
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) {
    status_ = absl::FailedPreconditionError(
        absl::StrFormat("%s: cannot be written", path));
  }
  ++file_count_;
}

}  // namespace lockstep::internal
