#include "runtime/backends/cpu/codegen/dot_kernel.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/kernels/dot_layout.h"
#include "runtime/kernels/scalar_support.h"
#include "runtime/ops/geometry/dot_dimensions.h"

namespace lockstep::internal {
namespace {

using Dims = absl::InlinedVector<DotLayout::Dim, 4>;

constexpr int kLhs = 0;
constexpr int kRhs = 1;
constexpr int kResult = 2;
// Rows that are computed together, so that what they share is loaded once.
constexpr int64_t kRows = 4;
// Bytes of a row that are computed together.
constexpr int64_t kRowBytes = 128;
constexpr int64_t kSingleRowBytes = 256;
// Of two vectors whose product is summed.
constexpr int64_t kSumBytes = 64;
constexpr int64_t kSingleSumBytes = 256;

// Where the elements are that a loop is at, in elements.
struct Place {
  llvm::Value* lhs;
  llvm::Value* rhs;
  llvm::Value* result;
};

class DotBuilder {
 public:
  DotBuilder(const KernelGraph& graph, const DotLayout& layout,
             const KernelSite& site)
      : graph_(graph),
        layout_(layout),
        type_(graph.outputs[0]->shape().element_type()),
        function_(site, graph),
        b_(function_.builder()) {}

  void Build() {
    if (!IsVectorType()) {
      EmitScalars();
    } else if (IsRowOf(layout_.n, &DotLayout::Dim::rhs_stride)) {
      EmitRows(layout_.m, layout_.n, kLhs, kRhs);
    } else if (IsRowOf(layout_.m, &DotLayout::Dim::lhs_stride)) {
      EmitRows(layout_.n, layout_.m, kRhs, kLhs);
    } else if (IsSumOfNeighbours()) {
      EmitSums();
    } else {
      EmitScalars();
    }
    function_.Finish();
  }

 private:
  bool IsVectorType() const {
    return (type_ == ElementType::kF32 || type_ == ElementType::kF64) &&
           TypeOf(kLhs) == type_ && TypeOf(kRhs) == type_;
  }
  ElementType TypeOf(int buffer) const {
    return graph_.inputs[buffer]->shape().element_type();
  }
  // Whether the last of the dims are neighbours, in the operand and the result.
  static bool IsRowOf(const Dims& dims, int64_t DotLayout::Dim::* stride) {
    return !dims.empty() && dims.back().size > 1 && dims.back().*stride == 1 &&
           dims.back().result_stride == 1;
  }
  bool IsSumOfNeighbours() const {
    return !layout_.k.empty() && layout_.k.back().size >= 4 &&
           layout_.k.back().lhs_stride == 1 && layout_.k.back().rhs_stride == 1;
  }

  Place Start() {
    return {function_.Int(0), function_.Int(0), function_.Int(0)};
  }
  Place Step(const Place& from, llvm::Value* i, const DotLayout::Dim& dim) {
    const auto step = [&](llvm::Value* value, int64_t stride) {
      return b_.CreateNSWAdd(value, b_.CreateNSWMul(i, function_.Int(stride)));
    };
    return {step(from.lhs, dim.lhs_stride), step(from.rhs, dim.rhs_stride),
            step(from.result, dim.result_stride)};
  }

  // body(place) for all indices of the dims.
  void Loops(absl::Span<const DotLayout::Dim> dims, const Place& from,
             const std::function<void(const Place&)>& body) {
    if (dims.empty()) return body(from);
    function_.Loop(function_.Int(0), function_.Int(dims[0].size), 1, false,
                   [&](llvm::Value* i) {
                     Loops(dims.subspan(1), Step(from, i, dims[0]), body);
                   });
  }

  // body(place, count) for `count` neighbours at a time, all indices of a dim
  // in the end. `count` is `most` first, then halves of it.
  void Pieces(const DotLayout::Dim& dim, int64_t most, const Place& from,
              const std::function<void(const Place&, int64_t)>& body) {
    int64_t done = 0;
    for (int64_t count = most; count >= 1; count /= 2) {
      const int64_t pieces = (dim.size - done) / count;
      if (pieces == 0) continue;
      const int64_t end = done + pieces * count;
      const auto piece = [&](llvm::Value* i) {
        body(Step(from, i, dim), count);
      };
      if (pieces == 1) {
        piece(function_.Int(done));
      } else {
        function_.Loop(function_.Int(done), function_.Int(end), count, false,
                       piece);
      }
      done = end;
    }
  }

  llvm::Value* OffsetOf(const Place& place, int buffer) const {
    return buffer == kLhs ? place.lhs : place.rhs;
  }
  llvm::Value* Lanes(int buffer, const Place& place, int64_t lanes) {
    return function_.LoadLanes(buffer, type_, OffsetOf(place, buffer), lanes);
  }
  llvm::Value* Splat(int buffer, const Place& place, int64_t lanes) {
    return b_.CreateVectorSplat(
        static_cast<unsigned>(lanes),
        function_.scalars()
            .Get(function_.Load(buffer, type_, OffsetOf(place, buffer)))
            .value);
  }
  // sums[i] += x[i] * y[i], with one rounding where the processor can.
  void AddProduct(llvm::AllocaInst* sum, llvm::Value* x, llvm::Value* y) {
    llvm::FastMathFlags flags;
    flags.setAllowContract();
    flags.setAllowReassoc();
    const llvm::IRBuilder<>::FastMathFlagGuard guard(b_);
    b_.setFastMathFlags(flags);
    llvm::Value* old = function_.LoadScratch(sum, nullptr);
    function_.StoreScratch(sum, nullptr,
                           b_.CreateFAdd(old, b_.CreateFMul(x, y)));
  }
  std::vector<llvm::AllocaInst*> ZeroSums(int64_t count, int64_t lanes) {
    llvm::Type* type = llvm::FixedVectorType::get(
        function_.scalars().MemoryType(type_), static_cast<unsigned>(lanes));
    std::vector<llvm::AllocaInst*> sums;
    for (int64_t i = 0; i < count; ++i) {
      sums.push_back(function_.Scratch(type, 1));
      function_.StoreScratch(sums.back(), nullptr,
                             llvm::Constant::getNullValue(type));
    }
    return sums;
  }

  // Result rows of neighbours: each is a sum of rows of `row_operand`, times
  // single elements of `operand`. `columns` are the dims of such a row, `rows`
  // those of the other operand.
  void EmitRows(const Dims& rows, const Dims& columns, int operand,
                int row_operand) {
    DotLayout::Dim last_row;
    Dims outer = layout_.batch;
    outer.insert(outer.end(), columns.begin(), columns.end() - 1);
    if (!rows.empty()) {
      outer.insert(outer.end(), rows.begin(), rows.end() - 1);
      last_row = rows.back();
    }
    const int64_t row_bytes =
        last_row.size < kRows ? kSingleRowBytes : kRowBytes;
    Loops(outer, Start(), [&](const Place& at) {
      Pieces(columns.back(), row_bytes / ByteSize(type_), at,
             [&](const Place& column, int64_t lanes) {
               Pieces(last_row, kRows, column,
                      [&](const Place& first, int64_t count) {
                        EmitBlock(first, last_row, count, lanes, operand,
                                  row_operand);
                      });
             });
    });
  }
  void EmitBlock(const Place& first, const DotLayout::Dim& row, int64_t rows,
                 int64_t lanes, int operand, int row_operand) {
    const std::vector<llvm::AllocaInst*> sums = ZeroSums(rows, lanes);
    Loops(layout_.k, first, [&](const Place& at) {
      llvm::Value* shared = Lanes(row_operand, at, lanes);
      for (int64_t i = 0; i < rows; ++i) {
        AddProduct(sums[i],
                   Splat(operand, Step(at, function_.Int(i), row), lanes),
                   shared);
      }
    });
    for (int64_t i = 0; i < rows; ++i) {
      function_.StoreLanes(kResult, type_,
                           Step(first, function_.Int(i), row).result,
                           function_.LoadScratch(sums[i], nullptr));
    }
  }

  // Each element of the result is the sum of a product of neighbours.
  void EmitSums() {
    Dims outer = layout_.batch;
    outer.insert(outer.end(), layout_.n.begin(), layout_.n.end());
    DotLayout::Dim row;
    if (!layout_.m.empty()) {
      outer.insert(outer.end(), layout_.m.begin(), layout_.m.end() - 1);
      row = layout_.m.back();
    }
    Loops(outer, Start(), [&](const Place& at) {
      Pieces(row, kRows, at, [&](const Place& first, int64_t rows) {
        EmitSum(first, row, rows);
      });
    });
  }
  void EmitSum(const Place& first, const DotLayout::Dim& row, int64_t rows) {
    const Dims& k = layout_.k;
    const int64_t bytes = rows < kRows ? kSingleSumBytes : kSumBytes;
    std::vector<std::vector<llvm::AllocaInst*>> sums;
    int64_t rest = k.back().size;
    for (int64_t lanes = bytes / ByteSize(type_); lanes >= 1; lanes /= 2) {
      if (rest / lanes > 0) sums.push_back(ZeroSums(rows, lanes));
      rest %= lanes;
    }
    Loops(absl::MakeConstSpan(k).first(k.size() - 1), first,
          [&](const Place& at) {
            size_t next = 0;
            Pieces(k.back(), bytes / ByteSize(type_), at,
                   [&](const Place& place, int64_t lanes) {
                     EmitSumPiece(place, row, lanes, sums[next++]);
                   });
          });
    for (int64_t i = 0; i < rows; ++i) {
      llvm::Value* sum = Total(sums, i);
      function_.Store(kResult, type_, Step(first, function_.Int(i), row).result,
                      function_.scalars().Add({type_, sum}));
    }
  }
  void EmitSumPiece(const Place& at, const DotLayout::Dim& row, int64_t lanes,
                    const std::vector<llvm::AllocaInst*>& sums) {
    llvm::Value* shared = Lanes(kRhs, at, lanes);
    for (size_t i = 0; i < sums.size(); ++i) {
      const Place place = Step(at, function_.Int(static_cast<int64_t>(i)), row);
      AddProduct(sums[i], Lanes(kLhs, place, lanes), shared);
    }
  }
  llvm::Value* Total(const std::vector<std::vector<llvm::AllocaInst*>>& sums,
                     int64_t row) {
    llvm::FastMathFlags flags;
    flags.setAllowReassoc();
    const llvm::IRBuilder<>::FastMathFlagGuard guard(b_);
    b_.setFastMathFlags(flags);
    llvm::Value* total =
        llvm::ConstantFP::get(function_.scalars().MemoryType(type_), 0);
    for (const auto& pieces : sums) {
      total = b_.CreateFAddReduce(total,
                                  function_.LoadScratch(pieces[row], nullptr));
    }
    return total;
  }

  // Any layout, any types. A row of the result at a time, whose sums stand side
  // by side.
  void EmitScalars() {
    Dims outer = layout_.batch;
    outer.insert(outer.end(), layout_.m.begin(), layout_.m.end());
    DotLayout::Dim row;
    if (!layout_.n.empty()) {
      outer.insert(outer.end(), layout_.n.begin(), layout_.n.end() - 1);
      row = layout_.n.back();
    }
    const auto along_row = [&](const Place& from, const auto& body) {
      function_.Loop(function_.Int(0), function_.Int(row.size), 1,
                     /*is_parallel=*/true,
                     [&](llvm::Value* i) { body(Step(from, i, row), i); });
    };
    const ElementType sum_type = SumType();
    Loops(outer, Start(), [&](const Place& first) {
      along_row(first, [&](const Place&, llvm::Value* i) {
        KeepSum(i, row.size, function_.scalars().Constant(sum_type, 0));
      });
      Loops(layout_.k, first, [&](const Place& at) {
        along_row(at, [&](const Place& place, llvm::Value* i) {
          const int product = Product(LoadAs(sum_type, kLhs, place.lhs),
                                      LoadAs(sum_type, kRhs, place.rhs));
          KeepSum(i, row.size,
                  function_.scalars().Binary(BinaryScalarOp::kAdd, SumAt(i),
                                             product));
        });
      });
      along_row(first, [&](const Place& place, llvm::Value* i) {
        function_.Store(kResult, type_, place.result,
                        function_.scalars().Convert(type_, SumAt(i)));
      });
    });
  }
  ElementType SumType() const {
    const bool is_half =
        type_ == ElementType::kF16 || type_ == ElementType::kBF16;
    return is_half ? ElementType::kF32 : type_;
  }
  int LoadAs(ElementType type, int buffer, llvm::Value* offset) {
    return function_.scalars().Convert(
        type, function_.Load(buffer, TypeOf(buffer), offset));
  }
  // Of complex numbers without the repair of infinities.
  int Product(int x, int y) {
    LlvmScalarBuilder& b = function_.scalars();
    const auto times = [&](int x, int y) {
      return b.Binary(BinaryScalarOp::kMultiply, x, y);
    };
    if (!IsComplex(b.TypeOf(x))) return times(x, y);
    const int a = b.Unary(UnaryScalarOp::kReal, x);
    const int c = b.Unary(UnaryScalarOp::kReal, y);
    const int bi = b.Unary(UnaryScalarOp::kImag, x);
    const int di = b.Unary(UnaryScalarOp::kImag, y);
    return b.Binary(
        BinaryScalarOp::kComplex,
        b.Binary(BinaryScalarOp::kSubtract, times(a, c), times(bi, di)),
        b.Binary(BinaryScalarOp::kAdd, times(a, di), times(bi, c)));
  }
  void KeepSum(llvm::Value* at, int64_t count, int scalar) {
    const ScalarValue& sum = function_.scalars().Get(scalar);
    llvm::Value* value = function_.scalars().ToMemory(SumType(), sum.value);
    if (sums_ == nullptr) sums_ = function_.Scratch(value->getType(), count);
    function_.StoreScratch(sums_, at, value);
    if (sum.imaginary == nullptr) return;
    if (imaginary_sums_ == nullptr) {
      imaginary_sums_ = function_.Scratch(value->getType(), count);
    }
    function_.StoreScratch(imaginary_sums_, at, sum.imaginary);
  }
  int SumAt(llvm::Value* at) {
    return function_.scalars().Add(function_.scalars().FromMemory(
        SumType(), function_.LoadScratch(sums_, at),
        imaginary_sums_ == nullptr
            ? nullptr
            : function_.LoadScratch(imaginary_sums_, at)));
  }

  const KernelGraph& graph_;
  const DotLayout& layout_;
  const ElementType type_;
  KernelFunction function_;
  llvm::IRBuilder<>& b_;
  // Of EmitScalars.
  llvm::AllocaInst* sums_ = nullptr;
  llvm::AllocaInst* imaginary_sums_ = nullptr;
};

}  // namespace

int64_t BuildDotKernel(const KernelGraph& graph, const KernelSite& site) {
  for (const Value* input : graph.inputs) {
    if (!HasCodeFor(input->shape().element_type())) return 0;
  }
  const auto dimensions = DotDimensionsOf(*graph.op);
  if (!HasCodeFor(graph.outputs[0]->shape().element_type()) ||
      !dimensions.ok()) {
    return 0;
  }
  const DotLayout layout = DotLayout::Create(
      graph.inputs[0]->shape(), graph.inputs[1]->shape(), *dimensions);
  DotBuilder(graph, layout, site).Build();
  return 1;
}

}  // namespace lockstep::internal
