#include "runtime/interpreter/region_evaluator.h"

#include <cstring>
#include <new>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/tuple_element.h"

namespace lockstep::internal {

// The results of one run of a region. A value that the region returns is
// written where the caller wants it.
class RegionEvaluator::Frame {
 public:
  Frame(const Region& region, absl::Span<const MutableLiteralView> results) {
    const std::vector<Value*>& returned = region.terminator()->operands();
    for (size_t i = 0; i < returned.size(); ++i) {
      const Op* op = returned[i]->defining_op();
      if (op == nullptr || op->parent() != &region) continue;
      placed_.emplace(returned[i], results[i]);
    }
  }

  // Memory for a result, with undefined content.
  absl::StatusOr<MutableLiteralView> Place(const Value* value) {
    const auto placed = placed_.find(value);
    if (placed != placed_.end()) return placed->second;
    const Shape& shape = value->shape();
    const size_t size = shape.byte_size();
    void* data = ::operator new[](size, kAlignment, std::nothrow);
    if (data == nullptr) {
      return absl::ResourceExhaustedError(
          absl::StrCat("no memory for ", size, " bytes of ", shape.ToString()));
    }
    buffers_.emplace_back(static_cast<std::byte*>(data));
    return MutableLiteralView(shape, buffers_.back().get());
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(std::byte* data) const {
      ::operator delete[](data, kAlignment);
    }
  };
  absl::flat_hash_map<const Value*, MutableLiteralView> placed_;
  std::vector<std::unique_ptr<std::byte[], Free>> buffers_;
};

absl::StatusOr<LiteralView> RegionEvaluator::Find(const Op& user,
                                                  const Value* value) const {
  const auto found = values_.find(value);
  if (found != values_.end()) return found->second;
  return user.Unimplemented(
      absl::StrCat("uses a value from outside that is not known here: ",
                   value->type().ToString()));
}

absl::Status RegionEvaluator::Evaluate(const Op& op, Frame& frame) {
  if (op.def() == nullptr || !op.def()->evaluate()) {
    return op.Unimplemented("no reference evaluation");
  }
  if (op.def()->kind() == OpKind::kTuple) return BindElement(op);
  absl::InlinedVector<LiteralView, 4> operands;
  for (const Value* operand : op.operands()) {
    ASSIGN_OR_RETURN(LiteralView view, Find(op, operand));
    operands.push_back(std::move(view));
  }
  absl::InlinedVector<MutableLiteralView, 2> results;
  for (const auto& result : op.results()) {
    ASSIGN_OR_RETURN(MutableLiteralView view, frame.Place(result.get()));
    results.push_back(view);
    values_[result.get()] = std::move(view);
  }
  return op.def()->evaluate()(*this, op, operands, results);
}

absl::Status RegionEvaluator::BindElement(const Op& op) {
  // Tuples and tokens have no value, but ops that pass them on copy some.
  static const Literal& nothing = *new Literal;
  const Value* result = op.result();
  values_[result] = nothing;
  if (op.name() != "stablehlo.get_tuple_element") return absl::OkStatus();
  ASSIGN_OR_RETURN(const Value* element, TupleElement(op));
  ASSIGN_OR_RETURN(values_[result], Find(op, element));
  return absl::OkStatus();
}

absl::Status RegionEvaluator::RunRegion(
    const Region& region, absl::Span<const LiteralView> arguments,
    absl::Span<const MutableLiteralView> results) {
  RETURN_IF_ERROR(place_.CheckRunning());
  for (size_t i = 0; i < arguments.size(); ++i) {
    Bind(region.arguments()[i].get(), arguments[i]);
  }
  Frame frame(region, results);
  const Op& end = *region.terminator();
  for (const auto& op : region.ops()) {
    if (op.get() != &end) RETURN_IF_ERROR(Evaluate(*op, frame));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (!end.operand(i)->type().is_tensor()) continue;
    ASSIGN_OR_RETURN(const LiteralView value, Find(end, end.operand(i)));
    if (value.bytes() == results[i].bytes()) continue;
    std::memcpy(results[i].bytes(), value.bytes(),
                results[i].byte_span().size());
  }
  return absl::OkStatus();
}

absl::Status RegionEvaluator::RunFunction(
    absl::string_view name, absl::Span<const LiteralView> arguments,
    absl::Span<const MutableLiteralView> results) {
  const Function* function =
      module_ == nullptr ? nullptr : module_->FindFunction(name);
  if (function == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("no function @", name));
  }
  return RunRegion(function->body(), arguments, results);
}

}  // namespace lockstep::internal
