#include "runtime/ops/custom_calls/lapack/lapack_call.h"

#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/lapack/lapack_api.h"

namespace lockstep::internal {
namespace {

absl::Status CheckTensorTypes(const Op& op) {
  for (int i = 0; i < op.operand_count(); ++i) {
    if (!op.operand(i)->type().is_tensor()) {
      return op.Error(absl::StrCat("operand ", i, ": expected a tensor, found ",
                                   op.operand(i)->type().ToString()));
    }
  }
  for (int i = 0; i < op.result_count(); ++i) {
    if (!op.result(i)->type().is_tensor()) {
      return op.Error(absl::StrCat("result ", i, ": expected a tensor, found ",
                                   op.result(i)->type().ToString()));
    }
  }
  return absl::OkStatus();
}

int CountPresent(const std::vector<int>& slots) {
  int count = 0;
  for (const int slot : slots) count += slot != LapackSlots::kAbsent ? 1 : 0;
  return count;
}

bool Fits(const Op& op, const LapackSlots& slots) {
  const int results = CountPresent(slots.results);
  return op.operand_count() ==
             slots.scalar_count + CountPresent(slots.operands) &&
         (slots.has_work_results ? op.result_count() >= results
                                 : op.result_count() == results);
}

std::string CountsOf(const std::vector<LapackSlots>& forms) {
  std::vector<std::string> counts;
  for (const LapackSlots& slots : forms) {
    counts.push_back(
        absl::StrCat(slots.scalar_count + CountPresent(slots.operands),
                     " operands and ", CountPresent(slots.results),
                     slots.has_work_results ? " or more" : "", " results"));
  }
  return absl::StrJoin(counts, ", or ");
}

}  // namespace

absl::StatusOr<LapackCall> LapackCall::Create(
    const Op& op, ElementType type, const std::vector<LapackSlots>& forms,
    int matrix) {
  RETURN_IF_ERROR(CheckTensorTypes(op));
  for (const LapackSlots& slots : forms) {
    if (!Fits(op, slots)) continue;
    LapackCall call(op, type, slots);
    call.batch_operand_ = slots.operands[matrix];
    const Shape& shape = op.operand(call.batch_operand_)->shape();
    if (shape.rank() < 2 || shape.element_type() != type) {
      return op.Error(absl::StrCat(
          "operand ", call.batch_operand_, ": expected matrices of ",
          StablehloName(type), ", found ", shape.ToString()));
    }
    call.batch_rank_ = static_cast<int>(shape.rank()) - 2;
    call.rows_ = shape.dim(shape.rank() - 2);
    call.columns_ = shape.dim(shape.rank() - 1);
    return call;
  }
  return op.Error(absl::StrCat("expected ", CountsOf(forms), ", found ",
                               op.operand_count(), " and ", op.result_count()));
}

absl::StatusOr<int64_t> LapackCall::OperandDim(int operand, int dim) const {
  const int place = slots_->operands[operand];
  const Shape& shape = op_->operand(place)->shape();
  if (batch_rank_ + dim < shape.rank()) return shape.dim(batch_rank_ + dim);
  return op_->Error(absl::StrCat("operand ", place, ": expected rank ",
                                 batch_rank_ + dim + 1, " or more, found ",
                                 shape.ToString()));
}

absl::StatusOr<int64_t> LapackCall::ResultDim(int result, int dim) const {
  const int place = slots_->results[result];
  const Shape& shape = op_->result(place)->shape();
  if (batch_rank_ + dim < shape.rank()) return shape.dim(batch_rank_ + dim);
  return op_->Error(absl::StrCat("result ", place, ": expected rank ",
                                 batch_rank_ + dim + 1, " or more, found ",
                                 shape.ToString()));
}

absl::StatusOr<int64_t> LapackCall::Scalar(int i) const {
  const Value& value = *op_->operand(i);
  if (!IsInteger(value.shape().element_type()) || value.shape().rank() != 0) {
    return op_->Error(absl::StrCat("operand ", i,
                                   ": expected an integer, found ",
                                   value.shape().ToString()));
  }
  const Op* constant = value.defining_op();
  const Attribute* content =
      constant != nullptr && constant->name() == "stablehlo.constant"
          ? constant->attribute("value")
          : nullptr;
  if (content == nullptr) {
    return op_->Unimplemented(absl::StrCat(
        "operand ", i, ", which configures the call, is no constant"));
  }
  absl::StatusOr<int64_t> integer = IntegerOf(*content);
  if (integer.ok()) return integer;
  return op_->Error(
      absl::StrCat("operand ", i, ": ", integer.status().message()));
}

absl::StatusOr<char> LapackCall::ScalarLetter(int i,
                                              absl::string_view letters) const {
  ASSIGN_OR_RETURN(const int64_t code, Scalar(i));
  for (const char letter : letters) {
    if (code == letter) return letter;
  }
  return op_->Error(absl::StrCat("operand ", i,
                                 ": expected the code of one of ", letters,
                                 ", found ", code));
}

int64_t LapackCall::batch_size() const {
  int64_t size = 1;
  for (int dim = 0; dim < batch_rank_; ++dim) {
    size *= op_->operand(batch_operand_)->shape().dim(dim);
  }
  return size;
}

absl::Status LapackCall::CheckTensor(absl::string_view what, int i,
                                     const Type& found,
                                     const LapackTensor& expected) const {
  const absl::Span<const int64_t> batch =
      op_->operand(batch_operand_)->shape().dims().subspan(0, batch_rank_);
  Dims dims;
  if (!expected.is_shared) dims.assign(batch.begin(), batch.end());
  if (expected.rank > 0) dims.push_back(expected.rows);
  if (expected.rank > 1) dims.push_back(expected.columns);
  const absl::StatusOr<Shape> shape = Shape::Create(expected.type, dims);
  if (!shape.ok()) return op_->Error(shape.status().message());
  if (found.shape() != *shape) {
    return op_->Error(absl::StrCat(what, " ", i, ": expected ",
                                   shape->ToString(), ", found ",
                                   found.ToString()));
  }
  const int64_t limit = std::numeric_limits<LapackInt>::max();
  if (expected.rows > limit || expected.columns > limit) {
    return op_->Unimplemented(absl::StrCat(what, " ", i,
                                           ": LAPACK has sizes to ", limit,
                                           ", found ", found.ToString()));
  }
  return absl::OkStatus();
}

absl::Status LapackCall::CheckIs(const LapackForm& form) const {
  for (size_t i = 0; i < form.operands.size(); ++i) {
    const int place = slots_->operands[i];
    if (place == LapackSlots::kAbsent) continue;
    RETURN_IF_ERROR(CheckTensor("operand", place, op_->operand(place)->type(),
                                form.operands[i]));
  }
  for (size_t i = 0; i < form.results.size(); ++i) {
    const int place = slots_->results[i];
    if (place == LapackSlots::kAbsent) continue;
    RETURN_IF_ERROR(CheckTensor("result", place, op_->result(place)->type(),
                                form.results[i]));
  }
  return CheckLayouts(form);
}

absl::Status LapackCall::CheckSquare() const {
  if (rows_ == columns_) return absl::OkStatus();
  return op_->Error(absl::StrCat(
      "operand ", batch_operand_, ": expected square matrices, found ",
      op_->operand(batch_operand_)->shape().ToString()));
}

// Minor to major. In lockstep values lie row-major whatever is said here; but a
// call whose matrices are not said to lie column by column means something
// else.
absl::Status LapackCall::CheckLayout(absl::string_view name, int i,
                                     const Shape& shape, bool is_matrix) const {
  std::vector<int64_t> expected;
  const int64_t rank = shape.rank();
  for (int64_t dim = rank - 1; dim >= 0; --dim) expected.push_back(dim);
  if (is_matrix) std::swap(expected[0], expected[1]);
  std::vector<int64_t> found;
  for (int64_t dim = rank - 1; dim >= 0; --dim) found.push_back(dim);
  if (const Attribute* layouts = op_->attribute(name)) {
    const auto* list = layouts->As<Attribute::Array>();
    const size_t place = i;
    if (list == nullptr || place >= list->elements.size()) {
      return op_->Error(absl::StrCat(name, ": expected a list with a layout ",
                                     "for each, found none for ", i));
    }
    absl::StatusOr<std::vector<int64_t>> said =
        IntegersOf(list->elements[place]);
    if (!said.ok()) {
      return op_->Error(
          absl::StrCat(name, ": ", i, ": ", said.status().message()));
    }
    found = *std::move(said);
  }
  if (found == expected) return absl::OkStatus();
  return op_->Unimplemented(absl::StrCat(
      name, ": ", i, ": expected [", absl::StrJoin(expected, ", "),
      "], minor to major, found [", absl::StrJoin(found, ", "), "]"));
}

absl::Status LapackCall::CheckLayouts(const LapackForm& form) const {
  for (size_t i = 0; i < form.operands.size(); ++i) {
    const int place = slots_->operands[i];
    if (place == LapackSlots::kAbsent) continue;
    RETURN_IF_ERROR(CheckLayout("operand_layouts", place,
                                op_->operand(place)->shape(),
                                form.operands[i].rank == 2));
  }
  for (size_t i = 0; i < form.results.size(); ++i) {
    const int place = slots_->results[i];
    if (place == LapackSlots::kAbsent) continue;
    RETURN_IF_ERROR(CheckLayout("result_layouts", place,
                                op_->result(place)->shape(),
                                form.results[i].rank == 2));
  }
  return absl::OkStatus();
}

absl::StatusOr<OpShardingRule> LapackCall::ShardingRule(const LapackForm& form,
                                                        int free_operand,
                                                        int free_dim) const {
  ShardingRuleBuilder rule(*op_);
  const Shape& matrix = op_->operand(batch_operand_)->shape();
  for (int dim = 0; dim < batch_rank_; ++dim) {
    auto factor = rule.Add(matrix.dim(dim));
    for (const int operand : slots_->operands) {
      if (operand != LapackSlots::kAbsent) factor.Operand(operand, dim);
    }
    for (const int result : slots_->results) {
      if (result != LapackSlots::kAbsent) factor.Result(result, dim);
    }
  }
  const auto sizes = [](const LapackTensor& tensor) {
    return std::vector<int64_t>{tensor.rows, tensor.columns};
  };
  if (free_operand >= 0) {
    rule.Add(sizes(form.operands[free_operand])[free_dim])
        .Operand(slots_->operands[free_operand], batch_rank_ + free_dim)
        .Result(slots_->results[0], batch_rank_ + free_dim);
  }
  for (size_t i = 0; i < form.operands.size(); ++i) {
    if (slots_->operands[i] == LapackSlots::kAbsent) continue;
    for (int dim = 0; dim < form.operands[i].rank; ++dim) {
      if (static_cast<int>(i) == free_operand && dim == free_dim) continue;
      rule.Add(sizes(form.operands[i])[dim], FactorKind::kNeedReplication)
          .Operand(slots_->operands[i], batch_rank_ + dim);
    }
  }
  for (size_t i = 0; i < form.results.size(); ++i) {
    if (slots_->results[i] == LapackSlots::kAbsent) continue;
    for (int dim = 0; dim < form.results[i].rank; ++dim) {
      if (free_operand >= 0 && i == 0 && dim == free_dim) continue;
      rule.Add(sizes(form.results[i])[dim], FactorKind::kNeedReplication)
          .Result(slots_->results[i], batch_rank_ + dim);
    }
  }
  return rule.Build();
}

}  // namespace lockstep::internal
