#include "runtime/mesh/partitioning/logical_axis_rules_context.h"

#include <utility>

namespace lockstep {
namespace {

thread_local const LogicalAxisRulesContext* innermost = nullptr;

}  // namespace

LogicalAxisRulesContext::LogicalAxisRulesContext(LogicalAxisRules rules)
    : rules_(std::move(rules)), outer_(innermost) {
  innermost = this;
}

LogicalAxisRulesContext::~LogicalAxisRulesContext() { innermost = outer_; }

const LogicalAxisRules& CurrentLogicalAxisRules() {
  static const auto* const none = new LogicalAxisRules();
  return innermost == nullptr ? *none : innermost->rules_;
}

}  // namespace lockstep
