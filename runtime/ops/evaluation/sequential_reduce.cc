#include "runtime/ops/evaluation/sequential_reduce.h"

#include <cstring>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/ops/evaluation/body_runner.h"
#include "runtime/ops/geometry/reduce_plan.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// next[k][i] = body(accumulators[..][i], elements[..][i])[k].
absl::Status Combine(BodyRunner& body, const std::vector<Literal>& accumulators,
                     const std::vector<Literal>& elements,
                     std::vector<Literal>& next) {
  std::vector<const std::byte*> arguments;
  for (const Literal& x : accumulators) arguments.push_back(x.bytes());
  for (const Literal& x : elements) arguments.push_back(x.bytes());
  std::vector<std::byte*> results;
  for (Literal& x : next) results.push_back(x.mutable_bytes());
  return body.Run(next[0].shape().element_count(), arguments, results);
}

// Copies, for one index of the reduced dims, the elements of all results.
class ElementGatherer {
 public:
  ElementGatherer(const Shape& input, absl::Span<const int64_t> reduced_dims) {
    const Dims strides = input.Strides();
    const SplitDims split = SplitReducedDims(input.rank(), reduced_dims);
    for (int64_t dim : split.kept) {
      kept_dims_.push_back(input.dim(dim));
      kept_strides_.push_back(strides[dim]);
    }
    for (int64_t dim : split.reduced) {
      reduced_sizes_.push_back(input.dim(dim));
      reduced_strides_.push_back(strides[dim]);
      step_count_ *= input.dim(dim);
    }
  }

  int64_t step_count() const { return step_count_; }

  void Gather(int64_t step, const LiteralView& input, Literal& elements) const {
    int64_t offset = 0;
    for (size_t i = reduced_sizes_.size(); i-- > 0;) {
      offset += step % reduced_sizes_[i] * reduced_strides_[i];
      step /= reduced_sizes_[i];
    }
    const int64_t size = ByteSize(input.shape().element_type());
    StridedCopy(size, kept_dims_,
                {input.bytes() + offset * size, kept_strides_},
                {elements.mutable_bytes(), elements.shape().Strides()});
  }

 private:
  Dims kept_dims_, kept_strides_, reduced_sizes_, reduced_strides_;
  int64_t step_count_ = 1;
};

}  // namespace

absl::Status ReduceSequentially(EvaluationContext& context, const Region& body,
                                absl::Span<const LiteralView> operands,
                                absl::Span<const int64_t> reduced_dims,
                                absl::Span<const MutableLiteralView> results) {
  const size_t count = results.size();
  std::vector<Literal> accumulators, elements, next;
  for (size_t k = 0; k < count; ++k) {
    const Shape& shape = results[k].shape();
    accumulators.emplace_back(shape);
    elements.emplace_back(shape);
    next.emplace_back(shape);
    FillElements(ByteSize(shape.element_type()), operands[count + k].bytes(),
                 accumulators[k].mutable_bytes(), shape.element_count());
  }
  BodyRunner runner(context, body);
  const ElementGatherer gatherer(operands[0].shape(), reduced_dims);
  if (results[0].shape().element_count() > 0) {
    for (int64_t step = 0; step < gatherer.step_count(); ++step) {
      for (size_t k = 0; k < count; ++k) {
        gatherer.Gather(step, operands[k], elements[k]);
      }
      RETURN_IF_ERROR(Combine(runner, accumulators, elements, next));
      std::swap(accumulators, next);
    }
  }
  for (size_t k = 0; k < count; ++k) {
    std::memcpy(results[k].bytes(), accumulators[k].bytes(),
                results[k].byte_span().size());
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
