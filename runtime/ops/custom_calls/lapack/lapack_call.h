#ifndef LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_CALL_H_
#define LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_CALL_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/ops/custom_calls/call_config.h"
#include "runtime/types/element_type.h"

namespace lockstep::internal {

// One tensor of a routine, for one member of the batch: a matrix (rank 2), a
// vector (rank 1) or a number.
struct LapackTensor {
  static LapackTensor Matrix(ElementType type, int64_t rows, int64_t columns) {
    return {type, 2, rows, columns};
  }
  static LapackTensor Vector(ElementType type, int64_t size) {
    return {type, 1, size, 1};
  }
  // One number for all members.
  static LapackTensor Shared(ElementType type) {
    return {.type = type, .is_shared = true};
  }
  // What the routine says of its success.
  static LapackTensor Info() { return {ElementType::kS32, 0, 1, 1}; }
  // Of a result: what the routine makes of operand `i`, in its place.
  LapackTensor&& InPlaceOf(int i) && {
    overwrites = i;
    return static_cast<LapackTensor&&>(*this);
  }
  int64_t element_count() const { return rows * columns; }

  ElementType type = ElementType::kF32;
  int rank = 0;
  int64_t rows = 1;
  int64_t columns = 1;
  std::optional<int> overwrites = std::nullopt;
  bool is_shared = false;
};

// The operands and results of a routine.
struct LapackForm {
  std::vector<LapackTensor> operands;
  std::vector<LapackTensor> results;
};

// Where those stand among the operands and results of the op; kAbsent: nowhere.
// Results of the op that are no results of the routine are its work space, in
// the forms where the program says it.
struct LapackSlots {
  static constexpr int kAbsent = -1;

  std::vector<int> operands;
  std::vector<int> results;
  // Operands that come first, numbers that configure the call: the form of
  // targets without "_ffi".
  int scalar_count = 0;
  bool has_work_results = false;
};

// A custom_call of a LAPACK routine. Borrows the op.
class LapackCall {
 public:
  // The one of `forms` that the op's operands have. INVALID_ARGUMENT, with the
  // op's location: none of them; or the operand `matrix` of the routine is no
  // batch of matrices of `type`.
  static absl::StatusOr<LapackCall> Create(
      const Op& op, ElementType type, const std::vector<LapackSlots>& forms,
      int matrix);

  const Op& op() const { return *op_; }
  const LapackSlots& slots() const { return *slots_; }
  // Of the elements.
  ElementType type() const { return type_; }
  ElementType real_type() const { return RealType(type_); }
  // Of one matrix of the operand that Create names.
  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  bool has_operand(int i) const {
    return slots_->operands[i] != LapackSlots::kAbsent;
  }
  // Dim `dim` behind the batch's of an operand or result of the routine, for
  // those whose size the matrix does not decide. INVALID_ARGUMENT: it has none.
  absl::StatusOr<int64_t> OperandDim(int operand, int dim) const;
  absl::StatusOr<int64_t> ResultDim(int result, int dim) const;

  // How the call is configured: by fields, or by numbers, which are constants.
  bool has_scalars() const { return slots_->scalar_count > 0; }
  CallConfig config() const { return CallConfig(*op_); }
  // INVALID_ARGUMENT: operand `i` is no integer; UNIMPLEMENTED: no constant.
  absl::StatusOr<int64_t> Scalar(int i) const;
  // The code of one of `letters`. INVALID_ARGUMENT: of another.
  absl::StatusOr<char> ScalarLetter(int i, absl::string_view letters) const;

  int64_t batch_size() const;
  // The batch's dims come first in all operands and results.
  int batch_rank() const { return batch_rank_; }

  // INVALID_ARGUMENT: operands or results are not those of `form`, or the
  // matrices of `form` are not square where `is_square`. UNIMPLEMENTED: they
  // are larger, or lie otherwise in memory, than routines expect.
  absl::Status CheckIs(const LapackForm& form) const;
  // INVALID_ARGUMENT unless the matrices are square.
  absl::Status CheckSquare() const;

  // Batches are split; the dims of one member are not, but for dim `free_dim`
  // of operand `free_operand` and of result 0.
  absl::StatusOr<OpShardingRule> ShardingRule(const LapackForm& form,
                                              int free_operand = -1,
                                              int free_dim = -1) const;

 private:
  LapackCall(const Op& op, ElementType type, const LapackSlots& slots)
      : op_(&op), type_(type), slots_(&slots) {}
  absl::Status CheckLayouts(const LapackForm& form) const;
  absl::Status CheckLayout(absl::string_view name, int i, const Shape& shape,
                           bool is_matrix) const;
  absl::Status CheckTensor(absl::string_view what, int i, const Type& found,
                           const LapackTensor& expected) const;

  const Op* op_;
  ElementType type_;
  const LapackSlots* slots_;
  int batch_rank_ = 0;
  int batch_operand_ = 0;  // of the op
  int64_t rows_ = 0;
  int64_t columns_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_CALL_H_
