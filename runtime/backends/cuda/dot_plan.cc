#include "runtime/backends/cuda/dot_plan.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "runtime/executable/buffer_use.h"
#include "runtime/kernels/dot_layout.h"
#include "runtime/ops/geometry/dot_dimensions.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kMinWork = 2048;  // multiplications of a call
constexpr size_t kMaxCalls = 64;
// What the library's kernels count with.
constexpr int64_t kMaxExtent = std::numeric_limits<int32_t>::max();

struct Types {
  ElementType operand;
  ElementType result;
  cuda::cudaDataType_t operand_type;
  cuda::cudaDataType_t result_type;
  cuda::cudaDataType_t scale_type;
  cuda::cublasComputeType_t compute_type;
};

// f16 and bf16 have sums in f32 that are rounded once, as the specification of
// dot_general here says.
constexpr Types kTypes[] = {
    {ElementType::kF32, ElementType::kF32, cuda::CUDA_R_32F, cuda::CUDA_R_32F,
     cuda::CUDA_R_32F, cuda::CUBLAS_COMPUTE_32F},
    {ElementType::kF64, ElementType::kF64, cuda::CUDA_R_64F, cuda::CUDA_R_64F,
     cuda::CUDA_R_64F, cuda::CUBLAS_COMPUTE_64F},
    {ElementType::kF16, ElementType::kF16, cuda::CUDA_R_16F, cuda::CUDA_R_16F,
     cuda::CUDA_R_32F, cuda::CUBLAS_COMPUTE_32F},
    {ElementType::kF16, ElementType::kF32, cuda::CUDA_R_16F, cuda::CUDA_R_32F,
     cuda::CUDA_R_32F, cuda::CUBLAS_COMPUTE_32F},
    {ElementType::kBF16, ElementType::kBF16, cuda::CUDA_R_16BF,
     cuda::CUDA_R_16BF, cuda::CUDA_R_32F, cuda::CUBLAS_COMPUTE_32F},
    {ElementType::kBF16, ElementType::kF32, cuda::CUDA_R_16BF, cuda::CUDA_R_32F,
     cuda::CUDA_R_32F, cuda::CUBLAS_COMPUTE_32F},
    {ElementType::kC64, ElementType::kC64, cuda::CUDA_C_32F, cuda::CUDA_C_32F,
     cuda::CUDA_C_32F, cuda::CUBLAS_COMPUTE_32F},
    {ElementType::kC128, ElementType::kC128, cuda::CUDA_C_64F, cuda::CUDA_C_64F,
     cuda::CUDA_C_64F, cuda::CUBLAS_COMPUTE_64F},
    {ElementType::kS8, ElementType::kS32, cuda::CUDA_R_8I, cuda::CUDA_R_32I,
     cuda::CUDA_R_32I, cuda::CUBLAS_COMPUTE_32I},
};

const Types* FindTypes(const Op& op) {
  const ElementType lhs = op.operand(0)->shape().element_type();
  const ElementType rhs = op.operand(1)->shape().element_type();
  const ElementType result = op.result(0)->shape().element_type();
  for (const Types& types : kTypes) {
    if (types.operand == lhs && lhs == rhs && types.result == result) {
      return &types;
    }
  }
  return nullptr;
}

// Whether the op's algorithm says that both operands are rounded to TF32, once.
// Precision DEFAULT does not say so: all backends compute alike.
bool AllowsTf32(const Op& op) {
  const Attribute* attribute = op.attribute("algorithm");
  const auto* algorithm =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Struct>();
  if (algorithm == nullptr) return false;
  for (const char* name : {"lhs_precision_type", "rhs_precision_type"}) {
    const Attribute* field = algorithm->fields.Find(name);
    const auto* type =
        field == nullptr ? nullptr : field->As<Attribute::TypeValue>();
    if (type == nullptr || type->text != "tf32") return false;
  }
  for (const char* name : {"lhs_component_count", "rhs_component_count",
                           "num_primitive_operations"}) {
    const Attribute* field = algorithm->fields.Find(name);
    if (field == nullptr || IntegerOf(*field).value_or(0) != 1) return false;
  }
  return true;
}

using Dim = DotLayout::Dim;

// A dim of one operand, or what stands for none.
struct Extent {
  int64_t size = 1;
  int64_t stride = 1;
};

// The matrix with these rows and columns, if it is one. The stride of a single
// row or column does not matter.
std::optional<DotPlan::Matrix> MatrixOf(const Extent& rows,
                                        const Extent& columns) {
  DotPlan::Matrix matrix;
  matrix.rows = rows.size;
  matrix.columns = columns.size;
  matrix.leading_dimension = columns.size == 1 ? rows.size : columns.stride;
  if ((rows.size > 1 && rows.stride != 1) ||
      matrix.leading_dimension < rows.size ||
      matrix.leading_dimension > kMaxExtent || columns.size > kMaxExtent) {
    return std::nullopt;
  }
  return matrix;
}

// The operand with the sum's dim down the columns, or else along the rows.
std::optional<DotPlan::Matrix> OperandMatrix(const Extent& sum,
                                             const Extent& other,
                                             bool transposed_if_sum_is_rows) {
  std::optional<DotPlan::Matrix> matrix;
  // A sum of one product may be either; the dim that is there decides.
  if (sum.size > 1 || other.size == 1) matrix = MatrixOf(sum, other);
  if (!matrix.has_value()) {
    matrix = MatrixOf(other, sum);
    if (matrix.has_value()) {
      matrix->is_transposed = !transposed_if_sum_is_rows;
      return matrix;
    }
    matrix = MatrixOf(sum, other);
  }
  if (matrix.has_value()) matrix->is_transposed = transposed_if_sum_is_rows;
  return matrix;
}

uint32_t AlignmentOf(int64_t bytes) {
  return static_cast<uint32_t>(
      bytes == 0 ? kBufferAlignment
                 : std::min(kBufferAlignment, bytes & -bytes));
}

// Which dim of each role is the matrices' or the batch's; the others have a
// call for each index. -1: the role has none.
struct Choice {
  int batch = -1;
  int m = -1;
  int n = -1;
};

class DotPlanner {
 public:
  DotPlanner(const Op& op, const Types& types, const DotLayout& layout)
      : op_(op), types_(types), layout_(layout) {}

  // The one with the fewest calls.
  std::optional<DotPlan> Run() const {
    std::optional<DotPlan> best;
    Choice choice;
    for (choice.m = First(layout_.m); choice.m < Size(layout_.m); ++choice.m) {
      for (choice.batch = First(layout_.batch);
           choice.batch < Size(layout_.batch); ++choice.batch) {
        // The result's rows are contiguous.
        choice.n = Size(layout_.n) - 1;
        std::optional<DotPlan> plan = PlanFor(choice);
        if (plan.has_value() &&
            (!best.has_value() || plan->calls.size() < best->calls.size())) {
          best = std::move(plan);
        }
      }
    }
    return best;
  }

 private:
  using DotDims = absl::InlinedVector<Dim, 4>;

  static int Size(const DotDims& dims) { return static_cast<int>(dims.size()); }
  static int First(const DotDims& dims) { return dims.empty() ? -1 : 0; }
  static Dim At(const DotDims& dims, int i) {
    return i < 0 ? Dim{1, 1, 1, 1} : dims[static_cast<size_t>(i)];
  }

  std::optional<DotPlan> PlanFor(const Choice& choice) const {
    const Dim batch = At(layout_.batch, choice.batch);
    const Dim m = At(layout_.m, choice.m);
    const Dim n = At(layout_.n, choice.n);
    const Dim k = At(layout_.k, Size(layout_.k) - 1);
    const int64_t calls = layout_.batch_count() * layout_.m_count() *
                          layout_.n_count() / (batch.size * m.size * n.size);
    if (calls > static_cast<int64_t>(kMaxCalls) || batch.size > kMaxExtent ||
        layout_.batch_count() * layout_.m_count() * layout_.n_count() <
            (kMinWork + k.size - 1) / k.size * calls) {
      return std::nullopt;
    }
    const auto lhs =
        OperandMatrix({k.size, k.lhs_stride}, {m.size, m.lhs_stride}, false);
    const auto rhs =
        OperandMatrix({k.size, k.rhs_stride}, {n.size, n.rhs_stride}, true);
    const auto result =
        MatrixOf({n.size, n.result_stride}, {m.size, m.result_stride});
    if (!lhs.has_value() || !rhs.has_value() || !result.has_value()) {
      return std::nullopt;
    }
    DotPlan plan;
    plan.operand_type = types_.operand_type;
    plan.result_type = types_.result_type;
    plan.scale_type = types_.scale_type;
    plan.compute_type = types_.operand == ElementType::kF32 && AllowsTf32(op_)
                            ? cuda::CUBLAS_COMPUTE_32F_FAST_TF32
                            : types_.compute_type;
    plan.lhs = *lhs;
    plan.rhs = *rhs;
    plan.result = *result;
    plan.batch_count = batch.size;
    if (batch.size > 1) {
      plan.lhs.batch_stride = batch.lhs_stride;
      plan.rhs.batch_stride = batch.rhs_stride;
      plan.result.batch_stride = batch.result_stride;
    }
    if (types_.operand == ElementType::kS8 && !HasGroupsOfFour(plan)) {
      return std::nullopt;
    }
    AddCalls(choice, plan);
    plan.workspace_bytes = WorkspaceBytes(plan);
    plan.sizes = absl::StrCat(layout_.batch_count(), "x", layout_.m_count(),
                              "x", layout_.n_count(), "x", layout_.k_count());
    return plan;
  }

  // What the library asks of products of s8.
  static bool HasGroupsOfFour(const DotPlan& plan) {
    bool is_grouped = plan.rhs.is_transposed && !plan.lhs.is_transposed &&
                      plan.result.rows % 4 == 0 && plan.lhs.rows % 4 == 0;
    for (const DotPlan::Matrix* matrix : {&plan.lhs, &plan.rhs, &plan.result}) {
      is_grouped = is_grouped && matrix->leading_dimension % 4 == 0 &&
                   matrix->batch_stride % 4 == 0;
    }
    return is_grouped;
  }

  void AddCalls(const Choice& choice, DotPlan& plan) const {
    std::vector<DotPlan::Call> calls = {{}};
    const auto add = [&calls](const DotDims& dims, int but) {
      for (int i = 0; i < Size(dims); ++i) {
        if (i == but) continue;
        const Dim dim = At(dims, i);
        std::vector<DotPlan::Call> finer;
        for (const DotPlan::Call& call : calls) {
          for (int64_t j = 0; j < dim.size; ++j) {
            finer.push_back({call.lhs + j * dim.lhs_stride,
                             call.rhs + j * dim.rhs_stride,
                             call.result + j * dim.result_stride});
          }
        }
        calls = std::move(finer);
      }
    };
    add(layout_.batch, choice.batch);
    add(layout_.m, choice.m);
    add(layout_.n, choice.n);
    const int64_t operand_size = ByteSize(types_.operand);
    const int64_t result_size = ByteSize(types_.result);
    plan.lhs.alignment = plan.rhs.alignment = plan.result.alignment =
        AlignmentOf(0);
    for (DotPlan::Call& call : calls) {
      call.lhs *= operand_size;
      call.rhs *= operand_size;
      call.result *= result_size;
      for (const auto& [matrix, offset] :
           {std::pair(&plan.lhs, call.lhs), std::pair(&plan.rhs, call.rhs),
            std::pair(&plan.result, call.result)}) {
        matrix->alignment = std::min(matrix->alignment, AlignmentOf(offset));
      }
    }
    plan.calls = std::move(calls);
  }

  // For the sums of 16 parts of the depth, and what is usual at least. No more
  // than what the library's own documentation recommends for large devices.
  int64_t WorkspaceBytes(const DotPlan& plan) const {
    constexpr int64_t kMin = int64_t{1} << 20;
    constexpr int64_t kMax = int64_t{32} << 20;
    const int64_t sum_size =
        std::max<int64_t>(ByteSize(types_.result), sizeof(float));
    const int64_t results = plan.result.rows * plan.result.columns;
    if (results > kMax / (16 * sum_size) / plan.batch_count) return kMax;
    return std::max(kMin, 16 * sum_size * results * plan.batch_count);
  }

  const Op& op_;
  const Types& types_;
  const DotLayout& layout_;
};

}  // namespace

std::string DotPlan::Key() const {
  std::string key =
      absl::StrCat(int{operand_type}, " ", int{result_type}, " ",
                   int{scale_type}, " ", int{compute_type}, " ", batch_count,
                   " ", workspace_bytes, " ", int{epilogue});
  for (const Matrix* matrix : {&lhs, &rhs, &result}) {
    absl::StrAppend(&key, "; ", matrix->rows, " ", matrix->columns, " ",
                    matrix->leading_dimension, " ", matrix->batch_stride, " ",
                    matrix->is_transposed, " ", matrix->alignment);
  }
  for (const Call& call : calls) {
    absl::StrAppend(&key, "; ", call.lhs, " ", call.rhs, " ", call.result);
  }
  return key;
}

std::optional<DotPlan> PlanDot(const Op& op) {
  const Types* const types = FindTypes(op);
  const auto dimensions = DotDimensionsOf(op);
  const Shape& lhs = op.operand(0)->shape();
  const Shape& rhs = op.operand(1)->shape();
  if (types == nullptr || !dimensions.ok() || lhs.element_count() == 0 ||
      rhs.element_count() == 0) {
    return std::nullopt;
  }
  const DotLayout layout = DotLayout::Create(lhs, rhs, *dimensions);
  if (layout.k.size() > 1) return std::nullopt;
  return DotPlanner(op, *types, layout).Run();
}

bool IsSlowAsItLies(const Op& op) {
  constexpr size_t kCalls = 4;
  constexpr int64_t kWork = int64_t{1} << 20;
  const auto dimensions = DotDimensionsOf(op);
  if (!dimensions.ok() || dimensions->lhs_batching.empty() ||
      FindTypes(op) == nullptr) {
    return false;
  }
  if (const auto plan = PlanDot(op)) return plan->calls.size() >= kCalls;
  int64_t work = op.result()->shape().element_count();
  for (const int64_t dim : dimensions->lhs_contracting) {
    work *= op.operand(0)->shape().dim(dim);
  }
  return work >= kWork;
}

}  // namespace lockstep::internal
