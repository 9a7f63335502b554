#include "client/tracer/tensor.h"

#include "client/tracer/emit.h"
#include "client/tracer/trace.h"

namespace lockstep {

using internal::AtCall;
using internal::CheckedDim;

const Shape& Tensor::shape() const {
  static const Shape& scalar = *new Shape();
  return value_ == nullptr ? scalar : value_->shape();
}

int64_t Tensor::dim(int64_t i, SourceLocation location) const {
  if (is_poisoned()) return 1;
  const absl::StatusOr<int64_t> position = CheckedDim(i, rank());
  if (position.ok()) return shape().dim(*position);
  trace_->Fail(AtCall(location, "dim", position.status()));
  return 1;
}

}  // namespace lockstep
