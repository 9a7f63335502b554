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

// Whether oneDNN multiplies operands of one type into a wider one.
bool HasWiderProduct(ElementType operands, ElementType result) {
  return (operands == ElementType::kBF16 && result == ElementType::kF32) ||
         (operands == ElementType::kS8 && result == ElementType::kS32);
}

std::unique_ptr<MatrixMultiply> MakeByOneDnn(const DotLayout& layout,
                                             ElementType operands,
                                             ElementType result) {
  auto multiply = MakePackedMatrixMultiply(layout, operands, result);
  if (multiply != nullptr) return multiply;
  return MakeOneDnnMatrixMultiply(layout, operands, result);
}

}  // namespace

DotThunk::Choice DotThunk::Choose(const KernelRequest& request,
                                  const DotLayout& layout) {
  const ElementType lhs = request.operands[0].shape.element_type();
  const ElementType rhs = request.operands[1].shape.element_type();
  ElementType type = request.results[0].shape.element_type();
  const int64_t work = WorkOf(layout);
  if (lhs == rhs && HasWiderProduct(lhs, type)) {
    // It has no products of bf16 for processors without AVX-512, and no exact
    // ones of s8 for those without VNNI.
    if (auto multiply = MakeByOneDnn(layout, lhs, type)) {
      return {{lhs, rhs, type}, std::move(multiply), "onednn"};
    }
  }
  if (type == ElementType::kS32) {
    if (auto multiply = MakePairsMatrixMultiply(layout, lhs, rhs)) {
      return {{lhs, rhs, type}, std::move(multiply), "pairs"};
    }
  }
  if (type == ElementType::kF16 && lhs == type && rhs == type &&
      work >= kMinConvertedWork) {
    type = ElementType::kF32;
  }
  if (work >= kMinOneDnnWork) {
    if (auto multiply = MakeByOneDnn(layout, type, type)) {
      return {{type, type, type}, std::move(multiply), "onednn"};
    }
  }
  return {
      {type, type, type}, MakeBlockedMatrixMultiply(layout, type), "blocks"};
}

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
  Choice choice = Choose(request, layout);
  if (choice.multiply == nullptr) return nullptr;
  std::string details = absl::StrCat(DescribeSizes(layout), " by ", choice.by);
  return std::unique_ptr<DotThunk>(
      new DotThunk(request, std::move(choice), std::move(details)));
}

DotThunk::DotThunk(const KernelRequest& request, Choice choice,
                   std::string details)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      lhs_(request.operands[0]),
      rhs_(request.operands[1]),
      result_(request.results[0]),
      types_(choice.types),
      converts_(lhs_.shape.element_type() != types_.lhs ||
                rhs_.shape.element_type() != types_.rhs ||
                result_.shape.element_type() != types_.result),
      multiply_(std::move(choice.multiply)),
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
      ConvertedOperand::Create(context.buffers.View(lhs_), types_.lhs));
  ASSIGN_OR_RETURN(
      const ConvertedOperand rhs,
      ConvertedOperand::Create(context.buffers.View(rhs_), types_.rhs));
  const MutableLiteralView result = context.buffers.MutableView(result_);
  if (types_.result == result.shape().element_type()) {
    return multiply_->Run(lhs.bytes(), rhs.bytes(), result.bytes(),
                          context.intra_op_threads);
  }
  ASSIGN_OR_RETURN(
      const ScratchTensor product,
      ScratchTensor::Allocate(Shape(types_.result, result.shape().dims())));
  RETURN_IF_ERROR(multiply_->Run(lhs.bytes(), rhs.bytes(), product.bytes(),
                                 context.intra_op_threads));
  ConvertElements(product.view(), result);
  return absl::OkStatus();
}

}  // namespace lockstep::internal
