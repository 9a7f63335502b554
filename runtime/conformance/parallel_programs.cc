#include "runtime/conformance/parallel_programs.h"

#include <cstring>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/conformance/case_program.h"

namespace lockstep::internal {
namespace {

using ResultLists = std::vector<std::vector<Literal>>;

// The operands of run_parallel are the arguments of all programs, in order.
absl::StatusOr<ResultLists> SplitArguments(
    const Op& op, const ProcessGrid& grid,
    absl::Span<const LiteralView> operands) {
  ResultLists arguments;
  size_t next = 0;
  for (const Function* program : grid.programs) {
    const size_t count = program->body().arguments().size();
    if (next + count > operands.size()) break;
    std::vector<Literal>& list = arguments.emplace_back();
    for (size_t i = 0; i < count; ++i, ++next) {
      // Tokens have no value.
      const bool is_tensor =
          op.operand(static_cast<int>(next))->type().is_tensor();
      list.push_back(is_tensor ? Literal::CopyOf(operands[next]) : Literal());
    }
  }
  if (arguments.size() == grid.programs.size() && next == operands.size()) {
    return arguments;
  }
  return op.Error(absl::StrCat("expected the arguments of all programs, found ",
                               operands.size(), " operands"));
}

absl::Status PlaceResults(const Op& op, const ResultLists& lists,
                          absl::Span<const MutableLiteralView> results) {
  size_t next = 0;
  for (const std::vector<Literal>& list : lists) {
    for (const Literal& literal : list) {
      if (next == results.size() ||
          !(literal.shape() == results[next].shape())) {
        return op.Error("expected the results of all programs");
      }
      std::memcpy(results[next++].bytes(), literal.bytes(),
                  literal.byte_span().size());
    }
  }
  if (next == results.size()) return absl::OkStatus();
  return op.Error("expected the results of all programs");
}

bool SpeaksToHost(const Region& region) {
  for (const auto& op : region.ops()) {
    if (op->name() == "stablehlo.send" || op->name() == "stablehlo.recv") {
      return true;
    }
    for (const auto& nested : op->regions()) {
      if (SpeaksToHost(*nested)) return true;
    }
  }
  return false;
}

}  // namespace

bool SpeaksToHost(const Module& module) {
  return absl::c_any_of(module.functions(), [](const auto& function) {
    return SpeaksToHost(function->body());
  });
}

absl::Status RunParallel(ProgramRunner& runner,
                         const std::shared_ptr<const Module>& module,
                         const Op& op, absl::Span<const LiteralView> operands,
                         absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const ProcessGrid grid, ReadProcessGrid(op, *module));
  ASSIGN_OR_RETURN(ResultLists arguments, SplitArguments(op, grid, operands));
  ASSIGN_OR_RETURN(const ResultLists lists,
                   runner.Run(module, grid, std::move(arguments)));
  return PlaceResults(op, lists, results);
}

}  // namespace lockstep::internal
