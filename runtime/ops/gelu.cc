#include "runtime/ops/gelu.h"

#include <algorithm>

#include "absl/strings/string_view.h"
#include "runtime/ir/constant_value.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

constexpr double kRootOf2OverPi = 0.7978845608028654;
constexpr double kCubic = 0.044715;

bool Is(const Value* value, absl::string_view name) {
  return value->defining_op() != nullptr &&
         value->defining_op()->name() == name;
}

// The other operand of a binary op; null when `value` is not one of two.
const Value* Other(const Op& op, const Value* value) {
  if (op.operand_count() != 2) return nullptr;
  if (op.operand(0) == value) return op.operand(1);
  return op.operand(1) == value ? op.operand(0) : nullptr;
}

// A splat of what `number` is in the type.
bool IsRounded(const Value* value, double number) {
  const std::optional<double> found = SplatNumber(value);
  if (!found.has_value()) return false;
  Literal rounded(Shape(ElementType::kF64, {}));
  ConvertElements(ScalarOf(value->shape().element_type(), number),
                  rounded.mutable_view());
  return *found == rounded.data<double>()[0];
}

class GeluMatcher {
 public:
  GeluMatcher(const Value* x, const UsersOfValue& users)
      : x_(x), users_(users) {}

  std::optional<std::vector<const Op*>> Run() {
    for (const Op* sum : users_(x_)) {
      ops_.clear();
      if (sum->name() == "stablehlo.add" && AddsCubic(*sum) &&
          EndsAsGelu(*sum) && HasNoOtherUsers()) {
        return std::move(ops_);
      }
    }
    return std::nullopt;
  }

 private:
  // x + c * (x * x * x)
  bool AddsCubic(const Op& sum) {
    const Value* const scaled = Other(sum, x_);
    if (scaled == nullptr || !Is(scaled, "stablehlo.multiply")) return false;
    const Op& scale = *scaled->defining_op();
    for (const Value* cube : scale.operands()) {
      const Value* const factor = Other(scale, cube);
      if (factor == nullptr || !IsRounded(factor, kCubic) ||
          !Is(cube, "stablehlo.multiply")) {
        continue;
      }
      const Value* const square = Other(*cube->defining_op(), x_);
      if (square == nullptr || !Is(square, "stablehlo.multiply") ||
          square->defining_op()->operand(0) != x_ ||
          square->defining_op()->operand(1) != x_) {
        continue;
      }
      ops_ = {square->defining_op(), cube->defining_op(), &scale, &sum};
      return true;
    }
    return false;
  }

  // The only user, if it is this op.
  const Op* Next(const Op& op, absl::string_view name) {
    const std::vector<Op*>& users = users_(op.result());
    if (users.size() != 1 || users[0]->name() != name) return nullptr;
    return users[0];
  }

  // The only user, if it is this op with a splat of `number`.
  const Op* Next(const Op& op, absl::string_view name, double number) {
    const Op* const next = Next(op, name);
    if (next == nullptr) return nullptr;
    const Value* const other = Other(*next, op.result());
    return other != nullptr && IsRounded(other, number) ? next : nullptr;
  }

  bool EndsAsGelu(const Op& sum) {
    const Op* const scaled = Next(sum, "stablehlo.multiply", kRootOf2OverPi);
    if (scaled == nullptr) return false;
    const Op* const tanh = Next(*scaled, "stablehlo.tanh");
    if (tanh == nullptr) return false;
    const Op* const added = Next(*tanh, "stablehlo.add", 1);
    if (added == nullptr) return false;
    ops_.insert(ops_.end(), {scaled, tanh, added});
    const Op* const product = Next(*added, "stablehlo.multiply");
    if (product == nullptr) return false;
    const Value* const other = Other(*product, added->result());
    // 1/2 is applied to 1 + tanh, to the product or to x.
    if (IsRounded(other, 0.5)) {
      const Op* const last = Next(*product, "stablehlo.multiply");
      if (last == nullptr || Other(*last, product->result()) != x_) {
        return false;
      }
      ops_.insert(ops_.end(), {product, last});
      return true;
    }
    if (other == x_) {
      const Op* const last = Next(*product, "stablehlo.multiply", 0.5);
      if (last == nullptr) return false;
      ops_.insert(ops_.end(), {product, last});
      return true;
    }
    if (!Is(other, "stablehlo.multiply")) return false;
    const Value* const half = Other(*other->defining_op(), x_);
    if (half == nullptr || !IsRounded(half, 0.5)) return false;
    ops_.insert(ops_.end(), {other->defining_op(), product});
    return true;
  }

  bool HasNoOtherUsers() const {
    const auto are_inside = [this](const Value* value) {
      const std::vector<Op*>& users = users_(value);
      return std::all_of(users.begin(), users.end(), [this](const Op* user) {
        return std::find(ops_.begin(), ops_.end(), user) != ops_.end();
      });
    };
    return are_inside(x_) &&
           std::all_of(ops_.begin(), ops_.end() - 1,
                       [&](const Op* op) { return are_inside(op->result()); });
  }

  const Value* const x_;
  const UsersOfValue& users_;
  std::vector<const Op*> ops_;
};

}  // namespace

std::optional<std::vector<const Op*>> GeluOf(const Value* x,
                                             const UsersOfValue& users) {
  return GeluMatcher(x, users).Run();
}

}  // namespace lockstep::internal
