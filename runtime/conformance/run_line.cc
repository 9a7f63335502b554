#include "runtime/conformance/run_line.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/elements_literal.h"

namespace lockstep::internal {
namespace {

constexpr char kArguments[] = "--args=\"";

// "[dense<..> : T, dense<..> : T]" cut at the commas outside of brackets.
std::vector<absl::string_view> SplitList(absl::string_view text) {
  std::vector<absl::string_view> parts;
  int depth = 0;
  size_t begin = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '[' || c == '<' || c == '(';
    depth -= c == ']' || c == '>' || c == ')';
    if ((c == ',' && depth == 1) || (depth == 0 && i > begin)) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  return parts;
}

}  // namespace

RunLine ReadRunLine(absl::string_view file_text) {
  for (absl::string_view line : absl::StrSplit(file_text, '\n')) {
    if (!absl::ConsumePrefix(&line, "// RUN:")) continue;
    RunLine run;
    run.interprets = absl::StrContains(line, "--interpret ") ||
                     absl::EndsWith(line, "--interpret");
    run.compares_output = absl::StrContains(line, "| FileCheck %s") &&
                          !absl::StrContains(line, "--check-prefix");
    const size_t at = line.find(kArguments);
    if (at != absl::string_view::npos) {
      line.remove_prefix(at + sizeof(kArguments) - 1);
      run.arguments = std::string(line.substr(0, line.find('"')));
    }
    return run;
  }
  return {};
}

absl::StatusOr<std::vector<Literal>> ParseRunArguments(absl::string_view text) {
  std::string program = "func.func @arguments() {\n";
  for (absl::string_view value : SplitList(text)) {
    absl::StrAppend(&program, "  %", program.size(), " = stablehlo.constant ",
                    value, "\n");
  }
  absl::StrAppend(&program, "  return\n}\n");
  ASSIGN_OR_RETURN(const std::unique_ptr<Module> module,
                   ParseModule(program, "--args"));
  std::vector<Literal> literals;
  for (const auto& op : module->functions()[0]->body().ops()) {
    const Attribute* value = op->attribute("value");
    if (value == nullptr) continue;
    ASSIGN_OR_RETURN(Literal literal,
                     AllocateLiteral(*value->As<Attribute::Elements>()));
    literals.push_back(std::move(literal));
  }
  return literals;
}

}  // namespace lockstep::internal
