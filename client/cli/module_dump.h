#ifndef LOCKSTEP_CLIENT_CLI_MODULE_DUMP_H_
#define LOCKSTEP_CLIENT_CLI_MODULE_DUMP_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// A folder with the module as text after each stage that changed it:
// 00_parsed.mlir, 01_inline_calls.mlir, 04_simplify_algebra.mlir, ... The
// number is that of the stage. Of a program that is split also, under the names
// that Shardy gives them (spec Y-18), after each user priority and in the end
//   shardy/propagation_after_user_priority_0.mlir
//   shardy/sdy_module_after_sdy_export.mlir
// Used by one thread.
class ModuleDump {
 public:
  // Creates the folder, with those above it. FAILED_PRECONDITION when it cannot
  // be written to.
  static absl::StatusOr<ModuleDump> Create(const std::string& directory);

  // The next stage.
  void Add(absl::string_view stage, const Module& module);

  // The first thing that went wrong.
  const absl::Status& status() const { return status_; }
  int file_count() const { return file_count_; }

 private:
  explicit ModuleDump(std::string directory)
      : directory_(std::move(directory)) {}

  // `name` is below the folder.
  void Write(const std::string& name, const std::string& text);
  void WriteShardy(absl::string_view stage, const std::string& text);

  const std::string directory_;
  std::string last_;
  int stage_ = 0;
  int file_count_ = 0;
  absl::Status status_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_MODULE_DUMP_H_
