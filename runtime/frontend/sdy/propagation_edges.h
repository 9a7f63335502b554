#ifndef LOCKSTEP_RUNTIME_FRONTEND_SDY_PROPAGATION_EDGES_H_
#define LOCKSTEP_RUNTIME_FRONTEND_SDY_PROPAGATION_EDGES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// An operand or a result of an op, by its number.
struct EdgeEnd {
  bool is_result = false;
  int64_t index = 0;

  std::string ToString() const;  // "operand-0"
  friend bool operator==(const EdgeEnd&, const EdgeEnd&) = default;
};

// One step of a propagation by Shardy in which an axis came from one value of
// an op to others. A value type.
struct PropagationEdge {
  std::string axis;  // without the sub-axis
  EdgeEnd source;
  std::vector<EdgeEnd> targets;
};

// What Shardy writes at an op when it is to say how shardings came about, as
// "#sdy.propagation_edges<[{step-0 = [{\"x\" = operand-0 -> [result-0]}]}]>".
// INVALID_ARGUMENT with the character where it reads on otherwise, or with the
// step: below 0, there twice, or with a target twice or one that is the source.
absl::StatusOr<std::vector<PropagationEdge>> ParsePropagationEdges(
    absl::string_view text);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_SDY_PROPAGATION_EDGES_H_
