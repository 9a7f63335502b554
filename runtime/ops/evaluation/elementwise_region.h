#ifndef LOCKSTEP_RUNTIME_OPS_EVALUATION_ELEMENTWISE_REGION_H_
#define LOCKSTEP_RUNTIME_OPS_EVALUATION_ELEMENTWISE_REGION_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// A region on scalars that consists of elementwise ops and constants only and
// uses no value from outside: it can run on many elements at once. Immutable
// and thread-safe; the region outlives it.
class ElementwiseRegion {
 public:
  class Block;

  // Empty when the region is of another kind.
  static std::optional<ElementwiseRegion> Match(const Region& region);

  // results[k][i] = the k-th result of the region for arguments[..][i], for
  // `count` elements of the region's types. Results must not overlap with
  // arguments.
  absl::Status Run(int64_t count, absl::Span<const std::byte* const> arguments,
                   absl::Span<std::byte* const> results) const;

  // The same, for many runs: keeps its buffers. Used by one thread; the region
  // outlives it.
  class Runner {
   public:
    explicit Runner(const ElementwiseRegion& region);
    ~Runner();
    absl::Status Run(int64_t count,
                     absl::Span<const std::byte* const> arguments,
                     absl::Span<std::byte* const> results);

   private:
    const ElementwiseRegion& region_;
    std::unique_ptr<Block> block_;
    int64_t capacity_ = 0;
  };

 private:
  // Where an operand comes from: an argument, a step's result or a constant.
  struct Source {
    enum Kind { kArgument, kStep, kConstant } kind;
    int index;
  };
  struct BodyStep {
    const Op* op;
    std::vector<Source> operands;
  };

  explicit ElementwiseRegion(const Region& region) : region_(&region) {}
  std::optional<Source> Find(const Value* value) const;
  bool AddOp(const Op& op);

  const Region* region_;
  std::vector<BodyStep> steps_;
  std::vector<const Op*> constants_;
  std::vector<Source> returned_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_EVALUATION_ELEMENTWISE_REGION_H_
