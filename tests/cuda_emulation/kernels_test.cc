#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/cuda_emulation/emulated_cuda.h"
#include "tests/cuda_emulation/sample_programs.h"

namespace lockstep::internal::cuda {
namespace {

TEST(KernelsTest, ABlockLargerThanTheRestLeavesTheTailAlone) {
  EmulatedDevice device;
  CUfunction add = device.Load(kAdd, "add");
  constexpr int kCount = 1000;
  std::vector<float> a(kCount), b(kCount, 0.5f);
  std::iota(a.begin(), a.end(), 0.0f);
  CUdeviceptr c = device.Put(std::vector<float>(1024, -1.0f));
  ASSERT_EQ(device.Launch(add, 4, 256, device.Put(a), device.Put(b), c, kCount),
            CUDA_SUCCESS);
  std::vector<float> result = device.Get<float>(c, 1024);
  for (int i = 0; i < 1024; ++i) {
    EXPECT_EQ(result[i], i < kCount ? 2.0f * i + 0.5f : -1.0f) << i;
  }
}

TEST(KernelsTest, BlocksOfAnySizeReduceThroughSharedMemoryAndShuffles) {
  EmulatedDevice device;
  CUfunction sum = device.Load(kSum, "sum");
  std::vector<float> in(3000);
  std::iota(in.begin(), in.end(), 1.0f);
  CUdeviceptr from = device.Put(in);
  for (unsigned threads : {32u, 64u, 96u, 256u, 1024u}) {
    for (int count : {1, 31, 1000, 3000}) {
      CUdeviceptr out = device.Put(std::vector<float>(2));
      ASSERT_EQ(device.Launch(sum, 2, threads, from, out, count), CUDA_SUCCESS);
      float expected = count * (count + 1) / 2.0f;
      EXPECT_EQ(device.Get<float>(out, 2),
                (std::vector<float>{expected, expected}));
    }
  }
}

TEST(KernelsTest, BlocksOfTwoDimensionsTransposeThroughATile) {
  EmulatedDevice device;
  CUfunction transpose = device.Load(kTranspose, "transpose");
  int rows = 45, columns = 70;
  std::vector<int> in(rows * columns);
  std::iota(in.begin(), in.end(), 0);
  CUdeviceptr from = device.Put(in);
  CUdeviceptr to = device.Put(std::vector<int>(in.size()));
  void* parameters[] = {&from, &to, &rows, &columns};
  ASSERT_EQ(Driver().cuLaunchKernel(transpose, 3, 2, 1, 32, 8, 1, 0,
                                    device.stream(), parameters, nullptr),
            CUDA_SUCCESS);
  std::vector<int> out = device.Get<int>(to, in.size());
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      ASSERT_EQ(out[column * rows + row], in[row * columns + column]);
    }
  }
}

TEST(KernelsTest, LanesOfAWarpExchangeValues) {
  EmulatedDevice device;
  CUfunction warps = device.Load(kWarps, "warps");
  CUdeviceptr ballot = device.Put(std::vector<unsigned>(32));
  CUdeviceptr up = device.Put(std::vector<int>(32));
  CUdeviceptr xored = device.Put(std::vector<int>(32));
  CUdeviceptr broadcast = device.Put(std::vector<double>(32));
  CUdeviceptr count = device.Put(std::vector<int>(32));
  ASSERT_EQ(device.Launch(warps, 1, 32, ballot, up, xored, broadcast, count),
            CUDA_SUCCESS);
  auto ballots = device.Get<unsigned>(ballot, 32);
  auto ups = device.Get<int>(up, 32);
  auto xors = device.Get<int>(xored, 32);
  auto broadcasts = device.Get<double>(broadcast, 32);
  auto counts = device.Get<int>(count, 32);
  for (int t = 0; t < 32; ++t) {
    EXPECT_EQ(ballots[t], 0x49249249u);
    EXPECT_EQ(ups[t], (t % 8 == 0 ? t : t - 1) + (t < 16 ? 2 : 0));
    EXPECT_EQ(xors[t], t ^ 5);
    EXPECT_EQ(broadcasts[t], 1.5);
    EXPECT_EQ(counts[t], 16);
  }
}

TEST(KernelsTest, AtomicOperationsLoseNothingBetweenStreams) {
  EmulatedDevice device;
  CUfunction atomics = device.Load(kAtomics, "atomics");
  CUdeviceptr sum = device.Put(std::vector<int>(1));
  CUdeviceptr floats = device.Put(std::vector<float>(1));
  CUdeviceptr max = device.Put(std::vector<unsigned>(1));
  CUdeviceptr cas = device.Put(std::vector<uint64_t>(1));
  ASSERT_EQ(Driver().cuStreamSynchronize(device.stream()), CUDA_SUCCESS);
  void* parameters[] = {&sum, &floats, &max, &cas};
  CUstream streams[3];
  for (CUstream& stream : streams) {
    ASSERT_EQ(Driver().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
              CUDA_SUCCESS);
    ASSERT_EQ(Driver().cuLaunchKernel(atomics, 20, 1, 1, 50, 1, 1, 0, stream,
                                      parameters, nullptr),
              CUDA_SUCCESS);
  }
  ASSERT_EQ(Driver().cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(device.Get<int>(sum, 1)[0], 3 * 999 * 1000 / 2);
  EXPECT_EQ(device.Get<float>(floats, 1)[0], 1500.0f);
  EXPECT_EQ(device.Get<unsigned>(max, 1)[0], 999u);
  EXPECT_EQ(device.Get<uint64_t>(cas, 1)[0], 6000u);
}

TEST(KernelsTest, MathematicsIsThatOfTheHost) {
  EmulatedDevice device;
  CUfunction mathematics = device.Load(kMathematics, "mathematics");
  struct Pair {
    int a;
    float b;
  };
  CUdeviceptr f = device.Put(std::vector<float>(9));
  CUdeviceptr d = device.Put(std::vector<double>(2));
  CUdeviceptr l = device.Put(std::vector<int64_t>(3));
  ASSERT_EQ(device.Launch(mathematics, 1, 1, f, d, l, Pair{3, 0.5f}),
            CUDA_SUCCESS);
  EXPECT_EQ(device.Get<float>(f, 9),
            (std::vector<float>{std::exp(1.0f) + 1.0f, 0.5f + 2.0f + 1.5f, 3.0f,
                                std::erf(0.5f) + std::tanh(0.25f) + 8.0f + 4.0f,
                                1.0f, 2.0f, 3.0f, 4.0f, 3.5f}));
  EXPECT_EQ(device.Get<double>(d, 2),
            (std::vector<double>{std::sqrt(2.0) + 7.0 + 0.25, 7.25}));
  EXPECT_EQ(device.Get<int64_t>(l, 3),
            (std::vector<int64_t>{31 + 63 + 3 + 4 + 4, 2 - 1 + 2,
                                  -3 + 2147483647ll + 3 + 5}));
}

TEST(KernelsTest, DynamicSharedMemoryIsAsLargeAsTheLaunchSays) {
  EmulatedDevice device;
  CUfunction reverse = device.Load(kReverse, "reverse");
  CUdeviceptr data = device.Put(std::vector<float>{1, 2, 3, 4, 5});
  void* parameters[] = {&data};
  ASSERT_EQ(
      Driver().cuLaunchKernel(reverse, 1, 1, 1, 5, 1, 1, 5 * sizeof(float),
                              device.stream(), parameters, nullptr),
      CUDA_SUCCESS);
  EXPECT_EQ(device.Get<float>(data, 5), (std::vector<float>{5, 4, 3, 2, 1}));
}

TEST(KernelsTest, ParametersMayBeVectors) {
  EmulatedDevice device;
  CUfunction kernel = device.Load(R"(
extern "C" __global__ void store(char c, float4 v, float4* out) {
  extern __shared__ __align__(16) unsigned char bytes[];
  float4* kept = reinterpret_cast<float4*>(bytes);
  *kept = v;
  kept->x += c;
  *out = *kept;
})",
                                  "store");
  struct alignas(16) Vector {
    float x, y, z, w;
  };
  char c = 10;
  Vector vector = {1, 2, 3, 4};
  CUdeviceptr out = device.Put(std::vector<float>(4));
  void* parameters[] = {&c, &vector, &out};
  ASSERT_EQ(Driver().cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 16,
                                    device.stream(), parameters, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(device.Get<float>(out, 4), (std::vector<float>{11, 2, 3, 4}));
}

TEST(KernelsTest, SharedMemoryHoldsGarbageWhenABlockBegins) {
  EmulatedDevice device;
  CUfunction kernel = device.Load(R"(
extern "C" __global__ void look(unsigned* out) {
  __shared__ unsigned words[8];
  out[blockIdx.x] = words[5];
  words[5] = 1;
})",
                                  "look");
  CUdeviceptr out = device.Put(std::vector<unsigned>(2));
  ASSERT_EQ(device.Launch(kernel, 2, 1, out), CUDA_SUCCESS);
  EXPECT_EQ(device.Get<unsigned>(out, 2),
            (std::vector<unsigned>{0xffffffffu, 0xffffffffu}));
}

struct Fault {
  const char* body;
  CUresult error;
};

TEST(KernelsTest, AKernelThatFailsFailsItsContextForEver) {
  for (const Fault& fault : {
           Fault{"data[threadIdx.x + (1 << 20)] = 1;",
                 CUDA_ERROR_ILLEGAL_ADDRESS},
           Fault{"reinterpret_cast<int*>(4ull * threadIdx.x)[0] = 1;",
                 CUDA_ERROR_ILLEGAL_ADDRESS},
           Fault{"if (threadIdx.x < 16) __syncthreads();",
                 CUDA_ERROR_LAUNCH_FAILED},
           Fault{"if (threadIdx.x < 16) __syncwarp(); else __syncthreads();",
                 CUDA_ERROR_LAUNCH_FAILED},
           Fault{"__syncwarp(1u << (threadIdx.x + 1));",
                 CUDA_ERROR_LAUNCH_FAILED},
           Fault{"__syncthreads(); data[1 << 20] = 1;",
                 CUDA_ERROR_ILLEGAL_ADDRESS},
           Fault{"if (threadIdx.x == 7) __trap();", CUDA_ERROR_LAUNCH_FAILED},
       }) {
    SCOPED_TRACE(fault.body);
    EmulatedDevice device;
    CUfunction kernel = device.Load(
        std::string("extern \"C\" __global__ void fail(int* data) {") +
            fault.body + "}",
        "fail");
    CUdeviceptr data = device.Put(std::vector<int>(32));
    ASSERT_EQ(device.Launch(kernel, 1, 32, data), CUDA_SUCCESS);
    EXPECT_EQ(Driver().cuStreamSynchronize(device.stream()), fault.error);
    CUdeviceptr more = 0;
    EXPECT_EQ(Driver().cuMemAlloc(&more, 1), fault.error);
    EXPECT_EQ(device.Launch(kernel, 1, 32, data), fault.error);
  }
}

TEST(KernelsTest, LaunchesBeyondTheDeviceAreRefused) {
  EmulatedDevice device;
  CUfunction add = device.Load(kAdd, "add");
  CUfunction reverse = device.Load(kReverse, "reverse");
  CUdeviceptr data = device.Put(std::vector<float>(1));
  EXPECT_EQ(device.Launch(reverse, 0, 1, data), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(device.Launch(reverse, 1, 0, data), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(device.Launch(reverse, 1, 1025, data), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(device.Launch(add, 1, 257, data, data, data, 0),
            CUDA_ERROR_INVALID_VALUE);
  void* parameters[] = {&data};
  EXPECT_EQ(Driver().cuLaunchKernel(reverse, 1, 1, 1, 1, 1, 1, 49153,
                                    device.stream(), parameters, nullptr),
            CUDA_ERROR_INVALID_VALUE);
}

TEST(KernelsTest, FunctionsHaveAttributes) {
  EmulatedDevice device;
  CUfunction transpose = device.Load(kTranspose, "transpose");
  int shared = 0;
  ASSERT_EQ(Driver().cuFuncGetAttribute(
                &shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, transpose),
            CUDA_SUCCESS);
  EXPECT_GE(shared, 32 * 33 * 4);
  EXPECT_LE(shared, 32 * 33 * 4 + 64);
  int threads = 0;
  ASSERT_EQ(Driver().cuFuncGetAttribute(&threads,
                                        CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                        device.Load(kAdd, "add")),
            CUDA_SUCCESS);
  EXPECT_EQ(threads, 256);
}

TEST(KernelsTest, ErrorsOfTheTextAreInTheLog) {
  Compilation compilation =
      Compile(Nvrtc(), "extern \"C\" __global__ void k() {\n  oops();\n}\n");
  EXPECT_EQ(compilation.result, NVRTC_ERROR_COMPILATION);
  EXPECT_NE(compilation.log.find("sample.cu:2"), std::string::npos)
      << compilation.log;
  EXPECT_NE(compilation.log.find("oops"), std::string::npos);
}

TEST(KernelsTest, OptionsThatNvrtcDoesNotKnowAreRefused) {
  EXPECT_EQ(Compile(Nvrtc(), kAdd, {"--gpu-architecture=sm_12"}).result,
            NVRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(Compile(Nvrtc(), kAdd, {"--fast"}).result,
            NVRTC_ERROR_INVALID_OPTION);
}

}  // namespace
}  // namespace lockstep::internal::cuda
