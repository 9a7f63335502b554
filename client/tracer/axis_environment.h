#ifndef LOCKSTEP_CLIENT_TRACER_AXIS_ENVIRONMENT_H_
#define LOCKSTEP_CLIENT_TRACER_AXIS_ENVIRONMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lockstep {

// The named axes a function is mapped over, outermost first (spec J-13). A
// value type.
struct AxisEnvironment {
  int64_t replica_count = 1;
  std::vector<std::string> names;  // "": a private axis, which nobody can name
  std::vector<int64_t> sizes;
  // The copies are partitions of one program and the axes those of its mesh
  // (shard_map): collectives speak of partitions.
  bool is_mesh = false;

  // One axis, one replica per index.
  static AxisEnvironment OneAxis(absl::string_view name, int64_t size);

  // Positions of `axes` in `names`; the innermost wins. NOT_FOUND names the
  // axis and the bound names; INVALID_ARGUMENT an axis that occurs twice.
  absl::StatusOr<std::vector<int64_t>> Find(
      absl::Span<const std::string> axes) const;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_AXIS_ENVIRONMENT_H_
