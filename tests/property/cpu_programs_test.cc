// Random programs, optimised, fused and run by the cpu backend, give what the
// oracle computes of them as they were written.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/backends/backend_optimizations.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/ir/printer.h"
#include "tests/conformance/backend/executable_runner.h"
#include "tests/generator/random_program.h"
#include "tests/generator/result_comparison.h"

namespace lockstep::internal {
namespace {

// Kernels take a while to compile; one op by one there are many.
constexpr uint64_t kFusedPrograms = 100;
constexpr uint64_t kPlainPrograms = 25;

class CpuPrograms : public ::testing::TestWithParam<bool> {};

TEST_P(CpuPrograms, GiveTheOraclesValues) {
  Backend& backend = **FindBackend(TestedBackendName());
  const uint64_t programs = GetParam() ? kFusedPrograms : kPlainPrograms;
  for (uint64_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE(seed);
    const RandomProgram program =
        MakeRandomProgram(Entropy(seed), {.max_ops = 40, .max_elements = 256});
    auto module = ParseAndVerify(program.text, "generated");
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << program.text;
    const auto expected = Evaluate(**module, program.arguments);
    ASSERT_TRUE(expected.ok()) << expected.status() << "\n" << program.text;
    if (GetParam()) {
      PassManager passes;
      AddBackendOptimizations(passes, backend);
      ASSERT_TRUE(passes.Run(**module).ok());
    }
    const std::string optimised = Print(**module);
    const auto executable = backend.Compile(
        *std::move(module), DeviceAssignment::Iota(1, 1), CompileOptions());
    ASSERT_TRUE(executable.ok()) << executable.status() << "\n" << optimised;
    const auto found = RunExecutable(**executable, {program.arguments});
    ASSERT_TRUE(found.ok()) << found.status() << "\n" << optimised;
    ASSERT_EQ(FirstMismatch(program, *expected, (*found)[0]), std::nullopt)
        << program.text << "\n"
        << optimised;
  }
}

INSTANTIATE_TEST_SUITE_P(Optimised, CpuPrograms, ::testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "Fused" : "OpByOp";
                         });

}  // namespace
}  // namespace lockstep::internal
