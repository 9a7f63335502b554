#ifndef LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_MEMBER_H_
#define LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_MEMBER_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/base/scratch_memory.h"
#include "runtime/lapack/lapack_api.h"
#include "runtime/ops/custom_calls/lapack/lapack_call.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The operands and results of one member of a batch as a routine has them,
// matrices column by column, and its work space; one after the other holds all
// members. Operands are copies: a routine may change them. Used by one thread.
class LapackMember {
 public:
  // RESOURCE_EXHAUSTED: no memory. `form` is that of the call, and outlives it.
  static absl::StatusOr<LapackMember> Create(const LapackForm& form);

  // Takes the operands of member `i`; results that are none are zero.
  void Load(const LapackCall& call, absl::Span<const LiteralView> operands,
            int64_t i);
  // Gives the results, where the op has them.
  void Store(const LapackCall& call,
             absl::Span<const MutableLiteralView> results, int64_t i) const;

  template <typename T>
  T* operand(int i) {
    return reinterpret_cast<T*>(memory_.data() + operands_[i]);
  }
  template <typename T>
  T* result(int i) {
    return reinterpret_cast<T*>(memory_.data() + results_[i]);
  }
  // Rows between neighbouring columns: what LAPACK calls a leading dimension.
  LapackInt operand_stride(int i) const { return Stride(form_->operands[i]); }
  LapackInt result_stride(int i) const { return Stride(form_->results[i]); }

  // At least `count` elements, not set; those of one `slot` (0 to 2) until the
  // next call for it. RESOURCE_EXHAUSTED: no memory.
  template <typename T>
  absl::StatusOr<T*> Work(int slot, int64_t count) {
    absl::Status grown = Grow(slot, count * static_cast<int64_t>(sizeof(T)));
    if (!grown.ok()) return grown;
    return work_[slot].memory.as<T>();
  }

 private:
  struct WorkSpace {
    ScratchMemory memory;
    int64_t size = 0;  // bytes
  };

  explicit LapackMember(const LapackForm& form) : form_(&form) {}
  static LapackInt Stride(const LapackTensor& tensor) {
    return static_cast<LapackInt>(tensor.rows > 1 ? tensor.rows : 1);
  }
  absl::Status Grow(int slot, int64_t bytes);

  const LapackForm* form_;
  ScratchMemory memory_;
  std::vector<int64_t> operands_;  // where they begin
  std::vector<int64_t> results_;
  WorkSpace work_[3];
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_MEMBER_H_
