#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CONVERTED_OPERAND_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CONVERTED_OPERAND_H_

#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"
#include "runtime/backends/cpu/thunks/scratch_tensor.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// A tensor in the element type that a thunk computes with: the tensor itself,
// which outlives this, or a converted copy.
class ConvertedOperand {
 public:
  // RESOURCE_EXHAUSTED when there is no memory for the copy.
  static absl::StatusOr<ConvertedOperand> Create(const LiteralView& operand,
                                                 ElementType type);

  const std::byte* bytes() const { return view_.bytes(); }
  const LiteralView& view() const { return view_; }

 private:
  explicit ConvertedOperand(const LiteralView& view) : view_(view) {}
  explicit ConvertedOperand(ScratchTensor copy)
      : copy_(std::move(copy)), view_(copy_.view()) {}

  ScratchTensor copy_;
  LiteralView view_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CONVERTED_OPERAND_H_
