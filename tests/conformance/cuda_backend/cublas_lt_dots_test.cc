// Dots by an emulated cuBLASLt: which, how often it is asked, what fails.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/base/status.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/conformance/literal_run.h"
#include "runtime/devices/platform.h"
#include "tests/conformance/cuda_backend/dot_programs.h"
#include "tests/cuda_emulation/emulated_cuda.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

class CublasLtDotsTest : public ::testing::Test {
 protected:
  void SetUp() override { Set("no_faults,release,devices=2,memory=1G"); }
  void TearDown() override { Set("no_faults"); }

  static void Set(const std::string& settings) {
    ASSERT_TRUE(cuda::Hooks().set(settings.c_str())) << settings;
  }
  static int64_t Count(const char* function) {
    return cuda::Hooks().count(function);
  }
  static int64_t Searches() { return Count("cublasLtMatmulAlgoGetHeuristic"); }

  static std::unique_ptr<Platform> MakeDevices(int count) {
    PlatformOptions options;
    options.device_count = count;
    for (int i = 0; i < count; ++i) options.ordinals.push_back(i);
    auto platform = MakePlatform("cuda", options);
    EXPECT_TRUE(platform.ok()) << platform.status();
    return platform.ok() ? *std::move(platform) : nullptr;
  }

  // On all devices of the executable.
  static absl::StatusOr<DeviceLiterals> Run(const Platform& platform,
                                            const Executable& executable) {
    InProcessCliqueProvider provider;
    const auto devices = static_cast<size_t>(executable.replica_count());
    const std::vector<const Executable*> executables(devices, &executable);
    const DeviceLiterals arguments(devices, DotArguments(executable));
    return RunOnLiterals(platform, provider, executables, arguments);
  }

  static void ExpectRight(const Platform& platform,
                          const Executable& executable,
                          const std::string& text) {
    const auto results = Run(platform, executable);
    ASSERT_TRUE(results.ok()) << results.status();
    const auto expected = ExpectedOfDot(text, DotArguments(executable));
    for (const std::vector<Literal>& literals : *results) {
      EXPECT_TRUE(literals == expected) << text;
    }
  }
};

TEST_F(CublasLtDotsTest, TheVersionOfTheBackendNamesTheLibrary) {
  EXPECT_THAT((*FindBackend("cuda"))->version(), HasSubstr("cuBLASLt 13.1.0"));
}

TEST_F(CublasLtDotsTest, EachTypeOfTheLibraryIsMultipliedByIt) {
  const auto platform = MakeDevices(1);
  for (const auto& [operand, result] :
       {std::pair("f32", "f32"), std::pair("f64", "f64"),
        std::pair("f16", "f16"), std::pair("f16", "f32"),
        std::pair("bf16", "bf16"), std::pair("bf16", "f32"),
        std::pair("complex<f32>", "complex<f32>"),
        std::pair("complex<f64>", "complex<f64>")}) {
    const std::string text = DotProgram(33, 17, 65, operand, result);
    EXPECT_THAT(DumpOfDot(text), HasSubstr("{1x33x17x65 by cuBLASLt}"));
    const int64_t products = Count("matmul");
    ExpectRight(*platform, **CompileDot(text), text);
    EXPECT_EQ(Count("matmul"), products + 1) << text;
  }
}

TEST_F(CublasLtDotsTest, BytesWithTheSumInTheLastPlaceAreMultipliedByIt) {
  const std::string text = R"(
func.func @main(%x: tensor<2x33x64xi8>, %y: tensor<2x12x64xi8>) -> tensor<2x33x12xi32> {
  %r = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x33x64xi8>, tensor<2x12x64xi8>) -> tensor<2x33x12xi32>
  return %r : tensor<2x33x12xi32>
}
)";
  EXPECT_THAT(DumpOfDot(text), HasSubstr("{2x33x12x64 by cuBLASLt}"));
  ExpectRight(*MakeDevices(1), **CompileDot(text), text);
}

TEST_F(CublasLtDotsTest, OthersKeepTheirKernel) {
  EXPECT_THAT(DumpOfDot(DotProgram(4, 4, 4)), HasSubstr("{by a kernel}"));
  EXPECT_THAT(DumpOfDot(DotProgram(64, 64, 64, "i32", "i32")),
              HasSubstr("{by a kernel}"));
}

TEST_F(CublasLtDotsTest, AttentionIsAFewProductsOfBatches) {
  const std::string text = R"(
func.func @main(%q: tensor<2x17x3x24xf32>, %k: tensor<2x19x3x24xf32>) -> tensor<2x3x17x19xf32> {
  %r = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x17x3x24xf32>, tensor<2x19x3x24xf32>) -> tensor<2x3x17x19xf32>
  return %r : tensor<2x3x17x19xf32>
}
)";
  EXPECT_THAT(DumpOfDot(text),
              HasSubstr("{6x17x19x24 by cuBLASLt in 2 calls}"));
  ExpectRight(*MakeDevices(1), **CompileDot(text), text);
}

TEST_F(CublasLtDotsTest, AttentionOfManyIsOneProductOfTransposedOperands) {
  for (const int batch : {5, 65}) {
    const std::string text = absl::StrCat(
        "func.func @main(%q: tensor<", batch, "x17x6x24xf32>, %k: tensor<",
        batch, "x19x6x24xf32>) -> tensor<", batch,
        "x6x17x19xf32> {\n  %r = stablehlo.dot_general %q, %k, batching_dims = "
        "[0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<",
        batch, "x17x6x24xf32>, tensor<", batch, "x19x6x24xf32>) -> tensor<",
        batch, "x6x17x19xf32>\n  return %r : tensor<", batch,
        "x6x17x19xf32>\n}\n");
    const auto executable = *CompileOptimizedDot(text);
    EXPECT_THAT(
        executable->ToString({false}),
        HasSubstr(absl::StrCat("{", 6 * batch, "x17x19x24 by cuBLASLt}")));
    ExpectRight(*MakeDevices(1), *executable, text);
  }
}

// The emulator would round the sum of each half of the depth.
TEST_F(CublasLtDotsTest, HalvesAreRoundedOnce) {
  const auto platform = MakeDevices(1);
  const std::string text = DotProgram(8, 8, 64, "f16", "f16");
  const auto executable = *CompileDot(text);
  std::vector<Literal> arguments = DotArguments(*executable);
  // 2048 + 1 of the first half, 1 of the second.
  for (size_t operand : {0, 1}) {
    for (F16& x : arguments[operand].mutable_data<F16>()) x = F16(0.f);
  }
  const auto x = arguments[0].mutable_data<F16>();
  const auto y = arguments[1].mutable_data<F16>();
  x[0] = F16(2048.f);
  x[1] = x[40] = F16(1.f);
  for (size_t k : {0, 1, 40}) y[8 * k] = F16(1.f);
  InProcessCliqueProvider provider;
  const auto results =
      RunOnLiterals(*platform, provider, {executable.get()}, {arguments});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(static_cast<float>((*results)[0][0].data<F16>()[0]), 2050.f);
}

TEST_F(CublasLtDotsTest, TheLibraryIsAskedOncePerShapeAndDevice) {
  const auto platform = MakeDevices(2);
  const std::string text = DotProgram(40, 41, 42);
  const auto first = *CompileDot(text, 2);
  const int64_t before = Searches();
  const int64_t handles = Count("cublasLtCreate");
  for (int i = 0; i < 3; ++i) ExpectRight(*platform, *first, text);
  EXPECT_EQ(Searches(), before + 2);
  const auto same = *CompileDot(text, 2);
  ExpectRight(*platform, *same, text);
  EXPECT_EQ(Searches(), before + 2);
  const std::string other = DotProgram(40, 41, 43);
  const auto another = *CompileDot(other, 2);
  ExpectRight(*platform, *another, other);
  EXPECT_EQ(Searches(), before + 4);
  EXPECT_EQ(Count("cublasLtCreate"), handles + 2);
}

TEST_F(CublasLtDotsTest, AlgorithmsAreKeptOnDisk) {
  const std::string directory =
      absl::StrCat(std::getenv("TEST_TMPDIR"), "/algorithms");
  std::filesystem::create_directories(directory);
  const std::string text = DotProgram(31, 37, 41);
  // Each time on devices of which the process knows nothing.
  const auto run = [&] {
    const auto platform = MakeDevices(1);
    ExpectRight(*platform, **CompileDot(text, 1, directory), text);
  };
  int64_t searches = Searches();
  run();
  EXPECT_EQ(Searches(), ++searches);
  run();
  EXPECT_EQ(Searches(), searches);
  // What the library does not take any more is looked for anew.
  Set("fail=cublasLtMatmulAlgoCheck:1:15");
  run();
  EXPECT_EQ(Searches(), ++searches);
}

TEST_F(CublasLtDotsTest, WhatTheLibraryHasNoAlgorithmForIsDoneByTheKernel) {
  const auto platform = MakeDevices(1);
  int64_t n = 24;
  // Not for the device, not for the product.
  for (const int code : {8, 15}) {
    const std::string text = DotProgram(23, ++n, 25);
    const auto executable = *CompileDot(text);
    Set(absl::StrCat("fail=cublasLtMatmulAlgoGetHeuristic:1:", code));
    const int64_t products = Count("matmul");
    const int64_t kernels = Count("kernel");
    const int64_t searches = Searches();
    for (int i = 0; i < 2; ++i) ExpectRight(*platform, *executable, text);
    EXPECT_EQ(Count("matmul"), products);
    EXPECT_EQ(Count("kernel"), kernels + 2);
    EXPECT_EQ(Searches(), searches + 1);
  }
}

TEST_F(CublasLtDotsTest, FailuresOfEveryCallAreNamed_TheNextLaunchWorks) {
  const auto platform = MakeDevices(1);
  struct Code {
    int number;
    absl::StatusCode code;
    const char* name;
  };
  const Code codes[] = {
      {1, absl::StatusCode::kFailedPrecondition,
       "CUBLAS_STATUS_NOT_INITIALIZED"},
      {3, absl::StatusCode::kResourceExhausted, "CUBLAS_STATUS_ALLOC_FAILED"},
      {7, absl::StatusCode::kInternal, "CUBLAS_STATUS_INVALID_VALUE"},
      {8, absl::StatusCode::kUnimplemented, "CUBLAS_STATUS_ARCH_MISMATCH"},
      {13, absl::StatusCode::kInternal, "CUBLAS_STATUS_EXECUTION_FAILED"},
      {14, absl::StatusCode::kInternal, "CUBLAS_STATUS_INTERNAL_ERROR"}};
  int m = 50;
  for (const char* call :
       {"cublasLtCreate", "cublasLtMatmulDescCreate",
        "cublasLtMatmulDescSetAttribute", "cublasLtMatrixLayoutCreate",
        "cublasLtMatrixLayoutSetAttribute", "cublasLtMatmulPreferenceCreate",
        "cublasLtMatmulPreferenceSetAttribute",
        "cublasLtMatmulAlgoGetHeuristic", "cublasLtMatmul"}) {
    const std::string text = DotProgram(++m, 16, 16);
    for (const Code& code : codes) {
      // The heuristic says so of what the kernel does.
      if (code.number == 8 && absl::EndsWith(call, "Heuristic")) continue;
      // Nobody keeps what was made of this shape, and its handle.
      const auto executable = *CompileDot(text);
      Set(absl::StrCat("fail=", call, ":1:", code.number));
      const absl::Status status = Run(*platform, *executable).status();
      EXPECT_EQ(status.code(), code.code) << status;
      for (const std::string& part :
           {std::string("cuda:0"), std::string("p:3:"),
            std::string("stablehlo.dot_general of tensor<"),
            absl::StrCat("tensor<", m, "x16xf32>"),
            absl::StrCat(call, ": ", code.name)}) {
        EXPECT_THAT(status.message(), HasSubstr(part)) << call;
      }
      Set("no_faults");
      ExpectRight(*platform, *executable, text);
    }
  }
}

TEST_F(CublasLtDotsTest, AProductThatFailsOnTheDeviceEndsTheLaunch) {
  const auto platform = MakeDevices(1);
  const std::string text = DotProgram(29, 30, 31);
  const auto executable = *CompileDot(text);
  Set("fail=matmul:1:719");
  const absl::Status status = Run(*platform, *executable).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
  EXPECT_THAT(status.message(), HasSubstr("cuda:0"));
}

TEST_F(CublasLtDotsTest, AWorkspaceThatCannotBeHadIsResourceExhausted) {
  Set("memory=40M");
  const auto platform = MakeDevices(1);
  // 3 MiB of tensors, 16 MiB of workspace.
  const auto fits = *CompileDot(DotProgram(512, 512, 512));
  EXPECT_GT(fits->arena_size(), int64_t{16} << 20);
  // 9 MiB of tensors, 32 MiB of workspace.
  const auto exceeds = *CompileDot(DotProgram(1024, 1024, 64));
  const absl::Status status = Run(*platform, *exceeds).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
}

}  // namespace
}  // namespace lockstep::internal
