#ifndef LOCKSTEP_RUNTIME_WORKER_PROGRAM_COMPILER_H_
#define LOCKSTEP_RUNTIME_WORKER_PROGRAM_COMPILER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/backends/backend.h"
#include "runtime/cluster/agreement_record.h"
#include "runtime/executable/executable.h"
#include "runtime/ir/module.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {

// What compiling gives on every host alike.
struct CompiledText {
  std::string canonical_text;
  std::shared_ptr<const Executable> executable;
  uint64_t fingerprint = 0;
};

// Sees the module when it is read ("parsed") and after each pass that ran, by
// its name. The module is the same one each time, and lives as long as the
// executable.
using CompileObserver =
    std::function<void(absl::string_view stage, const Module& module)>;

// What differs between hosts and has no influence on the result.
struct CompileSettings {
  std::string cache_directory = {};  // see CompileOptions
  CompileObserver observer = {};
  bool allows_missing_callbacks = false;  // see CompileOptions
};

// Parses, verifies, optimises (see Backend::compiles_fusions) and compiles.
// Errors carry places in the text, under the program's name.
absl::StatusOr<CompiledText> CompileProgram(
    const ProgramSpec& spec, Backend& backend,
    const CompileSettings& settings = {});

// What the participants compare before the first launch (spec M-18).
std::vector<AgreementRecord::Field> AgreementFields(
    const ProgramSpec& spec, const CompiledText& compiled,
    const Backend& backend);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_PROGRAM_COMPILER_H_
