#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/dimension_fields.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/compute_literal.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/geometry/dot_dimensions.h"
#include "runtime/types/convert.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct RaggedDot {
  DotDimensions dims;
  int64_t ragged = 0;          // dim of lhs
  std::vector<int64_t> group;  // dim of rhs, if there is one
  std::vector<int64_t> lhs_free, rhs_free;

  bool is_ragged_free() const {
    return absl::c_linear_search(lhs_free, ragged);
  }
  bool is_ragged_contracting() const {
    return absl::c_linear_search(dims.lhs_contracting, ragged);
  }
};

absl::Status CheckAllDims(const Op& op, const RaggedDot& dot) {
  for (const auto& [operand, first, second] :
       {std::tuple{0, &dot.dims.lhs_batching, &dot.dims.lhs_contracting},
        std::tuple{1, &dot.dims.rhs_batching, &dot.dims.rhs_contracting}}) {
    std::vector<int64_t> all = *first;
    all.insert(all.end(), second->begin(), second->end());
    if (operand == 1) all.insert(all.end(), dot.group.begin(), dot.group.end());
    RETURN_IF_ERROR(
        CheckDistinctDims(op, operand == 0 ? "lhs dims" : "rhs dims", all,
                          op.operand(operand)->shape().rank()));
  }
  const auto fits = [&](const std::vector<int64_t>& lhs,
                        const std::vector<int64_t>& rhs) {
    if (lhs.size() != rhs.size()) return false;
    for (size_t i = 0; i < lhs.size(); ++i) {
      if (op.operand(0)->shape().dim(lhs[i]) !=
          op.operand(1)->shape().dim(rhs[i])) {
        return false;
      }
    }
    return true;
  };
  if (fits(dot.dims.lhs_batching, dot.dims.rhs_batching) &&
      fits(dot.dims.lhs_contracting, dot.dims.rhs_contracting)) {
    return absl::OkStatus();
  }
  return op.Error("batching or contracting dims of lhs and rhs differ");
}

absl::StatusOr<RaggedDot> RaggedDotOf(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 3));
  const Attribute* attribute = op.attribute("ragged_dot_dimension_numbers");
  const auto* opaque =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Opaque>();
  absl::string_view text;
  if (opaque != nullptr) text = opaque->text;
  if (!absl::ConsumePrefix(&text, "#chlo.ragged_dot<") ||
      !absl::ConsumeSuffix(&text, ">")) {
    return op.Error(
        "ragged_dot_dimension_numbers: expected #chlo.ragged_dot<..>");
  }
  absl::StatusOr<DimensionFields> fields = ParseDimensionFields(text);
  if (!fields.ok()) return op.Error(fields.status().message());
  RaggedDot dot;
  dot.dims.lhs_batching = (*fields)["lhs_batching_dimensions"];
  dot.dims.rhs_batching = (*fields)["rhs_batching_dimensions"];
  dot.dims.lhs_contracting = (*fields)["lhs_contracting_dimensions"];
  dot.dims.rhs_contracting = (*fields)["rhs_contracting_dimensions"];
  dot.group = (*fields)["rhs_group_dimensions"];
  const std::vector<int64_t>& ragged = (*fields)["lhs_ragged_dimensions"];
  const Shape& lhs = op.operand(0)->shape();
  if (ragged.size() != 1 || dot.group.size() > 1) {
    return op.Error("expected one ragged dimension and at most one group");
  }
  dot.ragged = ragged[0];
  RETURN_IF_ERROR(
      CheckDim(op, "lhs_ragged_dimensions", dot.ragged, lhs.rank()));
  RETURN_IF_ERROR(CheckAllDims(op, dot));
  dot.lhs_free =
      FreeDims(lhs.rank(), dot.dims.lhs_batching, dot.dims.lhs_contracting);
  std::vector<int64_t> not_free = dot.dims.rhs_contracting;
  not_free.insert(not_free.end(), dot.group.begin(), dot.group.end());
  dot.rhs_free =
      FreeDims(op.operand(1)->shape().rank(), dot.dims.rhs_batching, not_free);
  if (dot.group.empty() == dot.is_ragged_free()) {
    return op.Error(
        "expected a group dimension of rhs exactly when the ragged "
        "dimension is a free one");
  }
  return dot;
}

int64_t Product(const Shape& shape, const std::vector<int64_t>& dims) {
  int64_t product = 1;
  for (int64_t dim : dims) product *= shape.dim(dim);
  return product;
}

absl::Status VerifyRaggedDot(const Op& op) {
  ASSIGN_OR_RETURN(const RaggedDot dot, RaggedDotOf(op));
  const Shape& sizes = op.operand(2)->shape();
  const Shape& lhs = op.operand(0)->shape();
  const int64_t batch = Product(lhs, dot.dims.lhs_batching);
  if (!IsInteger(sizes.element_type()) || sizes.rank() < 1) {
    return op.Error(absl::StrCat("group_sizes: expected integers of rank 1 or ",
                                 "more, found ", sizes.ToString()));
  }
  const int64_t groups = sizes.dim(sizes.rank() - 1);
  const bool is_batched = sizes.rank() > 1;
  if ((is_batched && sizes.element_count() != batch * groups) ||
      (!dot.group.empty() &&
       op.operand(1)->shape().dim(dot.group[0]) != groups)) {
    return op.Error(absl::StrCat("group_sizes: expected a size for each batch ",
                                 "and group, found ", sizes.ToString()));
  }
  ASSIGN_OR_RETURN(const Shape result, DeclaredShape(op));
  Dims expected;
  if (dot.is_ragged_contracting()) expected.push_back(groups);
  for (int64_t dim : dot.dims.lhs_batching) expected.push_back(lhs.dim(dim));
  for (int64_t dim : dot.lhs_free) expected.push_back(lhs.dim(dim));
  for (int64_t dim : dot.rhs_free) {
    expected.push_back(op.operand(1)->shape().dim(dim));
  }
  if (result.dims() == absl::MakeConstSpan(expected)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Shape shape,
                   ResultShape(op, result.element_type(), expected));
  return op.Error(absl::StrCat("result: expected the shape ", shape.ToString(),
                               ", found ", result.ToString()));
}

// The group of every index along the ragged dim, per batch; -1 behind the last
// group.
std::vector<int64_t> GroupOfIndices(const LiteralView& group_sizes,
                                    int64_t batch, int64_t length) {
  const Shape& shape = group_sizes.shape();
  const int64_t groups = shape.dim(shape.rank() - 1);
  Literal sizes(Shape(ElementType::kS64, shape.dims()));
  ConvertElements(group_sizes, sizes.mutable_view());
  std::vector<int64_t> result(batch * length, -1);
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t* row =
        sizes.data<int64_t>().data() + (shape.rank() > 1 ? b * groups : 0);
    int64_t next = 0;
    for (int64_t g = 0; g < groups; ++g) {
      for (int64_t i = 0; i < row[g] && next < length; ++i) {
        result[b * length + next++] = g;
      }
    }
  }
  return result;
}

// Packed operands: lhs [batch, m, k], rhs [groups, batch, k, n] (one group when
// the ragged dim is not free), result [groups, batch, m, n] (one group when it
// is not contracting).
template <typename T>
class RaggedProduct {
 public:
  struct Sizes {
    int64_t batch, m, n, k;
    int64_t ragged_stride;  // of the ragged dim within m or k
    int64_t ragged_length;
    bool is_free, is_contracting;
  };

  RaggedProduct(const Sizes& sizes, const std::vector<int64_t>& groups,
                const T* lhs, const T* rhs, T* result)
      : s_(sizes), groups_(groups), lhs_(lhs), rhs_(rhs), result_(result) {}

  void Run() {
    for (int64_t b = 0; b < s_.batch; ++b) {
      for (int64_t i = 0; i < s_.m; ++i) {
        for (int64_t l = 0; l < s_.k; ++l) AddRow(b, i, l);
      }
    }
  }

 private:
  int64_t GroupOf(int64_t b, int64_t index) const {
    return groups_[b * s_.ragged_length +
                   index / s_.ragged_stride % s_.ragged_length];
  }

  void AddRow(int64_t b, int64_t i, int64_t l) {
    const int64_t source = s_.is_free ? GroupOf(b, i) : 0;
    const int64_t target = s_.is_contracting ? GroupOf(b, l) : 0;
    if (source < 0 || target < 0) return;
    const T x = lhs_[(b * s_.m + i) * s_.k + l];
    const T* y = rhs_ + ((source * s_.batch + b) * s_.k + l) * s_.n;
    T* sum = result_ + ((target * s_.batch + b) * s_.m + i) * s_.n;
    for (int64_t j = 0; j < s_.n; ++j) {
      sum[j] = AddScalars()(sum[j], MultiplyScalars()(x, y[j]));
    }
  }

  const Sizes s_;
  const std::vector<int64_t>& groups_;
  const T* const lhs_;
  const T* const rhs_;
  T* const result_;
};

// Elements between neighbours of the ragged dim among `dims`.
int64_t RaggedStride(const Shape& lhs, const std::vector<int64_t>& dims,
                     int64_t ragged) {
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0 && dims[i] != ragged;) {
    stride *= lhs.dim(dims[i]);
  }
  return stride;
}

std::vector<int64_t> Joined(const std::vector<int64_t>& a,
                            const std::vector<int64_t>& b,
                            const std::vector<int64_t>& c,
                            const std::vector<int64_t>& d = {}) {
  std::vector<int64_t> all = a;
  for (const auto* list : {&b, &c, &d}) {
    all.insert(all.end(), list->begin(), list->end());
  }
  return all;
}

absl::Status EvaluateRaggedDot(EvaluationContext&, const Op& op,
                               absl::Span<const LiteralView> operands,
                               absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const RaggedDot dot, RaggedDotOf(op));
  const Shape& lhs = operands[0].shape();
  const Shape& shape = results[0].shape();
  const ElementType type = ComputeElementType(shape.element_type());
  const Literal x = PackedLiteral(
      operands[0], type,
      Joined(dot.dims.lhs_batching, dot.lhs_free, dot.dims.lhs_contracting));
  const Literal y =
      PackedLiteral(operands[1], type,
                    Joined(dot.group, dot.dims.rhs_batching,
                           dot.dims.rhs_contracting, dot.rhs_free));
  Literal result(Shape(type, shape.dims()));
  const int64_t batch = Product(lhs, dot.dims.lhs_batching);
  const bool is_free = dot.is_ragged_free();
  const bool is_contracting = dot.is_ragged_contracting();
  const int64_t length = lhs.dim(dot.ragged);
  const std::vector<int64_t> groups =
      GroupOfIndices(operands[2], batch, length);
  DispatchComputeType<kNumberTypes>(type, [&]<typename T>(
                                              std::type_identity<T>) {
    const typename RaggedProduct<T>::Sizes sizes = {
        .batch = batch,
        .m = Product(lhs, dot.lhs_free),
        .n = Product(operands[1].shape(), dot.rhs_free),
        .k = Product(lhs, dot.dims.lhs_contracting),
        .ragged_stride = RaggedStride(
            lhs, is_free ? dot.lhs_free : dot.dims.lhs_contracting, dot.ragged),
        .ragged_length = length,
        .is_free = is_free,
        .is_contracting = is_contracting};
    RaggedProduct<T>(sizes, groups, x.data<T>().data(), y.data<T>().data(),
                     result.mutable_data<T>().data())
        .Run();
  });
  ConvertElements(result, results[0]);
  return absl::OkStatus();
}

// ragged_dot: a dot_general in which one dim of lhs is cut into groups of
// group_sizes. A free dim: each group meets its own part of rhs. A contracting
// dim: one product per group. A batching dim: as without groups.
//   (I1) lhs. (I2) rhs. (I3) group_sizes. (I4) ragged_dot_dimension_numbers.
//   (I5) precision_config: a hint.
REGISTER_OP(OpDef("chlo.ragged_dot", OpKind::kMap)
                .Verify(VerifyRaggedDot)
                .Evaluate(EvaluateRaggedDot));

}  // namespace
}  // namespace lockstep::internal
