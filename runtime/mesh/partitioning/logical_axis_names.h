#ifndef LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOGICAL_AXIS_NAMES_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOGICAL_AXIS_NAMES_H_

#include <concepts>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "runtime/mesh/partition_spec.h"

namespace lockstep {

// T-3: the logical names of an array's dimensions, such as 'embed'. A dimension
// may have none (null), or be UNCONSTRAINED. A leaf of trees, not a list. A
// value type.
//
//   LogicalAxisNames("vocab", "embed")
class LogicalAxisNames {
 public:
  LogicalAxisNames() = default;
  template <typename... Names>
    requires(sizeof...(Names) > 0 &&
             (std::convertible_to<Names, SpecEntry> && ...))
  explicit LogicalAxisNames(Names... names)
      : names_{SpecEntry(std::move(names))...} {}
  static LogicalAxisNames FromEntries(std::vector<SpecEntry> names) {
    LogicalAxisNames result;
    result.names_ = std::move(names);
    return result;
  }

  absl::Span<const SpecEntry> names() const { return names_; }

  // "AxisNames('embed', 'mlp')".
  std::string ToString() const;
  friend bool operator==(const LogicalAxisNames&,
                         const LogicalAxisNames&) = default;

 private:
  std::vector<SpecEntry> names_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOGICAL_AXIS_NAMES_H_
