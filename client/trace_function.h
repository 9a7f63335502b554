#ifndef LOCKSTEP_CLIENT_TRACE_FUNCTION_H_
#define LOCKSTEP_CLIENT_TRACE_FUNCTION_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/axis_environment.h"
#include "client/tensor.h"

namespace lockstep {

using TensorFunction =
    std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

// A function as a StableHLO program of one copy of it.
struct TracedFunction {
  std::string text;
  int64_t replica_count = 1;
  std::vector<Shape> results;
  // By result: depends on no argument and not on the device.
  std::vector<bool> is_constant;

  // Every result is such a constant; `text` then takes no arguments and runs
  // anywhere (spec J-5).
  bool is_all_constant() const;
};

// Calls `function` once with tensors of `arguments`. The first error of a
// traced operation, "file.cc:12: op: ..".
absl::StatusOr<TracedFunction> TraceFunction(absl::string_view name,
                                             const AxisEnvironment& axes,
                                             absl::Span<const Shape> arguments,
                                             const TensorFunction& function);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACE_FUNCTION_H_
