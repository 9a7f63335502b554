#include "runtime/frontend/operands_text.h"

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

std::string DescribeDefinition(const Value* value) {
  if (const Op* op = value->defining_op()) {
    return absl::StrCat("result ", value->index(), " of ", op->name(), " at ",
                        op->location().ToString());
  }
  const Region& region = *value->region();
  if (const Function* function = region.parent_function()) {
    return absl::StrCat("argument ", value->index(), " of @", function->name(),
                        " at ", function->location().ToString());
  }
  if (const Op* op = region.parent_op()) {
    return absl::StrCat("argument ", value->index(), " of a region of ",
                        op->name(), " at ", op->location().ToString());
  }
  return absl::StrCat("argument ", value->index(), " of a region");
}

// The op that a message "f:1:2: stablehlo.add: .." is about.
const Op* FindOp(const Region& region, absl::string_view message) {
  for (const auto& op : region.ops()) {
    if (absl::StartsWith(message, absl::StrCat(op->location().ToString(), ": ",
                                               op->name(), ": "))) {
      return op.get();
    }
    for (const auto& inner : op->regions()) {
      if (const Op* found = FindOp(*inner, message)) return found;
    }
  }
  return nullptr;
}

}  // namespace

std::string OperandsText(
    absl::Span<const Value* const> operands,
    absl::FunctionRef<std::string(const Value*)> describe) {
  constexpr size_t kMost = 8;
  if (operands.empty()) return "";
  std::string text;
  for (size_t i = 0; i < std::min(operands.size(), kMost); ++i) {
    absl::StrAppend(&text, i == 0 ? " (" : "; ", "operand ", i, ": ",
                    operands[i]->type().ToString(), ", ",
                    describe(operands[i]));
  }
  if (operands.size() > kMost) {
    absl::StrAppend(&text, "; and ", operands.size() - kMost, " more");
  }
  return absl::StrCat(text, ")");
}

absl::Status WithOperands(const absl::Status& error, const Module& module) {
  if (!absl::IsInvalidArgument(error)) return error;
  const Op* op = nullptr;
  for (const auto& function : module.functions()) {
    if (op == nullptr) op = FindOp(function->body(), error.message());
  }
  if (op == nullptr) return error;
  const std::vector<const Value*> operands(op->operands().begin(),
                                           op->operands().end());
  return absl::Status(error.code(),
                      absl::StrCat(error.message(),
                                   OperandsText(operands, DescribeDefinition)));
}

}  // namespace lockstep::internal
