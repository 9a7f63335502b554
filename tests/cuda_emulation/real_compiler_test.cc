#include <string>

#include "gtest/gtest.h"
#include "tests/cuda_emulation/emulated_cuda.h"
#include "tests/cuda_emulation/sample_programs.h"

namespace lockstep::internal::cuda {
namespace {

// A process of its own: the real NVRTC does not stand another library of its
// name.
TEST(RealCompilerTest, AcceptsThePrograms) {
  std::string error;
  void* library = OpenLibrary("/usr/local/cuda/lib64/libnvrtc.so.13", &error);
  if (library == nullptr) GTEST_SKIP() << error;
  NvrtcFunctions nvrtc = FindNvrtc(library);
  for (const char* text :
       {kAdd, kSum, kTranspose, kWarps, kAtomics, kMathematics, kReverse}) {
    Compilation compilation =
        Compile(nvrtc, text,
                {"--gpu-architecture=sm_90", "--std=c++17", "--fmad=false"});
    EXPECT_EQ(compilation.result, NVRTC_SUCCESS) << text << compilation.log;
  }
}

}  // namespace
}  // namespace lockstep::internal::cuda
