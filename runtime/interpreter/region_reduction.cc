#include "runtime/interpreter/region_reduction.h"

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/interpreter/region_evaluator.h"
#include "runtime/ops/evaluation/elementwise_region.h"
#include "runtime/ops/reduction_body.h"

namespace lockstep::internal {
namespace {

std::optional<ReductionKind> KindOf(absl::string_view op_name) {
  static constexpr std::pair<absl::string_view, ReductionKind> kKinds[] = {
      {"stablehlo.add", ReductionKind::kAdd},
      {"stablehlo.multiply", ReductionKind::kMultiply},
      {"stablehlo.maximum", ReductionKind::kMaximum},
      {"stablehlo.minimum", ReductionKind::kMinimum},
      {"stablehlo.and", ReductionKind::kAnd},
      {"stablehlo.or", ReductionKind::kOr},
      {"stablehlo.xor", ReductionKind::kXor},
  };
  for (const auto& [name, kind] : kKinds) {
    if (name == op_name) return kind;
  }
  return std::nullopt;
}

// No device: a body is a pure function.
class NoPlace : public ExecutionPlace {
 public:
  int32_t replica_id() const override { return 0; }
  int32_t partition_id() const override { return 0; }
  absl::Status CheckRunning() override { return absl::OkStatus(); }
  absl::Status RunCollective(const Op& op, const CollectiveSpec&,
                             absl::Span<const LiteralView>,
                             absl::Span<const MutableLiteralView>) override {
    return op.Unimplemented("a collective in the body of a collective");
  }
};

// Runs the body as it is written, in the type it is written in.
class RegionReduction : public Reduction {
 public:
  explicit RegionReduction(const Region& body)
      : body_(body),
        type_(body.arguments()[0]->shape().element_type()),
        elementwise_(ElementwiseRegion::Match(body)) {}

  ElementType element_type() const override { return type_; }
  ElementType accumulation_type() const override { return type_; }

  void Load(const std::byte* operand, std::byte* accumulator,
            int64_t count) const override {
    std::memcpy(accumulator, operand, count * ByteSize(type_));
  }
  void Store(const std::byte* accumulator, std::byte* result,
             int64_t count) const override {
    std::memcpy(result, accumulator, count * ByteSize(type_));
  }

  absl::Status Combine(std::byte* accumulator, const std::byte* operand,
                       int64_t count) const override {
    Literal result(Shape(type_, {count}));
    std::byte* bytes = result.mutable_bytes();
    if (elementwise_.has_value()) {
      RETURN_IF_ERROR(
          elementwise_->Run(count, {accumulator, operand}, {bytes}));
    } else {
      RETURN_IF_ERROR(CombineOneByOne(accumulator, operand, bytes, count));
    }
    std::memcpy(accumulator, bytes, count * ByteSize(type_));
    return absl::OkStatus();
  }

 private:
  absl::Status CombineOneByOne(const std::byte* accumulator,
                               const std::byte* operand, std::byte* result,
                               int64_t count) const {
    NoPlace place;
    RegionEvaluator evaluator(nullptr, place);
    const Shape scalar(type_, {});
    for (int64_t i = 0; i < count * ByteSize(type_); i += ByteSize(type_)) {
      RETURN_IF_ERROR(
          evaluator.RunRegion(body_,
                              {LiteralView(scalar, accumulator + i),
                               LiteralView(scalar, operand + i)},
                              {MutableLiteralView(scalar, result + i)}));
    }
    return absl::OkStatus();
  }

  const Region& body_;
  const ElementType type_;
  const std::optional<ElementwiseRegion> elementwise_;
};

bool IsInside(const Region* region, const Region& body) {
  while (region != nullptr && region != &body) {
    region = region->parent_op() == nullptr ? nullptr
                                            : region->parent_op()->parent();
  }
  return region != nullptr;
}

absl::Status CheckClosed(const Region& region, const Region& body) {
  for (const auto& op : region.ops()) {
    for (const Value* operand : op->operands()) {
      const Region* home = operand->defining_op() == nullptr
                               ? operand->region()
                               : operand->defining_op()->parent();
      if (!IsInside(home, body)) {
        return op->Unimplemented(
            "a body of a collective that uses values from outside");
      }
    }
    for (const auto& nested : op->regions()) {
      RETURN_IF_ERROR(CheckClosed(*nested, body));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Reduction>> ReductionOf(
    const Region& body) {
  if (const Op* op = SingleOpBody(body)) {
    const ElementType type = op->result()->shape().element_type();
    const std::optional<ReductionKind> kind = KindOf(op->name());
    if (kind.has_value() && IsSmall(type)) {
      return body.parent_op()->Unimplemented(absl::StrCat(
          "a reduction of ", StablehloName(type), ": convert the operand to ",
          !IsInteger(type)          ? "f32"
          : IsUnsignedInteger(type) ? "ui8"
                                    : "i8",
          ", and the result back"));
    }
    if (kind.has_value()) {
      ASSIGN_OR_RETURN(std::unique_ptr<Reduction> native,
                       MakeReduction(*kind, type));
      return std::shared_ptr<const Reduction>(std::move(native));
    }
  }
  RETURN_IF_ERROR(CheckClosed(body, body));
  return std::make_shared<const RegionReduction>(body);
}

}  // namespace lockstep::internal
