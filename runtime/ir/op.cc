#include "runtime/ir/op.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

template <typename T>
absl::StatusOr<T> Located(const Op& op, absl::string_view attribute,
                          absl::StatusOr<T> value) {
  if (value.ok()) return value;
  return op.Error(absl::StrCat(attribute, ": ", value.status().message()));
}

}  // namespace

Region::Region() = default;
Region::~Region() = default;

Value* Region::AddArgument(Type type) {
  const int index = static_cast<int>(arguments_.size());
  arguments_.push_back(
      std::make_unique<Value>(std::move(type), nullptr, this, index));
  return arguments_.back().get();
}

Op* Region::Append(std::unique_ptr<Op> op) {
  op->parent_ = this;
  ops_.push_back(std::move(op));
  return ops_.back().get();
}

Region* Region::enclosing() const {
  return parent_op_ == nullptr ? enclosing_ : parent_op_->parent();
}

Op::Op(OpState state)
    : name_(std::move(state.name)),
      def_(state.def),
      location_(std::move(state.location)),
      operands_(std::move(state.operands)),
      attributes_(std::move(state.attributes)),
      regions_(std::move(state.regions)) {
  results_.reserve(state.result_types.size());
  for (Type& type : state.result_types) AddResult(std::move(type));
  for (auto& region : regions_) region->parent_op_ = this;
}

void Op::AddResult(Type type) {
  const int index = static_cast<int>(results_.size());
  results_.push_back(
      std::make_unique<Value>(std::move(type), this, nullptr, index));
}

absl::StatusOr<int64_t> Op::IntegerAttribute(absl::string_view name) const {
  const Attribute* value = attribute(name);
  if (value == nullptr) return Error(absl::StrCat("needs ", name));
  return Located(*this, name, IntegerOf(*value));
}

absl::StatusOr<int64_t> Op::IntegerAttributeOr(absl::string_view name,
                                               int64_t default_value) const {
  if (attribute(name) == nullptr) return default_value;
  return IntegerAttribute(name);
}

absl::StatusOr<std::vector<int64_t>> Op::IntegersAttribute(
    absl::string_view name) const {
  const Attribute* value = attribute(name);
  if (value == nullptr) return Error(absl::StrCat("needs ", name));
  return Located(*this, name, IntegersOf(*value));
}

absl::StatusOr<std::vector<int64_t>> Op::IntegersAttributeOr(
    absl::string_view name, std::vector<int64_t> default_value) const {
  if (attribute(name) == nullptr) return default_value;
  return IntegersAttribute(name);
}

absl::StatusOr<bool> Op::BoolAttributeOr(absl::string_view name,
                                         bool default_value) const {
  const Attribute* value = attribute(name);
  if (value == nullptr) return default_value;
  return Located(*this, name, BoolOf(*value));
}

absl::StatusOr<std::string> Op::EnumAttribute(absl::string_view name) const {
  const Attribute* value = attribute(name);
  if (value == nullptr) return Error(absl::StrCat("needs ", name));
  if (const auto* named = value->As<Attribute::Enum>()) return named->value;
  if (const auto* text = value->As<Attribute::String>()) return text->value;
  return Error(absl::StrCat(name, ": expected a name"));
}

absl::Status Op::Error(absl::string_view message) const {
  return InvalidAt(location_, absl::StrCat(name_, ": ", message));
}

absl::Status Op::Unimplemented(absl::string_view message) const {
  return ErrorAt(location_, absl::StatusCode::kUnimplemented,
                 absl::StrCat(name_, ": ", message));
}

}  // namespace lockstep::internal
