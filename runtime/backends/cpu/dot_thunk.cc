#include "runtime/backends/cpu/dot_thunk.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/ops/dot_dimensions.h"

namespace lockstep {
namespace {

// Products below this many multiplications are done before oneDNN has started.
constexpr int64_t kMinOneDnnWork = 2048;
// What a thread should have to do.
constexpr int64_t kWorkPerThread = int64_t{1} << 21;

std::string DescribeSizes(const DotLayout& layout) {
  return absl::StrCat(layout.batch_count(), "x", layout.m_count(), "x",
                      layout.n_count(), "x", layout.k_count());
}

int64_t WorkOf(const DotLayout& layout) {
  return layout.batch_count() * layout.m_count() * layout.n_count() *
         layout.k_count();
}

}  // namespace

std::unique_ptr<DotThunk> DotThunk::Create(const KernelRequest& request) {
  const auto dimensions = DotDimensionsOf(*request.op);
  if (!dimensions.ok() || request.operands.size() != 2) return nullptr;
  const Shape& lhs = request.operands[0].shape;
  const Shape& rhs = request.operands[1].shape;
  const ElementType result = request.results[0].shape.element_type();
  if (lhs.element_type() != rhs.element_type() ||
      request.results[0].shape.element_count() == 0 ||
      lhs.element_count() == 0) {
    return nullptr;
  }
  const DotLayout layout = DotLayout::Create(lhs, rhs, *dimensions);
  std::unique_ptr<MatrixMultiply> multiply;
  std::string by = "onednn";
  if (WorkOf(layout) >= kMinOneDnnWork || lhs.element_type() != result) {
    multiply = MakeOneDnnMatrixMultiply(layout, lhs.element_type(), result);
  }
  if (multiply == nullptr && lhs.element_type() == result) {
    multiply = MakeBlockedMatrixMultiply(layout, result);
    by = "blocks";
  }
  if (multiply == nullptr) return nullptr;
  return std::unique_ptr<DotThunk>(
      new DotThunk(request, std::move(multiply),
                   absl::StrCat(DescribeSizes(layout), " by ", by)));
}

DotThunk::DotThunk(const KernelRequest& request,
                   std::unique_ptr<MatrixMultiply> multiply,
                   std::string details)
    : Thunk(request.op->name(), request.op->location().ToString()),
      lhs_(request.operands[0]),
      rhs_(request.operands[1]),
      result_(request.results[0]),
      multiply_(std::move(multiply)),
      details_(std::move(details)) {}

std::vector<BufferUse> DotThunk::buffer_uses() const {
  return {BufferUse::Read(lhs_.slice), BufferUse::Read(rhs_.slice),
          BufferUse::Write(result_.slice)};
}

absl::Status DotThunk::Execute(ExecuteContext& context) const {
  return multiply_->Run(
      context.buffers.Address(lhs_.slice), context.buffers.Address(rhs_.slice),
      context.buffers.Address(result_.slice), context.intra_op_threads);
}

}  // namespace lockstep
