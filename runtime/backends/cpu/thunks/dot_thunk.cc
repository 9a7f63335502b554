#include "runtime/backends/cpu/thunks/dot_thunk.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cpu/thunks/converted_operand.h"
#include "runtime/backends/cpu/thunks/scratch_tensor.h"
#include "runtime/base/status.h"
#include "runtime/ops/geometry/dot_dimensions.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

// Products of fewer multiplications are done before oneDNN has started.
constexpr int64_t kMinOneDnnWork = 2048;
// Products of f16 with more are worth conversions to f32.
constexpr int64_t kMinConvertedWork = int64_t{1} << 16;

std::string DescribeSizes(const DotLayout& layout) {
  return absl::StrCat(layout.batch_count(), "x", layout.m_count(), "x",
                      layout.n_count(), "x", layout.k_count());
}

int64_t WorkOf(const DotLayout& layout) {
  return layout.batch_count() * layout.m_count() * layout.n_count() *
         layout.k_count();
}

struct Types {
  ElementType operands, result;
};

// The types in which to multiply: those that oneDNN has, else that of the
// result.
Types TypesOf(const KernelRequest& request, int64_t work) {
  const ElementType lhs = request.operands[0].shape.element_type();
  const ElementType rhs = request.operands[1].shape.element_type();
  const ElementType result = request.results[0].shape.element_type();
  if (lhs == rhs && lhs == ElementType::kBF16 && result == ElementType::kF32) {
    return {lhs, result};
  }
  if (result == ElementType::kF16 && lhs == result && rhs == result &&
      work >= kMinConvertedWork) {
    return {ElementType::kF32, ElementType::kF32};
  }
  return {result, result};
}

}  // namespace

std::unique_ptr<DotThunk> DotThunk::Create(const KernelRequest& request) {
  const auto dimensions = DotDimensionsOf(*request.op);
  if (!dimensions.ok() || request.operands.size() != 2) return nullptr;
  const Shape& lhs = request.operands[0].shape;
  const Shape& rhs = request.operands[1].shape;
  if (request.results[0].shape.element_count() == 0 ||
      lhs.element_count() == 0) {
    return nullptr;
  }
  const DotLayout layout = DotLayout::Create(lhs, rhs, *dimensions);
  auto [operands, result] = TypesOf(request, WorkOf(layout));
  std::unique_ptr<MatrixMultiply> multiply;
  std::string by = "onednn";
  if (operands != result) {
    // It has no products of bf16 for processors without AVX-512.
    multiply = MakeOneDnnMatrixMultiply(layout, operands, result);
    if (multiply == nullptr) operands = result;
  }
  if (multiply == nullptr && WorkOf(layout) >= kMinOneDnnWork) {
    multiply = MakeOneDnnMatrixMultiply(layout, operands, result);
  }
  if (multiply == nullptr) {
    multiply = MakeBlockedMatrixMultiply(layout, result);
    by = "blocks";
  }
  if (multiply == nullptr) return nullptr;
  return std::unique_ptr<DotThunk>(
      new DotThunk(request, operands, result, std::move(multiply),
                   absl::StrCat(DescribeSizes(layout), " by ", by)));
}

DotThunk::DotThunk(const KernelRequest& request, ElementType operand_type,
                   ElementType result_type,
                   std::unique_ptr<MatrixMultiply> multiply,
                   std::string details)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      lhs_(request.operands[0]),
      rhs_(request.operands[1]),
      result_(request.results[0]),
      operand_type_(operand_type),
      result_type_(result_type),
      converts_(lhs_.shape.element_type() != operand_type ||
                rhs_.shape.element_type() != operand_type ||
                result_.shape.element_type() != result_type),
      multiply_(std::move(multiply)),
      details_(std::move(details)) {}

std::vector<BufferUse> DotThunk::buffer_uses() const {
  return {BufferUse::Read(lhs_.slice), BufferUse::Read(rhs_.slice),
          BufferUse::Write(result_.slice)};
}

absl::Status DotThunk::ExecuteOnHost(HostContext& context) const {
  if (!converts_) {
    return multiply_->Run(context.buffers.Address(lhs_.slice),
                          context.buffers.Address(rhs_.slice),
                          context.buffers.Address(result_.slice),
                          context.intra_op_threads);
  }
  ASSIGN_OR_RETURN(
      const ConvertedOperand lhs,
      ConvertedOperand::Create(context.buffers.View(lhs_), operand_type_));
  ASSIGN_OR_RETURN(
      const ConvertedOperand rhs,
      ConvertedOperand::Create(context.buffers.View(rhs_), operand_type_));
  const MutableLiteralView result = context.buffers.MutableView(result_);
  if (result_type_ == result.shape().element_type()) {
    return multiply_->Run(lhs.bytes(), rhs.bytes(), result.bytes(),
                          context.intra_op_threads);
  }
  ASSIGN_OR_RETURN(
      const ScratchTensor product,
      ScratchTensor::Allocate(Shape(result_type_, result.shape().dims())));
  RETURN_IF_ERROR(multiply_->Run(lhs.bytes(), rhs.bytes(), product.bytes(),
                                 context.intra_op_threads));
  ConvertElements(product.view(), result);
  return absl::OkStatus();
}

}  // namespace lockstep::internal
