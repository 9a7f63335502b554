// Dots where the driver and NVRTC are there and cuBLASLt is not.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/conformance/literal_run.h"
#include "runtime/devices/platform.h"
#include "tests/conformance/cuda_backend/dot_programs.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Before anything looks for a library.
const bool kIsHidden = [] {
  const fs::path folder =
      absl::StrCat(std::getenv("TEST_TMPDIR"), "/without_cublas_lt");
  fs::create_directories(folder);
  for (const char* name : {"libcuda.so.1", "libnvrtc.so.13"}) {
    fs::create_symlink(fs::absolute("tests/cuda_emulation") / name,
                       folder / name);
  }
  setenv("LOCKSTEP_CUDA_PATH", folder.c_str(), 1);
  return true;
}();

TEST(WithoutCublasLtTest, EveryDotIsAKernelAndSaysWhy) {
  ASSERT_TRUE(kIsHidden);
  EXPECT_THAT((*FindBackend("cuda"))->version(), HasSubstr("no cuBLASLt"));
  const std::string text = DotProgram(33, 17, 65);
  EXPECT_THAT(DumpOfDot(text),
              HasSubstr("{by a kernel: no cuBLASLt is there}"));
  const auto platform = MakePlatform("cuda", {.ordinals = {0}});
  ASSERT_TRUE(platform.ok()) << platform.status();
  const auto executable = *CompileDot(text);
  EXPECT_EQ(executable->arena_size(), 0);
  InProcessCliqueProvider provider;
  const auto arguments = DotArguments(*executable);
  const auto results =
      RunOnLiterals(**platform, provider, {executable.get()}, {arguments});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE((*results)[0] == ExpectedOfDot(text, arguments));
}

}  // namespace
}  // namespace lockstep::internal
