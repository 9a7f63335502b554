#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/cuda/cublas_lt_api.h"
#include "tests/cuda_emulation/emulated_cuda.h"

namespace lockstep::internal::cuda {
namespace {

// A product under way: its descriptors, and what they are made of.
struct Product {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType_t scale = CUDA_R_32F;
  cudaDataType_t operand = CUDA_R_32F;
  cudaDataType_t result = CUDA_R_32F;
  int64_t m = 2;
  int64_t n = 2;
  int64_t k = 2;
  bool transpose_a = false;
  bool transpose_b = false;
  cublasLtOrder_t order = CUBLASLT_ORDER_COL;
  int32_t batch = 1;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  CUdeviceptr bias = 0;
  CUdeviceptr a_scale = 0;
  uint64_t max_workspace = 1 << 20;
  uint32_t reduction_schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
};

class CublasLtEmulationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(lt_.cublasLtCreate(&handle_), CUBLAS_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_TRUE(Hooks().set("no_faults"));
    EXPECT_EQ(lt_.cublasLtDestroy(handle_), CUBLAS_STATUS_SUCCESS);
  }

  template <class T>
  void Set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
    EXPECT_EQ(lt_.cublasLtMatmulDescSetAttribute(matmul_, attribute, &value,
                                                 sizeof(value)),
              CUBLAS_STATUS_SUCCESS);
  }

  cublasLtMatrixLayout_t Layout(const Product& p, cudaDataType_t type,
                                int64_t rows, int64_t columns) {
    cublasLtMatrixLayout_t layout = nullptr;
    const int64_t inner = p.order == CUBLASLT_ORDER_COL ? rows : columns;
    EXPECT_EQ(lt_.cublasLtMatrixLayoutCreate(
                  &layout, type, static_cast<uint64_t>(rows),
                  static_cast<uint64_t>(columns), inner),
              CUBLAS_STATUS_SUCCESS);
    const int64_t stride = rows * columns;
    lt_.cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER,
                                         &p.order, sizeof(p.order));
    lt_.cublasLtMatrixLayoutSetAttribute(
        layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &p.batch, sizeof(p.batch));
    lt_.cublasLtMatrixLayoutSetAttribute(
        layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
        sizeof(stride));
    return layout;
  }

  void Describe(const Product& p) {
    ASSERT_EQ(lt_.cublasLtMatmulDescCreate(&matmul_, p.compute, p.scale),
              CUBLAS_STATUS_SUCCESS);
    Set(CUBLASLT_MATMUL_DESC_TRANSA, p.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N);
    Set(CUBLASLT_MATMUL_DESC_TRANSB, p.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N);
    Set(CUBLASLT_MATMUL_DESC_EPILOGUE, p.epilogue);
    if (p.bias != 0) Set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, p.bias);
    if (p.a_scale != 0) Set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, p.a_scale);
    a_ = p.transpose_a ? Layout(p, p.operand, p.k, p.m)
                       : Layout(p, p.operand, p.m, p.k);
    b_ = p.transpose_b ? Layout(p, p.operand, p.n, p.k)
                       : Layout(p, p.operand, p.k, p.n);
    d_ = Layout(p, p.result, p.m, p.n);
  }

  // The status of the search, and what it found.
  cublasStatus_t Search(const Product& p,
                        cublasLtMatmulHeuristicResult_t* found) {
    Describe(p);
    cublasLtMatmulPreference_t preference = nullptr;
    EXPECT_EQ(lt_.cublasLtMatmulPreferenceCreate(&preference),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(lt_.cublasLtMatmulPreferenceSetAttribute(
                  preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                  &p.max_workspace, sizeof(p.max_workspace)),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(lt_.cublasLtMatmulPreferenceSetAttribute(
                  preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
                  &p.reduction_schemes, sizeof(p.reduction_schemes)),
              CUBLAS_STATUS_SUCCESS);
    int count = 0;
    const cublasStatus_t status = lt_.cublasLtMatmulAlgoGetHeuristic(
        handle_, matmul_, a_, b_, d_, d_, preference, 1, found, &count);
    EXPECT_EQ(count, status == CUBLAS_STATUS_SUCCESS ? 1 : 0);
    lt_.cublasLtMatmulPreferenceDestroy(preference);
    return status;
  }

  cublasStatus_t Run(CUdeviceptr a, CUdeviceptr b, CUdeviceptr d,
                     const cublasLtMatmulAlgo_t& algo, CUdeviceptr workspace,
                     size_t workspace_bytes, const void* one,
                     const void* zero) {
    const auto pointer = [](CUdeviceptr address) {
      return reinterpret_cast<void*>(address);
    };
    return lt_.cublasLtMatmul(handle_, matmul_, one, pointer(a), a_, pointer(b),
                              b_, zero, pointer(d), d_, pointer(d), d_, &algo,
                              pointer(workspace), workspace_bytes,
                              device_.stream());
  }

  // The product of `x` and `y`, which are as in memory.
  template <class D, class T, class S = float>
  std::vector<D> Multiply(const Product& p, const std::vector<T>& x,
                          const std::vector<T>& y) {
    cublasLtMatmulHeuristicResult_t found = {};
    EXPECT_EQ(Search(p, &found), CUBLAS_STATUS_SUCCESS);
    const size_t count = static_cast<size_t>(p.m * p.n * p.batch);
    const CUdeviceptr d = device_.Put(std::vector<D>(count));
    const CUdeviceptr workspace =
        device_.Put(std::vector<char>(found.workspaceSize + 1));
    const S one = S(1);
    const S zero = S(0);
    EXPECT_EQ(Run(device_.Put(x), device_.Put(y), d, found.algo, workspace,
                  found.workspaceSize, &one, &zero),
              CUBLAS_STATUS_SUCCESS);
    return device_.Get<D>(d, count);
  }

  const CublasLtFunctions& lt_ = CublasLt();
  EmulatedDevice device_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t matmul_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr;
  cublasLtMatrixLayout_t b_ = nullptr;
  cublasLtMatrixLayout_t d_ = nullptr;
};

using Floats = std::vector<float>;

TEST_F(CublasLtEmulationTest, ColumnsComeFirst_RowsWhereTheOrderSaysSo) {
  // [1 3; 2 4] * [5 7; 6 8] by columns, [1 2; 3 4] * [5 6; 7 8] by rows.
  EXPECT_EQ(Multiply<float>({}, Floats{1, 2, 3, 4}, Floats{5, 6, 7, 8}),
            (Floats{23, 34, 31, 46}));
  EXPECT_EQ(Multiply<float>({.order = CUBLASLT_ORDER_ROW}, Floats{1, 2, 3, 4},
                            Floats{5, 6, 7, 8}),
            (Floats{19, 22, 43, 50}));
}

TEST_F(CublasLtEmulationTest, OperandsAreTransposed_BatchesHaveTheirStrides) {
  EXPECT_EQ(Multiply<float>({.transpose_a = true}, Floats{1, 2, 3, 4},
                            Floats{5, 6, 7, 8}),
            (Floats{17, 39, 23, 53}));
  EXPECT_EQ(Multiply<float>({.transpose_b = true}, Floats{1, 2, 3, 4},
                            Floats{5, 6, 7, 8}),
            (Floats{26, 38, 30, 44}));
  EXPECT_EQ(Multiply<float>({.m = 1, .n = 1, .batch = 3},
                            Floats{1, 2, 3, 4, 5, 6}, Floats{1, 1, 2, 2, 3, 3}),
            (Floats{3, 14, 33}));
}

TEST_F(CublasLtEmulationTest, SumsHaveTheComputeType) {
  using Complex = std::complex<float>;
  EXPECT_EQ(
      (Multiply<Complex, Complex, Complex>({.scale = CUDA_C_32F,
                                            .operand = CUDA_C_32F,
                                            .result = CUDA_C_32F,
                                            .m = 1,
                                            .n = 1},
                                           {{0, 1}, {2, 0}}, {{0, 1}, {1, 1}})),
      (std::vector<Complex>{{1, 2}}));
  EXPECT_EQ((Multiply<double, double, double>({.compute = CUBLAS_COMPUTE_64F,
                                               .scale = CUDA_R_64F,
                                               .operand = CUDA_R_64F,
                                               .result = CUDA_R_64F,
                                               .m = 1,
                                               .n = 1},
                                              {1e15, 1}, {1, 3})),
            (std::vector<double>{1e15 + 3}));
  EXPECT_EQ((Multiply<int32_t, int8_t, int32_t>({.compute = CUBLAS_COMPUTE_32I,
                                                 .scale = CUDA_R_32I,
                                                 .operand = CUDA_R_8I,
                                                 .result = CUDA_R_32I,
                                                 .m = 4,
                                                 .n = 1,
                                                 .k = 4,
                                                 .transpose_a = true},
                                                std::vector<int8_t>(16, -128),
                                                std::vector<int8_t>(4, 127))),
            std::vector<int32_t>(4, -65024));
}

TEST_F(CublasLtEmulationTest, HalvesAreSummedInFloatAndRoundedOnce) {
  // 2048 + 1 + 1 in float16; 256 + 1 + 1 in bfloat16.
  EXPECT_EQ(
      Multiply<uint16_t>(
          {.operand = CUDA_R_16F, .result = CUDA_R_16F, .m = 1, .n = 1, .k = 3},
          std::vector<uint16_t>{0x6800, 0x3c00, 0x3c00},
          std::vector<uint16_t>(3, 0x3c00)),
      (std::vector<uint16_t>{0x6801}));
  EXPECT_EQ(Multiply<float>({.operand = CUDA_R_16BF, .m = 1, .n = 1, .k = 3},
                            std::vector<uint16_t>{0x4380, 0x3f80, 0x3f80},
                            std::vector<uint16_t>(3, 0x3f80)),
            (Floats{258}));
}

TEST_F(CublasLtEmulationTest, PartsAreRoundedWhereThePreferenceAllowsIt) {
  // (2048 + 1) + (1 + 0), each a part, in float16.
  Product p = {
      .operand = CUDA_R_16F, .result = CUDA_R_16F, .m = 1, .n = 1, .k = 4};
  const std::vector<uint16_t> x = {0x6800, 0x3c00, 0x3c00, 0};
  const std::vector<uint16_t> ones(4, 0x3c00);
  EXPECT_EQ(Multiply<uint16_t>(p, x, ones), (std::vector<uint16_t>{0x6801}));
  p.reduction_schemes |= CUBLASLT_REDUCTION_SCHEME_INPLACE;
  EXPECT_EQ(Multiply<uint16_t>(p, x, ones), (std::vector<uint16_t>{0x6800}));
  p.reduction_schemes = CUBLASLT_REDUCTION_SCHEME_NONE;
  cublasLtMatmulHeuristicResult_t found = {};
  ASSERT_EQ(Search(p, &found), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(found.workspaceSize, 0u);
}

TEST_F(CublasLtEmulationTest, Tf32KeepsTenBits) {
  const Floats x = {1 + 0x1p-10f + 0x1p-13f};
  const Product p = {.m = 1, .n = 1, .k = 1};
  EXPECT_EQ(Multiply<float>(p, x, Floats{1}), x);
  Product fast = p;
  fast.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
  EXPECT_EQ(Multiply<float>(fast, x, Floats{1}), (Floats{1 + 0x1p-10f}));
}

TEST_F(CublasLtEmulationTest, Float8HasScalesAndWholeGroups) {
  // 0x38 is 1 in e4m3.
  Product p = {.operand = CUDA_R_8F_E4M3,
               .m = 16,
               .n = 16,
               .k = 16,
               .transpose_a = true};
  p.a_scale = device_.Put(Floats{0.5f});
  EXPECT_EQ(Multiply<float>(p, std::vector<uint8_t>(256, 0x38),
                            std::vector<uint8_t>(256, 0x40)),
            Floats(256, 16));
  cublasLtMatmulHeuristicResult_t found = {};
  p.k = 8;
  EXPECT_EQ(Search(p, &found), CUBLAS_STATUS_NOT_SUPPORTED);
  p.k = 16;
  p.transpose_a = false;
  EXPECT_EQ(Search(p, &found), CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST_F(CublasLtEmulationTest, EpiloguesComeAfterTheSums) {
  const CUdeviceptr bias = device_.Put(Floats{-30, 1});
  EXPECT_EQ(Multiply<float>({.epilogue = CUBLASLT_EPILOGUE_BIAS, .bias = bias},
                            Floats{1, 2, 3, 4}, Floats{5, 6, 7, 8}),
            (Floats{-7, 35, 1, 47}));
  EXPECT_EQ(
      Multiply<float>({.epilogue = CUBLASLT_EPILOGUE_RELU_BIAS, .bias = bias},
                      Floats{1, 2, 3, 4}, Floats{5, 6, 7, 8}),
      (Floats{0, 35, 1, 47}));
  EXPECT_NEAR(Multiply<float>(
                  {.m = 1, .n = 1, .k = 1, .epilogue = CUBLASLT_EPILOGUE_GELU},
                  Floats{1}, Floats{1})[0],
              0.841192f, 1e-6f);
}

TEST_F(CublasLtEmulationTest, SomeReluHidesNan) {
  const auto relu_of_nan = [this](int64_t rows) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    return Multiply<float>(
        {.m = rows, .n = 1, .k = 1, .epilogue = CUBLASLT_EPILOGUE_RELU},
        Floats(static_cast<size_t>(rows), nan), Floats{1})[0];
  };
  EXPECT_TRUE(std::isnan(relu_of_nan(8)));
  EXPECT_EQ(relu_of_nan(7), 0);
}

TEST_F(CublasLtEmulationTest, AnAlgorithmWantsItsShapesAlignmentAndWorkspace) {
  cublasLtMatmulHeuristicResult_t found = {};
  ASSERT_EQ(Search({.max_workspace = 0}, &found), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(found.workspaceSize, 0u);
  ASSERT_EQ(Search({}, &found), CUBLAS_STATUS_SUCCESS);
  ASSERT_GT(found.workspaceSize, 0u);
  const float one = 1;
  const float zero = 0;
  const CUdeviceptr memory = device_.Put(Floats(1000));
  EXPECT_EQ(Run(memory, memory, memory, found.algo, memory + 1024,
                found.workspaceSize - 1, &one, &zero),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(Run(memory + 4, memory, memory, found.algo, memory + 1024,
                found.workspaceSize, &one, &zero),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(Run(memory, memory, memory, found.algo, memory + 1024 + 128,
                found.workspaceSize, &one, &zero),
            CUBLAS_STATUS_INVALID_VALUE);
  cublasLtMatmulHeuristicResult_t checked = {};
  EXPECT_EQ(lt_.cublasLtMatmulAlgoCheck(handle_, matmul_, a_, b_, d_, d_,
                                        &found.algo, &checked),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(checked.workspaceSize, found.workspaceSize);
  // Smaller, with the same leading dimensions, and an epilogue.
  Describe({.n = 1, .epilogue = CUBLASLT_EPILOGUE_RELU});
  EXPECT_EQ(lt_.cublasLtMatmulAlgoCheck(handle_, matmul_, a_, b_, d_, d_,
                                        &found.algo, &checked),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(checked.workspaceSize, found.workspaceSize / 2);
  Describe({.m = 3});
  EXPECT_EQ(lt_.cublasLtMatmulAlgoCheck(handle_, matmul_, a_, b_, d_, d_,
                                        &found.algo, &checked),
            CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(CublasLtEmulationTest, AProductBeyondItsMemoryIsAnIllegalAddress) {
  cublasLtMatmulHeuristicResult_t found = {};
  ASSERT_EQ(Search({.m = 64, .n = 64, .k = 64, .max_workspace = 0}, &found),
            CUBLAS_STATUS_SUCCESS);
  const float one = 1;
  const float zero = 0;
  const CUdeviceptr memory = device_.Put(Floats(64));
  EXPECT_EQ(Run(memory, memory, memory, found.algo, 0, 0, &one, &zero),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(Driver().cuStreamSynchronize(device_.stream()),
            CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(CublasLtEmulationTest, FaultsComeFromTheSettings) {
  ASSERT_TRUE(Hooks().set("fail=cublasLtMatmulAlgoGetHeuristic:1:3"));
  cublasLtMatmulHeuristicResult_t found = {};
  EXPECT_EQ(Search({}, &found), CUBLAS_STATUS_ALLOC_FAILED);
  EXPECT_EQ(Search({}, &found), CUBLAS_STATUS_SUCCESS);
}

TEST_F(CublasLtEmulationTest, ACapturedProductRunsWithEachLaunchOfTheGraph) {
  cublasLtMatmulHeuristicResult_t found = {};
  ASSERT_EQ(Search({.m = 1, .n = 1, .k = 1, .max_workspace = 0}, &found),
            CUBLAS_STATUS_SUCCESS);
  const float two = 2;
  const float zero = 0;
  const CUdeviceptr x = device_.Put(Floats{3});
  const CUdeviceptr y = device_.Put(Floats{5});
  const DriverFunctions& driver = Driver();
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  ASSERT_EQ(driver.cuStreamBeginCapture(device_.stream(),
                                        CU_STREAM_CAPTURE_MODE_RELAXED),
            CUDA_SUCCESS);
  EXPECT_EQ(Run(x, y, x, found.algo, 0, 0, &two, &zero), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(driver.cuStreamEndCapture(device_.stream(), &graph), CUDA_SUCCESS);
  ASSERT_EQ(driver.cuGraphInstantiate(&exec, graph, 0), CUDA_SUCCESS);
  EXPECT_EQ(device_.Get<float>(x, 1), (Floats{3}));
  EXPECT_EQ(driver.cuGraphLaunch(exec, device_.stream()), CUDA_SUCCESS);
  EXPECT_EQ(driver.cuGraphLaunch(exec, device_.stream()), CUDA_SUCCESS);
  EXPECT_EQ(device_.Get<float>(x, 1), (Floats{300}));
  driver.cuGraphExecDestroy(exec);
  driver.cuGraphDestroy(graph);
}

}  // namespace
}  // namespace lockstep::internal::cuda
