#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/evaluation/body_runner.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/indexed_copy.h"

namespace lockstep::internal {
namespace {

// Negative dimensions count from the end.
absl::StatusOr<int64_t> SortDim(const Op& op) {
  const int64_t rank = op.operand(0)->shape().rank();
  ASSIGN_OR_RETURN(const int64_t dim, op.IntegerAttributeOr("dimension", -1));
  if (dim >= -rank && dim < rank) return dim < 0 ? dim + rank : dim;  // (C4)
  return op.Error(absl::StrCat("dimension: expected ", -rank, " to ", rank - 1,
                               ", found ", dim));
}

absl::StatusOr<std::vector<Type>> InferSort(const Op& op) {
  RETURN_IF_ERROR(CheckMinOperandCount(op, 1));
  RETURN_IF_ERROR(CheckRegionCount(op, 1));
  std::vector<Type> arguments;
  for (int i = 0; i < op.operand_count(); ++i) {
    const Shape& shape = op.operand(i)->shape();
    if (shape.dims() != op.operand(0)->shape().dims()) {  // (C3)
      return op.Error(absl::StrCat("operand ", i, ": expected the dims of ",
                                   op.operand(0)->shape().ToString(),
                                   ", found ", shape.ToString()));
    }
    const Type scalar = Shape(shape.element_type(), {});
    arguments.push_back(scalar);
    arguments.push_back(scalar);
  }
  RETURN_IF_ERROR(SortDim(op).status());
  const Type pred = Shape(ElementType::kPred, {});
  RETURN_IF_ERROR(  // (C5)
      CheckRegionArguments(op, "comparator", op.region(), arguments));
  RETURN_IF_ERROR(CheckRegionResults(op, "comparator", op.region(), {pred}));
  return OperandTypes(op);  // (C2)
}

// Sorts all lanes along one dimension at the same time: a merge sort from the
// bottom up, in which one run of the comparator serves all merges of a pass.
// Any comparator ends it.
class LaneSorter {
 public:
  LaneSorter(EvaluationContext& context, const Region& comparator,
             absl::Span<const LiteralView> inputs, int64_t dim)
      : inputs_(inputs), comparator_(context, comparator) {
    const Shape& shape = inputs[0].shape();
    length_ = shape.dim(dim);
    const int64_t stride = shape.Strides()[dim];
    for (int64_t i = 0; i < shape.element_count(); ++i) {
      if (i / stride % length_ == 0) {
        for (int64_t j = 0; j < length_; ++j) order_.push_back(i + j * stride);
      }
    }
  }

  absl::Status Sort() {
    std::vector<int64_t> merged(order_.size());
    for (int64_t width = 1; width < length_; width *= 2) {
      RETURN_IF_ERROR(MergePass(width, merged));
      std::swap(order_, merged);
    }
    return absl::OkStatus();
  }

  // The indices of the elements, lane after lane.
  const std::vector<int64_t>& order() const { return order_; }

 private:
  // Two sorted runs that become one.
  struct Merge {
    int64_t left, left_end, right, right_end, out;
  };

  absl::Status MergePass(int64_t width, std::vector<int64_t>& merged) {
    const int64_t total = static_cast<int64_t>(order_.size());
    std::vector<Merge> merges;
    for (int64_t lane = 0; lane < total; lane += length_) {
      for (int64_t first = 0; first < length_; first += 2 * width) {
        const int64_t middle = std::min(first + width, length_);
        const int64_t end = std::min(middle + width, length_);
        merges.push_back({lane + first, lane + middle, lane + middle,
                          lane + end, lane + first});
      }
    }
    while (!merges.empty()) {
      std::erase_if(merges, [&](Merge& merge) {
        return FinishWhenOneSided(merge, merged);
      });
      RETURN_IF_ERROR(TakeOneOfEach(merges, merged));
    }
    return absl::OkStatus();
  }

  bool FinishWhenOneSided(const Merge& merge, std::vector<int64_t>& merged) {
    if (merge.left < merge.left_end && merge.right < merge.right_end) {
      return false;
    }
    const auto out =
        std::copy(order_.begin() + merge.left, order_.begin() + merge.left_end,
                  merged.begin() + merge.out);
    std::copy(order_.begin() + merge.right, order_.begin() + merge.right_end,
              out);
    return true;
  }

  // The right element goes first only if it is less: the sort is stable.
  absl::Status TakeOneOfEach(std::vector<Merge>& merges,
                             std::vector<int64_t>& merged) {
    if (merges.empty()) return absl::OkStatus();
    std::vector<int64_t> rights, lefts;
    for (const Merge& merge : merges) {
      rights.push_back(order_[merge.right]);
      lefts.push_back(order_[merge.left]);
    }
    RETURN_IF_ERROR(Compare(rights, lefts));
    for (size_t i = 0; i < merges.size(); ++i) {
      Merge& merge = merges[i];
      int64_t& from = is_less_[i] != std::byte{0} ? merge.right : merge.left;
      merged[merge.out++] = order_[from++];
    }
    return absl::OkStatus();
  }

  // is_less_[i] = comparator(x[i], y[i]).
  absl::Status Compare(const std::vector<int64_t>& x,
                       const std::vector<int64_t>& y) {
    std::vector<const std::byte*> arguments;
    elements_.resize(2 * inputs_.size());
    for (size_t k = 0; k < inputs_.size(); ++k) {
      const int64_t size = ByteSize(inputs_[k].shape().element_type());
      const std::pair<std::vector<std::byte>*, const std::vector<int64_t>*>
          sides[] = {{&elements_[2 * k], &x}, {&elements_[2 * k + 1], &y}};
      for (const auto& [elements, indices] : sides) {
        elements->resize(indices->size() * size);
        CopyFromIndices(size, inputs_[k].bytes(), *indices, elements->data());
        arguments.push_back(elements->data());
      }
    }
    is_less_.resize(x.size());
    std::byte* result = is_less_.data();
    return comparator_.Run(static_cast<int64_t>(x.size()), arguments,
                           absl::MakeConstSpan(&result, 1));
  }

  const absl::Span<const LiteralView> inputs_;
  BodyRunner comparator_;
  int64_t length_ = 0;
  std::vector<int64_t> order_;
  std::vector<std::vector<std::byte>> elements_;
  std::vector<std::byte> is_less_;
};

absl::Status EvaluateSort(EvaluationContext& context, const Op& op,
                          absl::Span<const LiteralView> operands,
                          absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const int64_t dim, SortDim(op));
  const Shape& shape = operands[0].shape();
  if (shape.element_count() == 0) return absl::OkStatus();
  LaneSorter sorter(context, op.region(), operands, dim);
  std::vector<int64_t> places = sorter.order();
  RETURN_IF_ERROR(sorter.Sort());
  for (size_t k = 0; k < operands.size(); ++k) {
    const int64_t size = ByteSize(operands[k].shape().element_type());
    Literal sorted(
        Shape(operands[k].shape().element_type(), {shape.element_count()}));
    CopyFromIndices(size, operands[k].bytes(), sorter.order(),
                    sorted.mutable_bytes());
    CopyToIndices(size, sorted.bytes(), places, results[k].bytes());
  }
  return absl::OkStatus();
}

bool HasOneLane(const Shape& shape, int64_t sorted) {
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (dim != sorted && shape.dim(dim) != 1) return false;
  }
  return true;
}

// Blocked where the sorted dim is all there is to shard.
absl::StatusOr<OpShardingRule> SortRule(const Op& op,
                                        const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const int64_t sorted, SortDim(op));
  const Shape& shape = op.operand(0)->shape();
  const bool is_only_dim = HasOneLane(shape, sorted);
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const bool is_sorted = dim == sorted;
    rule.Add(shape.dim(dim), is_sorted ? FactorKind::kNeedReplication
                                       : FactorKind::kPassThrough)
        .Everywhere(dim)
        .Blocked(is_sorted && is_only_dim);
  }
  return rule.Build();
}

// sort: the elements along `dimension` in the comparator's order, all inputs
// in the same one. Always stable.
//   (I1) inputs: tensors of one shape. (I2) dimension. (I3) is_stable.
//   (I4) comparator: (lhs, rhs of each input) -> whether lhs goes first.
REGISTER_OP(OpDef("stablehlo.sort", OpKind::kSort)
                .Infer(InferSort)
                .Evaluate(EvaluateSort)
                .Sharding(SortRule));

}  // namespace
}  // namespace lockstep::internal
