#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "runtime/cuda/cublas_lt_api.h"
#include "tests/cuda_emulation/driver_link.h"
#include "tests/cuda_emulation/handle_table.h"
#include "tests/cuda_emulation/matrix_product.h"

namespace lockstep::internal::cuda {

#define LOCKSTEP_DECLARE(member, symbol, ...)                              \
  extern "C" __attribute__((visibility("default"))) cublasStatus_t member( \
      __VA_ARGS__) __asm__(symbol);
LOCKSTEP_CUBLAS_LT_FUNCTIONS(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE

namespace {

struct Library {
  int device;
};

constexpr uint32_t kAllReductionSchemes =
    CUBLASLT_REDUCTION_SCHEME_INPLACE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE |
    CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE;
// What the documentation asks of a workspace's address.
constexpr uint32_t kWorkspaceAlignment = 256;

struct Preference {
  uint64_t max_workspace_bytes = 0;
  uint32_t reduction_schemes = kAllReductionSchemes;
  // Of the addresses of A, B, C and D.
  uint32_t alignments[4] = {256, 256, 256, 256};
};

using Libraries = HandleTable<cublasLtHandle_t, Library>;
using Descriptions = HandleTable<cublasLtMatmulDesc_t, MatmulDescription>;
using Layouts = HandleTable<cublasLtMatrixLayout_t, MatrixLayout>;
using Preferences = HandleTable<cublasLtMatmulPreference_t, Preference>;

// What an algorithm's bytes say.
struct Algorithm {
  static constexpr uint64_t kMagic = 0x6c6f636b73746570;

  uint64_t magic = kMagic;
  uint64_t product = 0;  // FingerprintOf
  uint32_t splits = 1;
  uint32_t rounds_parts = 0;
  uint32_t alignments[4] = {1, 1, 1, 1};
};
static_assert(sizeof(Algorithm) <= sizeof(cublasLtMatmulAlgo_t));

cublasStatus_t Count(const char* function) {
  return static_cast<cublasStatus_t>(DriverLink::Get().Count(function));
}

// Whether the handle is of the thread's context; fills in the operands.
cublasStatus_t FindProduct(cublasLtHandle_t handle, cublasLtMatmulDesc_t matmul,
                           cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                           cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                           MatrixProduct* product) {
  const std::shared_ptr<Library> library = Libraries::Get().Find(handle);
  if (library == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (DriverLink::Get().device() != library->device) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const std::shared_ptr<MatmulDescription> description =
      Descriptions::Get().Find(matmul);
  if (description == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  product->description = *description;
  for (const auto& [layout, to] :
       {std::pair(a, &product->a), std::pair(b, &product->b),
        std::pair(c, &product->c), std::pair(d, &product->d)}) {
    const std::shared_ptr<MatrixLayout> found = Layouts::Get().Find(layout);
    if (found == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *to = *found;
  }
  return product->Check();
}

// Of what an algorithm is made for: not of addresses, sizes and epilogues.
uint64_t FingerprintOf(const MatrixProduct& product) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](int64_t value) {
    hash = (hash ^ static_cast<uint64_t>(value)) * 0x100000001b3;
  };
  const MatmulDescription& description = product.description;
  for (int value :
       {int{description.compute_type}, int{description.scale_type},
        int{description.transpose_a}, int{description.transpose_b}}) {
    add(value);
  }
  for (const MatrixLayout* layout :
       {&product.a, &product.b, &product.c, &product.d}) {
    for (int64_t value : {int64_t{layout->type}, layout->leading_dimension,
                          int64_t{layout->order}, int64_t{layout->batch_count},
                          layout->batch_count > 1 ? layout->batch_stride : 0}) {
      add(value);
    }
  }
  return hash;
}

Algorithm Read(const cublasLtMatmulAlgo_t& bytes) {
  Algorithm algorithm;
  std::memcpy(static_cast<void*>(&algorithm), &bytes, sizeof(algorithm));
  return algorithm;
}

// Of the sums of all parts, where there are several.
uint64_t WorkspaceOf(const MatrixProduct& product, uint32_t splits) {
  if (splits == 1) return 0;
  return splits *
         static_cast<uint64_t>(product.d.rows * product.d.columns *
                               product.d.batch_count) *
         ElementSize(product.description.scale_type);
}

template <class T>
cublasStatus_t Set(T& to, const void* value, size_t bytes) {
  if (value == nullptr || bytes != sizeof(T)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  std::memcpy(&to, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

// One product in a stream's order.
struct Work {
  MatrixProduct product;
  const void* a;
  const void* b;
  const void* c;
  void* d;
  void* workspace;
  Algorithm algorithm;
  // Of any scale type.
  alignas(16) std::byte alpha[16];
  alignas(16) std::byte beta[16];

  CUresult Run() const;
};

// Where bytes of the device are, or null unless all are there.
void* Content(const void* address, size_t bytes) {
  return DriverLink::Get().content(reinterpret_cast<CUdeviceptr>(address),
                                   bytes);
}

CUresult Work::Run() const {
  const MatmulDescription& description = product.description;
  bool is_complete = true;
  const auto find = [&is_complete](const void* address, size_t bytes) {
    void* const content = Content(address, bytes);
    is_complete = is_complete && content != nullptr;
    return content;
  };
  const auto find_scale = [&find](const void* address) {
    return address == nullptr
               ? nullptr
               : static_cast<const float*>(find(address, sizeof(float)));
  };
  constexpr std::byte kZero[16] = {};
  ProductMemory memory = {};
  memory.a = find(a, product.a.Bytes());
  memory.b = find(b, product.b.Bytes());
  memory.d = find(d, product.d.Bytes());
  if (std::memcmp(beta, kZero, ElementSize(description.scale_type)) != 0) {
    memory.c = find(c, product.c.Bytes());
  }
  if (description.has_bias()) {
    const int64_t elements =
        (product.d.batch_count - 1) * description.bias_batch_stride +
        product.d.rows;
    memory.bias = find(description.bias, static_cast<size_t>(elements) *
                                             ElementSize(product.d.type));
  }
  memory.a_scale = find_scale(description.a_scale);
  memory.b_scale = find_scale(description.b_scale);
  if (const uint64_t bytes = WorkspaceOf(product, algorithm.splits)) {
    // Whatever else lies there is lost.
    void* const content = find(workspace, bytes);
    if (content != nullptr) std::memset(content, 0xff, bytes);
  }
  if (!is_complete) return CUDA_ERROR_ILLEGAL_ADDRESS;
  if (int error = Count("matmul")) return static_cast<CUresult>(error);
  Multiply(product, memory, alpha, beta,
           {.count = static_cast<int>(algorithm.splits),
            .are_rounded = algorithm.rounds_parts != 0});
  return CUDA_SUCCESS;
}

bool IsAligned(const void* address, uint32_t alignment) {
  return reinterpret_cast<uintptr_t>(address) % alignment == 0;
}

}  // namespace

cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION ? 13 : type == MINOR_VERSION ? 1 : 0;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (cublasStatus_t error = Count("cublasLtCreate")) return error;
  const DriverLink& driver = DriverLink::Get();
  const int device = driver.device == nullptr ? -1 : driver.device();
  if (device < 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = Libraries::Get().Add(std::make_shared<Library>(Library{device}));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  if (cublasStatus_t error = Count("cublasLtDestroy")) return error;
  return Libraries::Get().Remove(handle) == nullptr
             ? CUBLAS_STATUS_NOT_INITIALIZED
             : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* matmul,
                                        cublasComputeType_t compute_type,
                                        cudaDataType_t scale_type) {
  if (cublasStatus_t error = Count("cublasLtMatmulDescCreate")) return error;
  *matmul = Descriptions::Get().Add(
      std::make_shared<MatmulDescription>(MatmulDescription{
          .compute_type = compute_type, .scale_type = scale_type}));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t matmul) {
  return Descriptions::Get().Remove(matmul) == nullptr
             ? CUBLAS_STATUS_INVALID_VALUE
             : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(
    cublasLtMatmulDesc_t matmul, cublasLtMatmulDescAttributes_t attribute,
    const void* value, size_t bytes) {
  if (cublasStatus_t error = Count("cublasLtMatmulDescSetAttribute")) {
    return error;
  }
  const std::shared_ptr<MatmulDescription> found =
      Descriptions::Get().Find(matmul);
  if (found == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return Set(found->transpose_a, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return Set(found->transpose_b, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return Set(found->epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return Set(found->bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
      return Set(found->bias_batch_stride, value, bytes);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
      return Set(found->a_scale, value, bytes);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
      return Set(found->b_scale, value, bytes);
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout,
                                          cudaDataType_t type, uint64_t rows,
                                          uint64_t columns,
                                          int64_t leading_dimension) {
  if (cublasStatus_t error = Count("cublasLtMatrixLayoutCreate")) return error;
  *layout = Layouts::Get().Add(std::make_shared<MatrixLayout>(
      MatrixLayout{.type = type,
                   .rows = static_cast<int64_t>(rows),
                   .columns = static_cast<int64_t>(columns),
                   .leading_dimension = leading_dimension}));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return Layouts::Get().Remove(layout) == nullptr ? CUBLAS_STATUS_INVALID_VALUE
                                                  : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(
    cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute,
    const void* value, size_t bytes) {
  if (cublasStatus_t error = Count("cublasLtMatrixLayoutSetAttribute")) {
    return error;
  }
  const std::shared_ptr<MatrixLayout> found = Layouts::Get().Find(layout);
  if (found == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
      return Set(found->order, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return Set(found->batch_count, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return Set(found->batch_stride, value, bytes);
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(
    cublasLtMatmulPreference_t* preference) {
  if (cublasStatus_t error = Count("cublasLtMatmulPreferenceCreate")) {
    return error;
  }
  *preference = Preferences::Get().Add(std::make_shared<Preference>());
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(
    cublasLtMatmulPreference_t preference) {
  return Preferences::Get().Remove(preference) == nullptr
             ? CUBLAS_STATUS_INVALID_VALUE
             : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(
    cublasLtMatmulPreference_t preference,
    cublasLtMatmulPreferenceAttributes_t attribute, const void* value,
    size_t bytes) {
  if (cublasStatus_t error = Count("cublasLtMatmulPreferenceSetAttribute")) {
    return error;
  }
  const std::shared_ptr<Preference> found = Preferences::Get().Find(preference);
  if (found == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) {
    return Set(found->max_workspace_bytes, value, bytes);
  }
  if (attribute == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK) {
    return Set(found->reduction_schemes, value, bytes);
  }
  const int operand = attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
  if (operand < 0 || operand > 3) return CUBLAS_STATUS_INVALID_VALUE;
  return Set(found->alignments[operand], value, bytes);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t matmul,
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int count,
    cublasLtMatmulHeuristicResult_t results[], int* found) {
  if (cublasStatus_t error = Count("cublasLtMatmulAlgoGetHeuristic")) {
    return error;
  }
  const std::shared_ptr<Preference> preferred =
      Preferences::Get().Find(preference);
  if (preferred == nullptr || count < 1 || results == nullptr) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *found = 0;
  MatrixProduct product;
  if (cublasStatus_t error =
          FindProduct(handle, matmul, a, b, c, d, &product)) {
    return error;
  }
  Algorithm algorithm;
  algorithm.product = FingerprintOf(product);
  std::copy_n(preferred->alignments, 4, algorithm.alignments);
  // Two halves of the sums, where there is memory for them.
  const uint32_t schemes = preferred->reduction_schemes & kAllReductionSchemes;
  if (product.depth() > 1 && schemes != 0 &&
      WorkspaceOf(product, 2) <= preferred->max_workspace_bytes) {
    algorithm.splits = 2;
    algorithm.rounds_parts = schemes != CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  }
  results[0] = {};
  std::memcpy(&results[0].algo, &algorithm, sizeof(algorithm));
  results[0].workspaceSize = WorkspaceOf(product, algorithm.splits);
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t matmul,
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    const cublasLtMatmulAlgo_t* algo, cublasLtMatmulHeuristicResult_t* result) {
  if (cublasStatus_t error = Count("cublasLtMatmulAlgoCheck")) return error;
  if (algo == nullptr || result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  MatrixProduct product;
  if (cublasStatus_t error =
          FindProduct(handle, matmul, a, b, c, d, &product)) {
    return error;
  }
  const Algorithm algorithm = Read(*algo);
  if (algorithm.magic != Algorithm::kMagic ||
      algorithm.product != FingerprintOf(product)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  result->workspaceSize = WorkspaceOf(product, algorithm.splits);
  result->state = CUBLAS_STATUS_SUCCESS;
  result->wavesCount = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle,
                              cublasLtMatmulDesc_t matmul, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout,
                              const void* b, cublasLtMatrixLayout_t b_layout,
                              const void* beta, const void* c,
                              cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t* algo, void* workspace,
                              size_t workspace_bytes, CUstream stream) {
  if (cublasStatus_t error = Count("cublasLtMatmul")) return error;
  // Without an algorithm the library looks for one; that is not emulated.
  if (alpha == nullptr || beta == nullptr || algo == nullptr) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  auto work = std::make_unique<Work>();
  if (cublasStatus_t error = FindProduct(handle, matmul, a_layout, b_layout,
                                         c_layout, d_layout, &work->product)) {
    return error;
  }
  const Algorithm algorithm = Read(*algo);
  const void* const operands[4] = {a, b, c, d};
  for (int i = 0; i < 4; ++i) {
    if (!IsAligned(operands[i], algorithm.alignments[i])) {
      return CUBLAS_STATUS_INVALID_VALUE;
    }
  }
  if (algorithm.magic != Algorithm::kMagic ||
      algorithm.product != FingerprintOf(work->product) ||
      WorkspaceOf(work->product, algorithm.splits) > workspace_bytes ||
      !IsAligned(workspace, kWorkspaceAlignment)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  work->a = a;
  work->b = b;
  work->c = c;
  work->d = d;
  work->workspace = workspace;
  work->algorithm = algorithm;
  const size_t scalar = ElementSize(work->product.description.scale_type);
  std::memcpy(work->alpha, alpha, scalar);
  std::memcpy(work->beta, beta, scalar);
  const CUresult result = DriverLink::Get().enqueue(
      stream, [](void* data) { return static_cast<Work*>(data)->Run(); },
      [](void* data) { delete static_cast<Work*>(data); }, work.release());
  return result == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS
                                : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace lockstep::internal::cuda
