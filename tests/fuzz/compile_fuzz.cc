// Whatever the program: the cpu backend compiles it, as it is and partitioned,
// with and without the optimisation passes, or says why not. Nothing runs.
#include <string>
#include <utility>

#include "runtime/backends/backend_optimizations.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/base/check.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/ir/verifier.h"
#include "runtime/passes/partition/partition_module.h"
#include "tests/fuzz/module_inputs.h"
#include "tests/fuzz/mutation_driver.h"
#include "tests/generator/random_program.h"

namespace lockstep::internal {
namespace {

constexpr int32_t kMaxDevices = 8;

// A program that verified is the user's, whatever else is wrong with it.
void CheckCode(const absl::Status& status) {
  LOCKSTEP_CHECK(status.ok() || absl::IsInvalidArgument(status) ||
                 absl::IsUnimplemented(status) ||
                 absl::IsResourceExhausted(status));
}

bool HasFewDevices(const Module& module) {
  for (const auto& [name, mesh] : module.meshes().entries()) {
    if (mesh.device_count() > kMaxDevices) return false;
  }
  return *module.ReplicaCount() * int64_t{*module.PartitionCount()} <=
         kMaxDevices;
}

void Compile(Backend& backend, std::unique_ptr<Module> module) {
  const int32_t replicas = *module->ReplicaCount();
  const int32_t partitions = *module->PartitionCount();
  if (!HasFewDevices(*module)) return;
  CheckCode(backend
                .Compile(std::move(module),
                         DeviceAssignment::Iota(replicas, partitions),
                         CompileOptions())
                .status());
}

}  // namespace
}  // namespace lockstep::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep::internal;
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  auto module = ParseAndVerify(text, "input");
  if (!module.ok()) {
    CheckCode(module.status());
    return 0;
  }
  if (!IsSmall(**module)) return 0;
  Backend& backend = **FindBackend("cpu");
  Compile(backend, CloneModule(**module));
  if (!HasFewDevices(**module)) return 0;
  const auto layout = PartitionModule(**module);
  CheckCode(layout.status());
  if (!layout.ok()) return 0;
  LOCKSTEP_CHECK(Verify(**module).ok());
  if (layout->has_value()) Compile(backend, CloneModule(**module));
  PassManager passes;
  AddBackendOptimizations(passes, backend);
  const absl::Status optimised = passes.Run(**module);
  CheckCode(optimised);
  if (!optimised.ok()) return 0;
  LOCKSTEP_CHECK(Verify(**module).ok());
  Compile(backend, *std::move(module));
  return 0;
}

FuzzSeeds MakeFuzzSeeds() {
  using namespace lockstep::internal;
  FuzzSeeds seeds = ModuleSeeds();
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const RandomProgram program =
        MakeRandomProgram(Entropy(seed), {.max_ops = 12, .max_elements = 64});
    seeds.inputs.push_back(program.text);
  }
  return seeds;
}
