// lockstep compile: what the compiler makes of one StableHLO module, without
// running it.
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "client/cli/cache_directory_option.h"
#include "client/cli/compile_report.h"
#include "client/cli/cpu_target_option.h"
#include "client/cli/module_dump.h"
#include "client/cli/program_file.h"
#include "client/cli/subcommand.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/base/directory.h"
#include "runtime/base/quantity_text.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/passes/partition/explain_sharding.h"
#include "runtime/worker/program_compiler.h"

namespace lockstep::internal {
namespace {

struct CompileCommand {
  std::string program;
  std::string dump_directory;
  std::string backend = "cpu";
  std::string cache_directory;
  std::string explained_value;
  bool explains = false;
};

absl::Status ExplainValue(const ProgramFile& program,
                          const std::string& value) {
  const std::unique_ptr<Module> module = CloneModule(*program.module);
  const absl::StatusOr<std::string> text = ExplainSharding(*module, value);
  if (!text.ok()) return Annotate(text.status(), program.path);
  std::cout << *text;
  return absl::OkStatus();
}

absl::Status Compile(const CompileCommand& command) {
  ASSIGN_OR_RETURN(const ProgramFile program, ReadProgramFile(command.program));
  if (!command.explained_value.empty()) {
    return ExplainValue(program, command.explained_value);
  }
  ASSIGN_OR_RETURN(Backend * backend, FindBackend(command.backend));
  if (!command.cache_directory.empty()) {
    RETURN_IF_ERROR(CreateWritableDirectory(command.cache_directory));
  }
  std::optional<ModuleDump> dump;
  if (!command.dump_directory.empty()) {
    ASSIGN_OR_RETURN(ModuleDump created,
                     ModuleDump::Create(command.dump_directory));
    dump.emplace(std::move(created));
  }
  const Module* module = nullptr;
  ASSIGN_OR_RETURN(
      const CompiledText compiled,
      CompileProgram(
          {.name = program.path,
           .text = {},
           .module = program.module,
           .callbacks = nullptr,
           .assignment = DeviceAssignment::Iota(program.signature.replicas,
                                                program.signature.partitions),
           .donated_arguments = {}},
          *backend,
          {.cache_directory = command.cache_directory,
           .observer =
               [&](absl::string_view stage, const Module& changed) {
                 module = &changed;
                 if (dump.has_value()) dump->Add(stage, changed);
               },
           .allows_missing_callbacks = true}));
  if (dump.has_value()) {
    RETURN_IF_ERROR(dump->status());
    std::cout << command.dump_directory << ": " << dump->file_count()
              << " modules\n";
  }
  if (command.explains) {
    std::cout << CollectiveReport(*program.module, *module)
              << CompileReport(*module, *compiled.executable);
  }
  std::cout << absl::StrFormat(
      "%s: backend %s %s, %d thunks, %s per launch, fingerprint %016x\n",
      program.path, backend->name(), backend->version(),
      compiled.executable->thunks().thunks().size(),
      BytesText(compiled.executable->launch_bytes()), compiled.fingerprint);
  return absl::OkStatus();
}

}  // namespace

std::function<absl::Status()> DefineCompile(CLI::App& app) {
  auto command = std::make_shared<CompileCommand>();
  app.add_option("program", command->program,
                 "StableHLO, text or bytecode; \"-\" is standard input")
      ->required();
  app.add_option("--dump", command->dump_directory,
                 "write the module after every pass that changed it: "
                 "DIR/00_parsed.mlir, DIR/01_inline_calls.mlir, ...; of one "
                 "with shardings also DIR/shardy/"
                 "propagation_after_user_priority_0.mlir, ..., "
                 "DIR/shardy/sdy_module_after_sdy_export.mlir")
      ->type_name("DIR");
  app.add_flag("--explain", command->explains,
               "print the collectives and what they send, fusions, buffers, "
               "and bytes and flops of each thunk");
  app.add_option("--explain-sharding", command->explained_value,
                 "print where the sharding of a value comes from, and compile "
                 "nothing: %arg0, result0, or the place of an op in the "
                 "program, as 5 or 5:8")
      ->type_name("VALUE");
  app.add_option("--backend", command->backend, "what to compile for")
      ->capture_default_str();
  AddCacheDirectoryOption(app, command->cache_directory)
      ->envname("LOCKSTEP_CACHE_DIR");
  AddCpuTargetOption(app)->envname(kCpuTargetVariable);
  return [command] { return Compile(*command); };
}

}  // namespace lockstep::internal
