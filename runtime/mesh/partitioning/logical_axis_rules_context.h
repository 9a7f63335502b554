#ifndef LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOGICAL_AXIS_RULES_CONTEXT_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOGICAL_AXIS_RULES_CONTEXT_H_

#include "runtime/mesh/partitioning/logical_axes.h"

namespace lockstep {

// T-22: rules in scope on this thread while it lives. Contexts nest and end in
// the reverse order, on the thread that made them.
class LogicalAxisRulesContext {
 public:
  explicit LogicalAxisRulesContext(LogicalAxisRules rules);
  ~LogicalAxisRulesContext();
  LogicalAxisRulesContext(const LogicalAxisRulesContext&) = delete;
  LogicalAxisRulesContext& operator=(const LogicalAxisRulesContext&) = delete;

 private:
  friend const LogicalAxisRules& CurrentLogicalAxisRules();

  const LogicalAxisRules rules_;
  const LogicalAxisRulesContext* const outer_;
};

// Those of the innermost context of this thread; empty without one.
const LogicalAxisRules& CurrentLogicalAxisRules();

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOGICAL_AXIS_RULES_CONTEXT_H_
