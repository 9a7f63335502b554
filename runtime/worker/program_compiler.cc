#include "runtime/worker/program_compiler.h"

#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "runtime/backends/backend_optimizations.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/ir/printer.h"
#include "runtime/passes/partition/partition_module.h"

namespace lockstep::internal {
namespace {

std::string BackendText(const Backend& backend) {
  return absl::StrCat(backend.name(), " ", backend.version());
}

std::string DonatedText(const ProgramSpec& spec) {
  return absl::StrCat("[", absl::StrJoin(spec.donated_arguments, ","), "]");
}

std::string ShapesText(const std::vector<Shape>& shapes) {
  return absl::StrJoin(shapes, ", ", [](std::string* out, const Shape& shape) {
    absl::StrAppend(out, shape.ToString());
  });
}

// One that may be changed.
absl::StatusOr<std::unique_ptr<Module>> ModuleOf(const ProgramSpec& spec) {
  if (spec.module == nullptr) return ParseAndVerify(spec.text, spec.name);
  std::unique_ptr<Module> module = CloneModule(*spec.module);
  RETURN_IF_ERROR(VerifyAndExpand(module));
  return module;
}

uint64_t FingerprintOf(const ProgramSpec& spec, const CompiledText& compiled,
                       const Backend& backend) {
  // Parts are separated by a byte that none of them contains.
  const std::string all =
      absl::StrJoin({compiled.canonical_text, spec.assignment.ToString(),
                     DonatedText(spec), BackendText(backend),
                     compiled.executable->ToString({.with_locations = false})},
                    absl::string_view("\0", 1));
  return XXH3_64bits(all.data(), all.size());
}

}  // namespace

absl::StatusOr<CompiledText> CompileProgram(const ProgramSpec& spec,
                                            Backend& backend,
                                            const CompileSettings& settings) {
  ASSIGN_OR_RETURN(std::unique_ptr<Module> module, ModuleOf(spec));
  CompiledText compiled;
  compiled.canonical_text = Print(*module);
  if (settings.observer) settings.observer("parsed", *module);
  RETURN_IF_ERROR(PartitionModule(*module, settings.observer).status());
  PassManager::Options pass_options;
  pass_options.after_pass = settings.observer;
  PassManager passes(std::move(pass_options));
  AddBackendOptimizations(passes, backend);
  RETURN_IF_ERROR(passes.Run(*module));
  CompileOptions options;
  options.donated_arguments = spec.donated_arguments;
  options.cache_directory = settings.cache_directory;
  options.callbacks = spec.callbacks;
  options.allows_missing_callbacks = settings.allows_missing_callbacks;
  ASSIGN_OR_RETURN(
      compiled.executable,
      backend.Compile(std::move(module), spec.assignment, options));
  compiled.fingerprint = FingerprintOf(spec, compiled, backend);
  return compiled;
}

std::vector<AgreementRecord::Field> AgreementFields(
    const ProgramSpec& spec, const CompiledText& compiled,
    const Backend& backend) {
  const Executable& executable = *compiled.executable;
  return {
      {"name", spec.name},
      {"device assignment", spec.assignment.ToString()},
      {"argument types", ShapesText(executable.argument_shapes())},
      {"result types", ShapesText(executable.result_shapes())},
      {"donated arguments", DonatedText(spec)},
      {"program text", compiled.canonical_text},
      {"backend", BackendText(backend)},
      {"digest", absl::StrFormat("%016x", compiled.fingerprint)},
  };
}

}  // namespace lockstep::internal
