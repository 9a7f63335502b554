#include "runtime/ops/evaluation/elementwise_region.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// Elements that run at once: few enough to stay in the cache.
constexpr int64_t kBlockSize = 2048;

// Elementwise ops ask for nothing.
class NoContext : public EvaluationContext {
 public:
  absl::Status RunRegion(const Region&, absl::Span<const LiteralView>,
                         absl::Span<const MutableLiteralView>) override {
    return absl::InternalError("an elementwise op has no regions");
  }
  absl::Status RunFunction(absl::string_view, absl::Span<const LiteralView>,
                           absl::Span<const MutableLiteralView>) override {
    return absl::InternalError("an elementwise op calls no function");
  }
  int32_t replica_id() const override { return 0; }
  int32_t partition_id() const override { return 0; }
  absl::Status RunCollective(const Op&, const CollectiveSpec&,
                             absl::Span<const LiteralView>,
                             absl::Span<const MutableLiteralView>) override {
    return absl::InternalError("an elementwise op is no collective");
  }
};

bool IsScalar(const Value& value) {
  return value.type().is_tensor() && value.shape().rank() == 0;
}

}  // namespace

std::optional<ElementwiseRegion::Source> ElementwiseRegion::Find(
    const Value* value) const {
  if (value->region() == region_) {
    return Source{Source::kArgument, value->index()};
  }
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].op == value->defining_op()) {
      return Source{Source::kStep, static_cast<int>(i)};
    }
  }
  for (size_t i = 0; i < constants_.size(); ++i) {
    if (constants_[i] == value->defining_op()) {
      return Source{Source::kConstant, static_cast<int>(i)};
    }
  }
  return std::nullopt;
}

bool ElementwiseRegion::AddOp(const Op& op) {
  if (op.def() == nullptr) return false;
  if (op.def()->kind() == OpKind::kConstant && IsScalar(*op.result())) {
    constants_.push_back(&op);
    return true;
  }
  const bool is_end = &op == region_->terminator();
  if (!is_end &&
      (op.def()->kind() != OpKind::kElementwise || op.result_count() != 1)) {
    return false;
  }
  std::vector<Source> operands;
  for (const Value* operand : op.operands()) {
    const std::optional<Source> source = Find(operand);
    if (!source.has_value() || !IsScalar(*operand)) return false;
    operands.push_back(*source);
  }
  if (is_end) {
    returned_ = std::move(operands);
  } else {
    steps_.push_back({&op, std::move(operands)});
  }
  return true;
}

std::optional<ElementwiseRegion> ElementwiseRegion::Match(
    const Region& region) {
  ElementwiseRegion matched(region);
  for (const auto& op : region.ops()) {
    if (!matched.AddOp(*op)) return std::nullopt;
  }
  return matched;
}

// The buffers of up to kBlockSize elements.
class ElementwiseRegion::Block {
 public:
  Block(const ElementwiseRegion& region, int64_t capacity) : region_(region) {
    for (const BodyStep& step : region.steps_) {
      steps_.emplace_back(ShapeOf(*step.op, capacity));
    }
  }

  absl::Status FillConstants(int64_t capacity) {
    for (const Op* op : region_.constants_) {
      Literal scalar(op->result()->shape());
      const MutableLiteralView result = scalar.mutable_view();
      RETURN_IF_ERROR(op->def()->evaluate()(context_, *op, {}, {&result, 1}));
      constants_.emplace_back(ShapeOf(*op, capacity));
      FillElements(ByteSize(scalar.shape().element_type()), scalar.bytes(),
                   constants_.back().mutable_bytes(), capacity);
    }
    return absl::OkStatus();
  }

  // `count` elements from `first` on.
  absl::Status Run(int64_t first, int64_t count,
                   absl::Span<const std::byte* const> arguments,
                   absl::Span<std::byte* const> results) {
    const auto view = [&](const Source& source) {
      return View(source, first, count, arguments);
    };
    for (size_t i = 0; i < steps_.size(); ++i) {
      const BodyStep& step = region_.steps_[i];
      absl::InlinedVector<LiteralView, 3> operands;
      for (const Source& source : step.operands) {
        operands.push_back(view(source));
      }
      const MutableLiteralView result(ShapeOf(*step.op, count),
                                      steps_[i].mutable_bytes());
      RETURN_IF_ERROR(step.op->def()->evaluate()(context_, *step.op, operands,
                                                 {&result, 1}));
    }
    for (size_t k = 0; k < results.size(); ++k) {
      const LiteralView value = view(region_.returned_[k]);
      const int64_t size = ByteSize(value.shape().element_type());
      std::memcpy(results[k] + first * size, value.bytes(), count * size);
    }
    return absl::OkStatus();
  }

 private:
  static Shape ShapeOf(const Op& op, int64_t count) {
    return Shape(op.result()->shape().element_type(), {count});
  }

  LiteralView View(const Source& source, int64_t first, int64_t count,
                   absl::Span<const std::byte* const> arguments) {
    if (source.kind == Source::kArgument) {
      const ElementType type =
          region_.region_->arguments()[source.index]->shape().element_type();
      return LiteralView(Shape(type, {count}),
                         arguments[source.index] + first * ByteSize(type));
    }
    const Literal& literal = source.kind == Source::kStep
                                 ? steps_[source.index]
                                 : constants_[source.index];
    return LiteralView(Shape(literal.shape().element_type(), {count}),
                       literal.bytes());
  }

  const ElementwiseRegion& region_;
  NoContext context_;
  std::vector<Literal> steps_;
  std::vector<Literal> constants_;
};

ElementwiseRegion::Runner::Runner(const ElementwiseRegion& region)
    : region_(region) {}
ElementwiseRegion::Runner::~Runner() = default;

absl::Status ElementwiseRegion::Runner::Run(
    int64_t count, absl::Span<const std::byte* const> arguments,
    absl::Span<std::byte* const> results) {
  const int64_t wanted = std::min(count, kBlockSize);
  if (wanted > capacity_) {
    capacity_ = std::min(kBlockSize, std::max(wanted, 2 * capacity_));
    block_ = std::make_unique<Block>(region_, capacity_);
    RETURN_IF_ERROR(block_->FillConstants(capacity_));
  }
  for (int64_t first = 0; first < count; first += capacity_) {
    RETURN_IF_ERROR(block_->Run(first, std::min(capacity_, count - first),
                                arguments, results));
  }
  return absl::OkStatus();
}

absl::Status ElementwiseRegion::Run(
    int64_t count, absl::Span<const std::byte* const> arguments,
    absl::Span<std::byte* const> results) const {
  return Runner(*this).Run(count, arguments, results);
}

}  // namespace lockstep::internal
