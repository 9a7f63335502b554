#include "runtime/ops/evaluation/ordered_updates.h"

#include <algorithm>

#include "runtime/base/status.h"
#include "runtime/types/indexed_copy.h"

namespace lockstep::internal {

OrderedUpdates::OrderedUpdates(EvaluationContext& context, const Region& body,
                               absl::Span<const LiteralView> updates,
                               absl::Span<const MutableLiteralView> results)
    : body_(context, body),
      updates_(updates),
      results_(results),
      last_batch_(results[0].shape().element_count()) {
  const auto batch_of = [](const Shape& shape) {
    return Literal(Shape(shape.element_type(), {kBatchSize}));
  };
  for (const auto& result : results) {
    arguments_.push_back(batch_of(result.shape()));
    combined_.push_back(batch_of(result.shape()));
  }
  for (const auto& update : updates) {
    arguments_.push_back(batch_of(update.shape()));
  }
}

absl::Status OrderedUpdates::Flush() {
  if (targets_.empty()) return absl::OkStatus();
  const size_t count = results_.size();
  std::vector<const std::byte*> arguments;
  std::vector<std::byte*> combined;
  for (size_t k = 0; k < count; ++k) {
    CopyFromIndices(ByteSize(results_[k].shape().element_type()),
                    results_[k].bytes(), targets_,
                    arguments_[k].mutable_bytes());
    CopyFromIndices(ByteSize(updates_[k].shape().element_type()),
                    updates_[k].bytes(), sources_,
                    arguments_[count + k].mutable_bytes());
    combined.push_back(combined_[k].mutable_bytes());
  }
  for (const Literal& argument : arguments_) {
    arguments.push_back(argument.bytes());
  }
  RETURN_IF_ERROR(
      body_.Run(static_cast<int64_t>(targets_.size()), arguments, combined));
  for (size_t k = 0; k < count; ++k) {
    CopyToIndices(ByteSize(results_[k].shape().element_type()),
                  combined_[k].bytes(), targets_, results_[k].bytes());
  }
  targets_.clear();
  sources_.clear();
  if (++batch_ == 0) {
    std::fill(last_batch_.begin(), last_batch_.end(), 0);
    batch_ = 1;
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
