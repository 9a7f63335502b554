#include "client/jit/device_numbers.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/constant_value.h"

namespace lockstep::internal {
namespace {

// Far from what types of 32 bits cannot hold.
constexpr int64_t kLargest = int64_t{1} << 30;

bool IsOneInteger(const Value* value) {
  const Type& type = value->type();
  return type.is_tensor() && IsInteger(type.shape().element_type()) &&
         ByteSize(type.shape().element_type()) >= 4 &&
         type.shape().element_count() == 1;
}

// None: the op is another, or its result no such number.
std::optional<int64_t> Arithmetic(absl::string_view op, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflows = false;
  if (op == "stablehlo.add") {
    overflows = __builtin_add_overflow(a, b, &result);
  } else if (op == "stablehlo.subtract") {
    overflows = __builtin_sub_overflow(a, b, &result);
  } else if (op == "stablehlo.multiply") {
    overflows = __builtin_mul_overflow(a, b, &result);
  } else if (op == "stablehlo.divide" && a >= 0 && b > 0) {
    result = a / b;
  } else if (op == "stablehlo.remainder" && a >= 0 && b > 0) {
    result = a % b;
  } else {
    return std::nullopt;
  }
  if (overflows || result < 0 || result > kLargest) return std::nullopt;
  return result;
}

}  // namespace

const std::vector<int64_t>* DeviceNumbers::Find(const Value* value) const {
  const auto found = numbers_.find(value);
  return found == numbers_.end() ? nullptr : &found->second;
}

void DeviceNumbers::Visit(const Op& op) {
  if (op.result_count() != 1 || !IsOneInteger(op.result(0))) return;
  std::vector<int64_t> numbers = NumbersOf(op);
  if (!numbers.empty()) numbers_[op.result(0)] = std::move(numbers);
}

// Empty: not known.
std::vector<int64_t> DeviceNumbers::NumbersOf(const Op& op) const {
  if (op.name() == "stablehlo.partition_id") {
    std::vector<int64_t> devices(device_count_);
    std::iota(devices.begin(), devices.end(), 0);
    return devices;
  }
  if (op.name() == "stablehlo.constant") {
    const std::optional<double> number = SplatNumber(op.result(0));
    if (!number.has_value() || *number < 0 || *number > kLargest) return {};
    return std::vector<int64_t>(device_count_, static_cast<int64_t>(*number));
  }
  if (op.name() == "stablehlo.dynamic_slice") return EntriesOf(op);
  if (op.name() == "stablehlo.convert" || op.name() == "stablehlo.reshape") {
    const std::vector<int64_t>* same = Find(op.operand(0));
    return same == nullptr ? std::vector<int64_t>() : *same;
  }
  if (op.operand_count() != 2) return {};
  const std::vector<int64_t>* const lhs = Find(op.operand(0));
  const std::vector<int64_t>* const rhs = Find(op.operand(1));
  if (lhs == nullptr || rhs == nullptr) return {};
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < device_count_; ++i) {
    const auto number = Arithmetic(op.name(), (*lhs)[i], (*rhs)[i]);
    if (!number.has_value()) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

// Of a table of one dimension.
std::vector<int64_t> DeviceNumbers::EntriesOf(const Op& op) const {
  const Attribute::Elements* const table = ConstantOf(op.operand(0));
  if (table == nullptr || table->shape.rank() != 1) return {};
  const std::vector<int64_t>* const starts = Find(op.operand(1));
  const auto entries =
      IntegersOf(*op.operand(0)->defining_op()->attribute("value"));
  if (starts == nullptr || !entries.ok() || entries->empty()) return {};
  // Others may be different numbers in a type of fewer bits.
  const auto is_exact = [](int64_t entry) {
    return entry >= 0 && entry <= kLargest;
  };
  if (!absl::c_all_of(*entries, is_exact)) return {};
  std::vector<int64_t> numbers;
  for (int64_t start : *starts) {
    const auto last = static_cast<int64_t>(entries->size()) - 1;
    numbers.push_back((*entries)[std::clamp<int64_t>(start, 0, last)]);
  }
  return numbers;
}

}  // namespace lockstep::internal
