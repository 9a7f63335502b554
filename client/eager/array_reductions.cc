#include "client/eager/array_reductions.h"

#include "client/eager/reduction_call.h"

namespace lockstep {

using internal::CallReduction;
using internal::EagerReduction;

Array sum(const Array& x, const ReducedDims& dims, bool keep_dims,
          SourceLocation location) {
  return CallReduction(EagerReduction::kSum, {x, location}, dims, keep_dims);
}
Array mean(const Array& x, const ReducedDims& dims, bool keep_dims,
           SourceLocation location) {
  return CallReduction(EagerReduction::kMean, {x, location}, dims, keep_dims);
}
Array max(const Array& x, const ReducedDims& dims, bool keep_dims,
          SourceLocation location) {
  return CallReduction(EagerReduction::kMax, {x, location}, dims, keep_dims);
}
Array min(const Array& x, const ReducedDims& dims, bool keep_dims,
          SourceLocation location) {
  return CallReduction(EagerReduction::kMin, {x, location}, dims, keep_dims);
}
Array any(const Array& x, const ReducedDims& dims, SourceLocation location) {
  return CallReduction(EagerReduction::kAny, {x, location}, dims, false);
}
Array all(const Array& x, const ReducedDims& dims, SourceLocation location) {
  return CallReduction(EagerReduction::kAll, {x, location}, dims, false);
}

}  // namespace lockstep
