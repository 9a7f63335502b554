#include <functional>
#include <string>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "tests/conformance/backend/executable_runner.h"
#include "tests/conformance/backend/programs.h"
#include "tests/conformance/backend/tested_backend.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

DeviceAssignment AssignmentOf(const SuiteProgram& program) {
  return DeviceAssignment::Iota(program.replicas, program.partitions);
}

absl::StatusOr<std::shared_ptr<const Executable>> CompileText(
    const SuiteProgram& program, const CompileOptions& options = {}) {
  absl::StatusOr<std::unique_ptr<Module>> module =
      ParseAndVerify(program.text, program.name);
  if (!module.ok()) return module.status();
  absl::StatusOr<Backend*> backend = FindBackend(GetTestedBackend().name);
  if (!backend.ok()) return backend.status();
  return (*backend)->Compile(*std::move(module), AssignmentOf(program),
                             options);
}

absl::StatusOr<DeviceLiterals> Oracle(const SuiteProgram& program,
                                      const DeviceLiterals& arguments) {
  absl::StatusOr<std::unique_ptr<Module>> module =
      ParseAndVerify(program.text, program.name);
  if (!module.ok()) return module.status();
  return EvaluateSpmd(**module, AssignmentOf(program), arguments);
}

// "" when the backend agrees with the oracle, else what is wrong.
std::string Difference(const SuiteProgram& program,
                       const CompileOptions& options = {}) {
  auto executable = CompileText(program, options);
  if (!executable.ok()) return executable.status().ToString();
  const DeviceLiterals arguments = ArgumentsFor(**executable);
  const auto expected = Oracle(program, arguments);
  if (!expected.ok()) return "oracle: " + expected.status().ToString();
  // Twice: the second launch finds the memory as the first one left it.
  for (int launch = 0; launch < 2; ++launch) {
    const auto found = RunExecutable(**executable, arguments);
    if (!found.ok()) return found.status().ToString();
    for (size_t device = 0; device < expected->size(); ++device) {
      for (size_t i = 0; i < (*expected)[device].size(); ++i) {
        const Literal& a = (*expected)[device][i];
        const Literal& b = (*found)[device][i];
        if (a == b) continue;
        return "result " + std::to_string(i) + " of device " +
               std::to_string(device) + ": expected " + ToString(a) +
               ", found " + ToString(b);
      }
    }
  }
  return "";
}

class BackendProgramTest : public ::testing::TestWithParam<SuiteProgram> {
 protected:
  // Why the backend is known not to run the program; "": it should.
  static std::string Lack() {
    const TestedBackend backend = GetTestedBackend();
    for (const std::string& name : {GetParam().name, std::string("*")}) {
      auto it = backend.lacks.find(name);
      if (it != backend.lacks.end()) return it->second;
    }
    return "";
  }
};
INSTANTIATE_TEST_SUITE_P(Suite, BackendProgramTest,
                         ::testing::ValuesIn(SuitePrograms()),
                         [](const auto& info) { return info.param.name; });

TEST_P(BackendProgramTest, AgreesWithTheOracle) {
  const std::string difference = Difference(GetParam());
  const std::string lack = Lack();
  if (lack.empty()) {
    EXPECT_EQ(difference, "");
  } else if (GetTestedBackend().lacks.contains(GetParam().name)) {
    EXPECT_NE(difference, "") << "passes, although listed: " << lack;
  }
}

TEST_P(BackendProgramTest, AgreesWithTheOracleWithWorkBesideItsCollectives) {
  if (!Lack().empty()) GTEST_SKIP() << Lack();
  CompileOptions options;
  options.overlap = OverlapPolicy::Always();
  EXPECT_EQ(Difference(GetParam(), options), "");
}

TEST_P(BackendProgramTest, CompilesToTheSameDumpEveryTime) {
  auto first = CompileText(GetParam());
  ASSERT_EQ(first.status(), absl::OkStatus());
  auto second = CompileText(GetParam());
  ASSERT_EQ(second.status(), absl::OkStatus());
  EXPECT_EQ((*first)->ToString(), (*second)->ToString());
}

void ForEachUse(const ThunkSequence& thunks,
                const std::function<void(const BufferUse&)>& f) {
  for (const auto& thunk : thunks.thunks()) {
    for (const BufferUse& use : thunk->buffer_uses()) f(use);
    for (const ThunkSequence* nested : thunk->nested()) ForEachUse(*nested, f);
  }
}

TEST_P(BackendProgramTest, WritesOnlyWhereItMayAndStaysWithinItsMemory) {
  auto executable = CompileText(GetParam());
  ASSERT_EQ(executable.status(), absl::OkStatus());
  ForEachUse((*executable)->thunks(), [&](const BufferUse& use) {
    const BufferAllocation& allocation =
        (*executable)->allocations()[use.slice.allocation];
    EXPECT_GE(use.slice.offset, 0);
    EXPECT_LE(use.slice.offset + use.slice.size, allocation.size);
    EXPECT_EQ(use.slice.offset % kBufferAlignment, 0);
    if (use.access == BufferUse::Access::kWrite) {
      EXPECT_NE(allocation.kind, BufferAllocation::Kind::kConstant);
      EXPECT_NE(allocation.kind, BufferAllocation::Kind::kArgument);
    }
  });
}

TEST_P(BackendProgramTest, DonatingEveryArgumentChangesNoResult) {
  if (!Lack().empty()) GTEST_SKIP() << Lack();
  auto plain = CompileText(GetParam());
  ASSERT_EQ(plain.status(), absl::OkStatus());
  CompileOptions options;
  for (size_t i = 0; i < (*plain)->argument_shapes().size(); ++i) {
    options.donated_arguments.push_back(static_cast<int>(i));
  }
  auto donating = CompileText(GetParam(), options);
  ASSERT_EQ(donating.status(), absl::OkStatus());
  const DeviceLiterals arguments = ArgumentsFor(**plain);
  EXPECT_EQ(*RunExecutable(**plain, arguments),
            *RunExecutable(**donating, arguments));
}

TEST(BackendTest, ReplicaCountThatDiffersFromTheAssignmentIsRefused) {
  SuiteProgram program{"p", R"(
module attributes {mhlo.num_replicas = 4 : i32} {
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
})",
                       3, 1};
  const absl::Status status = CompileText(program).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("4 replicas"));
  EXPECT_THAT(status.message(), HasSubstr("[[0],[1],[2]]"));
}

TEST(BackendTest, DonatedPositionOutOfRangeIsRefused) {
  CompileOptions options;
  options.donated_arguments = {1};
  const absl::Status status = CompileText({"p", R"(
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
})"},
                                          options)
                                  .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              HasSubstr("donated argument 1 of a program with 1 arguments"));
}

TEST(BackendTest, ReplicaGroupsThatDoNotFitTheAssignmentNameThePlace) {
  const absl::Status status = CompileText({"p", R"(
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<1xf32>) -> tensor<3xf32> {
  %y = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64,
      replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}
      : (tensor<1xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
})",
                                           2, 1})
                                  .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("p:4:"));
}

// K-3.
TEST(BackendTest, ReductionsOfSmallTypesNameTheCollective) {
  for (const std::string type : {"i4", "ui2"}) {
    const std::string text = absl::StrReplaceAll(R"(
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<2xTYPE>) -> tensor<2xTYPE> {
  %y = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<TYPE>, %b: tensor<TYPE>):
    %c = stablehlo.add %a, %b : tensor<TYPE>
    stablehlo.return %c : tensor<TYPE>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
      : (tensor<2xTYPE>) -> tensor<2xTYPE>
  return %y : tensor<2xTYPE>
}
})",
                                                 {{"TYPE", type}});
    const absl::Status status = CompileText({"p", text, 2, 1}).status();
    if (status.ok()) continue;  // of a backend that reduces it, or nothing
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("p:4:"), HasSubstr("stablehlo.all_reduce"),
                      HasSubstr(type), HasSubstr("convert the operand")));
  }
}

TEST(BackendTest, ResultOfTheShapeOfADonatedArgumentTakesItsMemory) {
  if (!GetTestedBackend().lacks.empty()) GTEST_SKIP();
  CompileOptions options;
  options.donated_arguments = {0};
  auto executable = CompileText({"p", R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = stablehlo.add %x, %x : tensor<4xf32>
  %b = stablehlo.negate %a : tensor<4xf32>
  return %b : tensor<4xf32>
})"},
                                options);
  ASSERT_EQ(executable.status(), absl::OkStatus());
  EXPECT_EQ((*executable)->AliasedArgument(0), 0);
}

}  // namespace
}  // namespace lockstep::internal
