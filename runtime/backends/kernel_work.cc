#include "runtime/backends/kernel_work.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "runtime/ir/op_def.h"
#include "runtime/passes/op_cost.h"

namespace lockstep::internal {
namespace {

constexpr size_t kMostOps = 8;  // that are named

int64_t BytesOf(const Value& value) {
  return value.type().is_tensor() ? value.shape().byte_size() : 0;
}

bool IsFusion(const Op& op) {
  return op.def() != nullptr && op.def()->kind() == OpKind::kFusion;
}

// Whose results are parts of their first operand.
bool TakesParts(const Op& op) {
  return op.name() == "stablehlo.slice" ||
         op.name() == "stablehlo.dynamic_slice" ||
         op.name() == "stablehlo.gather" ||
         op.name() == "stablehlo.dynamic_gather";
}

// Which change parts of their first operand; null: it is none of those.
const Value* UpdateOf(const Op& op) {
  if (op.name() == "stablehlo.dynamic_update_slice") return op.operand(1);
  if (op.name() == "stablehlo.scatter" && op.operand_count() == 3) {
    return op.operand(2);
  }
  return nullptr;
}

// What `user` reads of `value`.
int64_t BytesReadBy(const Op& user, const Value& value, bool is_in_place) {
  int64_t bytes = 0;
  for (int i = 0; i < user.operand_count(); ++i) {
    if (user.operand(i) != &value) continue;
    if (i == 0 && TakesParts(user)) {
      bytes += BytesOf(*user.result());
    } else if (i > 0 || !is_in_place || UpdateOf(user) == nullptr) {
      return BytesOf(value);
    }
  }
  return bytes;
}

bool IsInPlace(const KernelRequest& request, size_t operand) {
  return std::any_of(request.results.begin(), request.results.end(),
                     [&](const TensorSlice& result) {
                       return result.slice == request.operands[operand].slice;
                     });
}

int64_t BytesRead(const KernelRequest& request, size_t operand) {
  const Op& op = *request.op;
  const Value& whole = *op.operand(static_cast<int>(operand));
  const bool is_in_place = IsInPlace(request, operand);
  if (!IsFusion(op)) return BytesReadBy(op, whole, is_in_place);
  const Region& region = op.region();
  if (operand >= region.arguments().size()) return BytesOf(whole);
  const Value& argument = *region.arguments()[operand];
  int64_t bytes = 0;
  for (const auto& user : region.ops()) {
    bytes += BytesReadBy(*user, argument, is_in_place);
  }
  return std::min(bytes, BytesOf(whole));
}

int64_t BytesWritten(const KernelRequest& request, size_t result) {
  const Op& op = *request.op;
  const Op* maker = &op;
  if (IsFusion(op) && op.region().terminator() != nullptr) {
    maker = op.region()
                .terminator()
                ->operand(static_cast<int>(result))
                ->defining_op();
  }
  const Value* update = maker == nullptr ? nullptr : UpdateOf(*maker);
  const BufferSlice& slice = request.results[result].slice;
  const bool is_in_place = std::any_of(
      request.operands.begin(), request.operands.end(),
      [&](const TensorSlice& operand) { return operand.slice == slice; });
  return update != nullptr && is_in_place ? BytesOf(*update) : slice.size;
}

// "add, exponential".
std::string OpsOf(const Op& op) {
  if (!IsFusion(op)) return "";
  std::vector<absl::string_view> names;
  for (const auto& inner : op.region().ops()) {
    if (inner->result_count() == 0) continue;
    if (inner->def() != nullptr && inner->def()->kind() == OpKind::kConstant) {
      continue;
    }
    absl::string_view name = absl::StripPrefix(inner->name(), "stablehlo.");
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  if (names.size() > kMostOps) {
    names.resize(kMostOps);
    names.push_back("...");
  }
  return absl::StrJoin(names, ", ");
}

}  // namespace

ThunkWork WorkOf(const KernelRequest& request) {
  ThunkWork work;
  work.flops = EstimateCost(*request.op).flops;
  work.ops = OpsOf(*request.op);
  int64_t bytes = 0;
  for (size_t i = 0; i < request.operands.size(); ++i) {
    const auto begin = request.op->operands().begin();
    // One that several operands are is read once.
    if (std::find(begin, begin + i, begin[i]) != begin + i) continue;
    bytes += BytesRead(request, i);
  }
  for (size_t i = 0; i < request.results.size(); ++i) {
    bytes += BytesWritten(request, i);
  }
  for (const auto& capture : request.captures) {
    bytes += capture.tensor.slice.size;
  }
  work.bytes = bytes;
  return work;
}

}  // namespace lockstep::internal
