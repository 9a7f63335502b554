#ifndef LOCKSTEP_RUNTIME_OPS_EVALUATION_BODY_RUNNER_H_
#define LOCKSTEP_RUNTIME_OPS_EVALUATION_BODY_RUNNER_H_

#include <cstddef>
#include <optional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/ops/evaluation/elementwise_region.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {

// Runs a region from scalars to scalars (the body of a reduction, a scatter, a
// sort) on many elements: at once where all its ops are elementwise, else one
// by one. Used by one thread; context and region outlive it.
class BodyRunner {
 public:
  BodyRunner(EvaluationContext& context, const Region& body);

  // results[k][i] = the k-th result of the body for arguments[..][i], for
  // `count` elements of the types of the body. Results must not overlap with
  // arguments.
  absl::Status Run(int64_t count, absl::Span<const std::byte* const> arguments,
                   absl::Span<std::byte* const> results);

 private:
  absl::Status RunOne(int64_t i, absl::Span<const std::byte* const> arguments,
                      absl::Span<std::byte* const> results);

  EvaluationContext& context_;
  const Region& body_;
  const std::optional<ElementwiseRegion> elementwise_;
  std::optional<ElementwiseRegion::Runner> runner_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_EVALUATION_BODY_RUNNER_H_
