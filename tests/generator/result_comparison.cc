#include "tests/generator/result_comparison.h"

#include "absl/strings/str_cat.h"
#include "runtime/conformance/check_rules.h"

namespace lockstep::internal {
namespace {

CheckRule RuleFor(const ResultTolerance& tolerance, ElementType type) {
  CheckRule rule;
  if (!IsFloat(type) && !IsSmallFloat(type) && !IsComplex(type)) return rule;
  rule.kind = CheckRule::Kind::kAlmostEqual;
  rule.tolerance = tolerance.is_exact ? 0 : tolerance.absolute;
  return rule;
}

}  // namespace

std::optional<std::string> FirstMismatch(const RandomProgram& program,
                                         const std::vector<Literal>& expected,
                                         const std::vector<Literal>& found) {
  for (size_t i = 0; i < expected.size(); ++i) {
    const CheckRule rule =
        RuleFor(program.tolerances[i], expected[i].shape().element_type());
    const auto mismatch = Mismatch(rule, found[i], expected[i]);
    if (mismatch) return absl::StrCat("result ", i, ": ", *mismatch);
  }
  return std::nullopt;
}

}  // namespace lockstep::internal
