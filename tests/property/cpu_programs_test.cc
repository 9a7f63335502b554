// Random programs, optimised, fused and run by the cpu backend, give what the
// oracle computes of them as they were written.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/backends/backend_registry.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/printer.h"
#include "runtime/passes/pipelines.h"
#include "runtime/types/convert.h"
#include "tests/conformance/backend/executable_runner.h"
#include "tests/property/program_generator.h"

namespace lockstep {
namespace {

// Kernels take a while to compile; one op by one there are many.
constexpr uint64_t kFusedPrograms = 100;
constexpr uint64_t kPlainPrograms = 25;

// The values of exact programs are equal; -0 and 0 may stand for each other.
bool HaveEqualValues(const Literal& a, const Literal& b) {
  if (a.shape() != b.shape()) return false;
  Literal x(Shape(ElementType::kF64, a.shape().dims()));
  Literal y(Shape(ElementType::kF64, a.shape().dims()));
  ConvertElements(a, x.mutable_view());
  ConvertElements(b, y.mutable_view());
  for (size_t i = 0; i < x.data<double>().size(); ++i) {
    const double u = x.data<double>()[i];
    const double v = y.data<double>()[i];
    if (u != v && (u == u || v == v)) return false;
  }
  return true;
}

class CpuPrograms : public ::testing::TestWithParam<bool> {};

TEST_P(CpuPrograms, GiveTheOraclesValues) {
  Backend& backend = **FindBackend("cpu");
  const uint64_t programs = GetParam() ? kFusedPrograms : kPlainPrograms;
  for (uint64_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = GenerateProgram(seed, ProgramStyle::kExact);
    auto module = ParseAndVerify(text, "generated");
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
    const auto arguments =
        GenerateArguments(**module, seed, ProgramStyle::kExact);
    const auto expected = Evaluate(**module, arguments);
    ASSERT_TRUE(expected.ok()) << expected.status() << "\n" << text;
    if (GetParam()) {
      PassManager passes;
      AddOptimizationPasses(passes, {.can_fuse = [&](const Op& op) {
                              return backend.CanFuse(op);
                            }});
      ASSERT_TRUE(passes.Run(**module).ok());
    }
    const std::string optimised = Print(**module);
    const auto executable = backend.Compile(
        *std::move(module), DeviceAssignment::Iota(1, 1), CompileOptions());
    ASSERT_TRUE(executable.ok()) << executable.status() << "\n" << optimised;
    const auto found = RunExecutable(**executable, {arguments});
    ASSERT_TRUE(found.ok()) << found.status() << "\n" << optimised;
    for (size_t i = 0; i < expected->size(); ++i) {
      ASSERT_TRUE(HaveEqualValues((*found)[0][i], (*expected)[i]))
          << "result " << i << "\n"
          << ToString((*expected)[i]) << "\n"
          << ToString((*found)[0][i]) << "\n"
          << text << "\n"
          << optimised;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Optimised, CpuPrograms, ::testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "Fused" : "OpByOp";
                         });

}  // namespace
}  // namespace lockstep
