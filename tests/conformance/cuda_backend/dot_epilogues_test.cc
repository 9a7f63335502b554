// Dots with a bias and an activation, by an emulated cuBLASLt: which are one
// call of it, what is done where they are not, and what they compute.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/conformance/literal_run.h"
#include "runtime/devices/platform.h"
#include "runtime/types/literal.h"
#include "tests/conformance/cuda_backend/dot_programs.h"
#include "tests/cuda_emulation/emulated_cuda.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kBias[] = "%r = stablehlo.add %d, %v : R\n";
constexpr char kRelu[] =
    "%z = stablehlo.constant dense<0.0> : R\n"
    "%r = stablehlo.maximum %d, %z : R\n";
constexpr char kBiasAndRelu[] =
    "%z = stablehlo.constant dense<0.0> : R\n"
    "%a = stablehlo.add %d, %v : R\n"
    "%r = stablehlo.maximum %a, %z : R\n";
constexpr char kBiasAndGelu[] =
    "%c = stablehlo.constant dense<0.044715> : R\n"
    "%k = stablehlo.constant dense<0.797884561> : R\n"
    "%o = stablehlo.constant dense<1.0> : R\n"
    "%h = stablehlo.constant dense<0.5> : R\n"
    "%a = stablehlo.add %d, %v : R\n"
    "%2 = stablehlo.multiply %a, %a : R\n"
    "%3 = stablehlo.multiply %2, %a : R\n"
    "%4 = stablehlo.multiply %c, %3 : R\n"
    "%5 = stablehlo.add %a, %4 : R\n"
    "%6 = stablehlo.multiply %k, %5 : R\n"
    "%7 = stablehlo.tanh %6 : R\n"
    "%8 = stablehlo.add %o, %7 : R\n"
    "%9 = stablehlo.multiply %h, %8 : R\n"
    "%r = stablehlo.multiply %a, %9 : R\n";

// %d = dot of [32, k] and [k, n], %v = the bias as R, and what follows.
std::string Program(int64_t n, int64_t k, const std::string& type,
                    const std::string& epilogue) {
  return absl::StrReplaceAll(
      absl::StrCat(
          "func.func @main(%x: X, %y: Y, %b: B) -> R {\n"
          "%v = stablehlo.broadcast_in_dim %b, dims = [1] : (B) -> R\n"
          "%d = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : "
          "(X, Y) -> R\n",
          epilogue, "return %r : R\n}\n"),
      {{" X", absl::StrCat(" tensor<32x", k, "x", type, ">")},
       {"(X", absl::StrCat("(tensor<32x", k, "x", type, ">")},
       {" Y", absl::StrCat(" tensor<", k, "x", n, "x", type, ">")},
       {" B", absl::StrCat(" tensor<", n, "x", type, ">")},
       {"(B", absl::StrCat("(tensor<", n, "x", type, ">")},
       {" R", absl::StrCat(" tensor<32x", n, "x", type, ">")}});
}

class DotEpiloguesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Set("no_faults,release,devices=1,memory=1G");
    platform_ = *MakePlatform("cuda", {.device_count = 1, .ordinals = {0}});
  }
  void TearDown() override { Set("no_faults"); }

  static void Set(const std::string& settings) {
    ASSERT_TRUE(cuda::Hooks().set(settings.c_str())) << settings;
  }
  static int64_t Count(const char* function) {
    return cuda::Hooks().count(function);
  }

  std::vector<Literal> Run(const Executable& executable,
                           const std::vector<Literal>& arguments) {
    InProcessCliqueProvider provider;
    auto results =
        RunOnLiterals(*platform_, provider, {&executable}, {arguments});
    EXPECT_TRUE(results.ok()) << results.status();
    return results.ok() ? std::move((*results)[0]) : std::vector<Literal>();
  }

  void ExpectRight(const std::string& text) {
    const auto executable = *CompileOptimizedDot(text);
    const auto arguments = DotArguments(*executable);
    EXPECT_TRUE(Run(*executable, arguments) == ExpectedOfDot(text, arguments))
        << text;
  }

  std::unique_ptr<Platform> platform_;
};

std::string Dump(const std::string& text) {
  const auto executable = CompileOptimizedDot(text);
  return executable.ok() ? (*executable)->ToString({false})
                         : executable.status().ToString();
}

TEST_F(DotEpiloguesTest, ADotWithBiasAndReluIsOneProduct) {
  for (const auto& [epilogue, name] :
       {std::pair(kBias, "with bias}"), std::pair(kRelu, "with relu}"),
        std::pair(kBiasAndRelu, "with bias and relu}")}) {
    const std::string text = Program(24, 40, "f32", epilogue);
    EXPECT_THAT(Dump(text), HasSubstr(name));
    ExpectRight(text);
    const int64_t products = Count("matmul");
    const int64_t kernels = Count("kernel");
    const auto executable = *CompileOptimizedDot(text);
    const auto arguments = DotArguments(*executable);
    Run(*executable, arguments);
    const int64_t first = Count("matmul") - products;
    // One of them may have looked whether NaN is kept.
    EXPECT_LE(first, 2) << name;
    Run(*executable, arguments);
    EXPECT_EQ(Count("matmul"), products + first + 1) << name;
    EXPECT_EQ(Count("kernel"), kernels) << name;
  }
}

// What is live while the second is computed is not its workspace.
TEST_F(DotEpiloguesTest, LayersHaveWorkspacesOfTheirOwn) {
  const std::string text = R"(
func.func @main(%x: tensor<32x40xf32>, %w: tensor<40x40xf32>, %b: tensor<40xf32>) -> tensor<32x40xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<32x40xf32>
  %v = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<40xf32>) -> tensor<32x40xf32>
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x40xf32>, tensor<40x40xf32>) -> tensor<32x40xf32>
  %a = stablehlo.add %d, %v : tensor<32x40xf32>
  %h = stablehlo.maximum %a, %z : tensor<32x40xf32>
  %e = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<32x40xf32>, tensor<40x40xf32>) -> tensor<32x40xf32>
  %c = stablehlo.add %e, %v : tensor<32x40xf32>
  %r = stablehlo.maximum %c, %z : tensor<32x40xf32>
  return %r : tensor<32x40xf32>
}
)";
  EXPECT_THAT(Dump(text), HasSubstr("with bias and relu}"));
  ExpectRight(text);
  // 1 MiB at least, beside the values in between.
  const auto executable = *CompileOptimizedDot(text);
  EXPECT_GT(executable->launch_bytes(), 1 << 20);
}

// The program rounds the sum to its type before it adds the bias, the library
// adds in f32 and rounds once: what the oracle says of f32.
TEST_F(DotEpiloguesTest, HalvesAreRoundedOnceBehindTheEpilogue) {
  for (const char* type : {"f16", "bf16"}) {
    const auto executable =
        *CompileOptimizedDot(Program(24, 200, type, kBiasAndRelu));
    std::vector<Literal> arguments = DotArguments(*executable);
    std::vector<Literal> wide;
    for (const Literal& argument : arguments) {
      wide.push_back(ConvertedTo(ElementType::kF32, argument));
    }
    const auto exact =
        ExpectedOfDot(Program(24, 200, "f32", kBiasAndRelu), wide);
    const auto found = Run(*executable, arguments);
    EXPECT_TRUE(found[0] ==
                ConvertedTo(arguments[0].shape().element_type(), exact[0]))
        << type;
  }
}

TEST_F(DotEpiloguesTest, NanComesThroughReluWhateverTheLibraryDoes) {
  // The emulator's relu hides NaN where n is not a multiple of 8.
  for (const int64_t n : {24, 25}) {
    for (const char* type : {"f32", "bf16", "f16"}) {
      const std::string text = Program(n, 40, type, kBiasAndRelu);
      EXPECT_THAT(Dump(text), HasSubstr("with bias and relu}"));
      const auto executable = *CompileOptimizedDot(text);
      std::vector<Literal> arguments = DotArguments(*executable);
      Literal x = ConvertedTo(ElementType::kF32, arguments[0]);
      for (size_t k = 0; k < 40; ++k) {
        x.mutable_data<float>()[k] = std::numeric_limits<float>::quiet_NaN();
      }
      arguments[0] = ConvertedTo(arguments[0].shape().element_type(), x);
      const int64_t kernels = Count("kernel");
      const Literal found =
          ConvertedTo(ElementType::kF32, Run(*executable, arguments)[0]);
      for (size_t i = 0; i < found.data<float>().size(); ++i) {
        EXPECT_EQ(std::isnan(found.data<float>()[i]),
                  i < static_cast<size_t>(n))
            << n << type << i;
      }
      EXPECT_EQ(Count("kernel"), kernels + (n == 24 ? 0 : 1));
    }
  }
}

TEST_F(DotEpiloguesTest, WithoutTheEpilogueTheRestIsAKernel) {
  // The library does not take the epilogue; it has nothing at all.
  int64_t n = 64;
  for (const auto& [call, products, kernels] :
       {std::tuple("cublasLtMatmulAlgoCheck:1:15", 1, 1),
        std::tuple("cublasLtMatmulAlgoGetHeuristic:1:15,"
                   "fail=cublasLtMatmulAlgoGetHeuristic:2:15",
                   0, 2)}) {
    n += 8;
    const std::string text = Program(n, 48, "f32", kBiasAndRelu);
    const auto executable = *CompileOptimizedDot(text);
    const auto arguments = DotArguments(*executable);
    Set(absl::StrCat("fail=", call));
    const int64_t products_before = Count("matmul");
    const int64_t kernels_before = Count("kernel");
    for (int i = 1; i <= 2; ++i) {
      EXPECT_TRUE(Run(*executable, arguments) ==
                  ExpectedOfDot(text, arguments));
      EXPECT_EQ(Count("matmul"), products_before + i * products) << call;
      EXPECT_EQ(Count("kernel"), kernels_before + i * kernels) << call;
      Set("no_faults");
    }
  }
}

TEST_F(DotEpiloguesTest, TheAlgorithmOfF32IsThatOfTheDotAlone) {
  const std::string directory =
      absl::StrCat(std::getenv("TEST_TMPDIR"), "/epilogues");
  std::filesystem::create_directories(directory);
  const auto run = [&](const std::string& text) {
    const auto executable = *CompileOptimizedDot(text, directory);
    Run(*executable, DotArguments(*executable));
  };
  const int64_t searches = Count("cublasLtMatmulAlgoGetHeuristic");
  run(DotProgram(32, 104, 56));
  EXPECT_EQ(Count("cublasLtMatmulAlgoGetHeuristic"), searches + 1);
  run(Program(104, 56, "f32", kBias));
  run(Program(104, 56, "f32", kBiasAndRelu));
  EXPECT_EQ(Count("cublasLtMatmulAlgoGetHeuristic"), searches + 1);
  // Halves have their own, kept too.
  for (int i = 0; i < 2; ++i) run(Program(104, 56, "bf16", kBias));
  EXPECT_EQ(Count("cublasLtMatmulAlgoGetHeuristic"), searches + 2);
}

// Of ops on halves each rounds: 1 + tanh loses what is below 2^-8 of bf16, and
// the program's result is off by as much. The library's is compared with gelu
// of f32: half a unit in the last place for the rounding, and 1e-5 for its
// tanh.
TEST_F(DotEpiloguesTest, GeluOfHalvesIsNearerToGeluThanTheProgram) {
  for (const auto& [type, rounding] :
       {std::pair("f16", 1.0f / 2048), std::pair("bf16", 1.0f / 256)}) {
    const std::string text = Program(24, 16, type, kBiasAndGelu);
    EXPECT_THAT(Dump(text), HasSubstr("with bias and gelu}"));
    const auto executable = *CompileOptimizedDot(text);
    const auto arguments = DotArguments(*executable);
    std::vector<Literal> wide;
    for (const Literal& argument : arguments) {
      wide.push_back(ConvertedTo(ElementType::kF32, argument));
    }
    const auto exact =
        ExpectedOfDot(Program(24, 16, "f32", kBiasAndGelu), wide);
    const Literal found =
        ConvertedTo(ElementType::kF32, Run(*executable, arguments)[0]);
    for (size_t i = 0; i < found.data<float>().size(); ++i) {
      const float expected = exact[0].data<float>()[i];
      EXPECT_NEAR(found.data<float>()[i], expected,
                  std::abs(expected) * rounding + 1e-5f);
    }
  }
  EXPECT_THAT(Dump(Program(24, 16, "f32", kBiasAndGelu)),
              HasSubstr("by cuBLASLt}"));
}

TEST_F(DotEpiloguesTest, WhatIsNoEpilogueIsAsWithout) {
  const std::string many = R"(
func.func @main(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>, %b: tensor<32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
  %v = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<32xf32>) -> tensor<32x32xf32>
  %w = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<32xf32>) -> tensor<32x32xf32>
  %d = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %e = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = stablehlo.add %d, %v : tensor<32x32xf32>
  %s = stablehlo.add %e, %w : tensor<32x32xf32>
  return %d, %r, %s : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}
)";
  const std::string batches = R"(
func.func @main(%x: tensor<3x32x16xf32>, %y: tensor<3x16x24xf32>, %b: tensor<24xf32>) -> tensor<3x32x24xf32> {
  %v = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<24xf32>) -> tensor<3x32x24xf32>
  %d = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x32x16xf32>, tensor<3x16x24xf32>) -> tensor<3x32x24xf32>
  %r = stablehlo.add %d, %v : tensor<3x32x24xf32>
  return %r : tensor<3x32x24xf32>
}
)";
  for (const std::string& text : {many, batches}) {
    EXPECT_THAT(Dump(text), Not(HasSubstr("with bias")));
    ExpectRight(text);
  }
}

TEST_F(DotEpiloguesTest, AFailureNamesTheDot) {
  const std::string text = Program(40, 72, "f32", kBias);
  const auto executable = *CompileOptimizedDot(text);
  Set("fail=cublasLtMatmul:1:14");
  InProcessCliqueProvider provider;
  const absl::Status status =
      RunOnLiterals(*platform_, provider, {executable.get()},
                    {DotArguments(*executable)})
          .status();
  EXPECT_THAT(status.message(),
              HasSubstr("stablehlo.dot_general of tensor<32x72xf32>"));
  EXPECT_THAT(status.message(), HasSubstr("CUBLAS_STATUS_INTERNAL_ERROR"));
}

}  // namespace
}  // namespace lockstep::internal
