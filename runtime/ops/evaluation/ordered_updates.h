#ifndef LOCKSTEP_RUNTIME_OPS_EVALUATION_ORDERED_UPDATES_H_
#define LOCKSTEP_RUNTIME_OPS_EVALUATION_ORDERED_UPDATES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/ops/evaluation/body_runner.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Combines elements into others in a given order, as scatter does:
//   results[..][target] = body(results[..][target], updates[..][source])
// for every Add, as if at once; several at a time where their targets differ.
// Used by one thread.
class OrderedUpdates {
 public:
  // As many updates as results, of the same types; all outlive this.
  OrderedUpdates(EvaluationContext& context, const Region& body,
                 absl::Span<const LiteralView> updates,
                 absl::Span<const MutableLiteralView> results);

  absl::Status Add(int64_t target, int64_t source) {
    if (last_batch_[target] == batch_ ||
        static_cast<int64_t>(targets_.size()) == kBatchSize) {
      const absl::Status status = Flush();
      if (!status.ok()) return status;
    }
    last_batch_[target] = batch_;
    targets_.push_back(target);
    sources_.push_back(source);
    return absl::OkStatus();
  }
  // After the last Add.
  absl::Status Flush();

 private:
  static constexpr int64_t kBatchSize = 2048;

  BodyRunner body_;
  const absl::Span<const LiteralView> updates_;
  const absl::Span<const MutableLiteralView> results_;
  std::vector<int64_t> targets_;
  std::vector<int64_t> sources_;
  // The batch in which a target was last met; batches count from 1.
  std::vector<uint32_t> last_batch_;
  uint32_t batch_ = 1;
  // Of a batch: the present values, the updates, what comes of them.
  std::vector<Literal> arguments_;
  std::vector<Literal> combined_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_EVALUATION_ORDERED_UPDATES_H_
