#ifndef LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSION_GROUP_H_
#define LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSION_GROUP_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/ops/lockstep/fusion.h"
#include "runtime/passes/optimize/fusible_op.h"

namespace lockstep::internal {

// Ops that will be one kernel. It grows from its root, which is its last op,
// towards producers. Used by one thread.
//
// A *context* is a set of indices at which the kernel computes a value: that of
// the full dims, that of the row dims, or one for each way through an op that
// maps indices. A value is computed once per context.
class FusionGroup {
 public:
  using Context = int;
  using Contexts = absl::InlinedVector<Context, 2>;
  static constexpr Context kFull = 0;
  static constexpr Context kRow = 1;

  // Bounds that keep kernels compilable and their inputs in registers.
  static constexpr int kMaxOps = 256;
  static constexpr int kMaxInputs = 32;
  static constexpr int kMaxOutputs = 16;

  // `place` is the position of the root, where the kernel will stand. `roles`
  // outlives the group.
  FusionGroup(const Op& root, int place, FusionRoles& roles);

  int place() const { return place_; }
  FusionKind kind() const { return kind_; }
  const Op& root() const { return *members_[0]; }
  // Later ops first.
  const std::vector<const Op*>& members() const { return members_; }
  // Members whose results are needed outside.
  const absl::flat_hash_set<const Op*>& outputs() const { return outputs_; }

  // Where the member `user` needs its operand i. Adds to `contexts`.
  void AddContexts(const Op& user, int i, Contexts& contexts);

  // Takes in `op`, whose users here need it in `contexts`, if the group can
  // compute it at no more than its worth. `is_output`: others need it too.
  bool TryJoin(const Op& op, const Contexts& contexts, bool is_output);

 private:
  bool FitsContexts(const Op& op, const Contexts& contexts, bool is_output);
  bool FitsReduce(const Op& reduce, const Contexts& contexts) const;
  bool FitsInputs(const Op& op);
  bool CanBecomeRows(int64_t row_rank) const;
  // For a broadcast of row dims back to the full dims.
  void TryBecomeRows(const Op& row_broadcast);
  void BecomeReduce(const Op& reduce);
  void Add(const Op& op, Contexts contexts, bool is_output);
  double Iterations(Context context) const;
  Context MappedContext(const Op& user, int i, Context context);

  FusionRoles& roles_;
  FusionKind kind_ = FusionKind::kLoop;
  const int place_;
  absl::InlinedVector<int64_t, 6> full_dims_;
  absl::InlinedVector<int64_t, 6> row_dims_;  // reduce, rows
  std::vector<int64_t> reduced_dims_;         // reduce, rows
  std::vector<const Op*> members_;
  absl::flat_hash_map<const Op*, Contexts> contexts_;
  absl::flat_hash_set<const Op*> outputs_;
  absl::flat_hash_set<const Value*> inputs_;
  // Contexts from 2 on: how often their values are computed.
  std::vector<double> mapped_iterations_;
  absl::flat_hash_map<std::pair<std::pair<const Op*, int>, Context>, Context>
      mapped_;
  int output_values_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSION_GROUP_H_
