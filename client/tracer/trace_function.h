#ifndef LOCKSTEP_CLIENT_TRACER_TRACE_FUNCTION_H_
#define LOCKSTEP_CLIENT_TRACER_TRACE_FUNCTION_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/tracer/axis_environment.h"
#include "client/tracer/tensor.h"
#include "runtime/mesh/mesh.h"

namespace lockstep {
namespace internal {
class HostCallbacks;
class Module;
}  // namespace internal

using TensorFunction =
    std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

// A function as a StableHLO program of one copy of it.
struct TracedFunction {
  // Never null. Ops have the places of the calls that made them.
  std::shared_ptr<const internal::Module> module;
  int64_t replica_count = 1;
  // What one index of the given axes needs: more than 1 when maps nest (J-7).
  int64_t body_replicas = 1;
  std::vector<Shape> results;
  // By result: depends on no argument and not on the device.
  std::vector<bool> is_constant;
  // The functions of this process that it calls; null: none.
  std::shared_ptr<const internal::HostCallbacks> callbacks;
  // It calls the host whatever its results are: see callbacks.h.
  bool has_effects = false;

  // The module as StableHLO text, without places.
  std::string text() const;
  // Every result is such a constant, and it has no effects; the program then
  // takes no arguments and runs anywhere (spec J-5).
  bool is_all_constant() const;
};

namespace internal {

// "pmap_step" for "pmap" and "step": a name that program text can hold. "": the
// transformation alone.
std::string ModuleName(absl::string_view transformation,
                       absl::string_view name);

}  // namespace internal

// Calls `function` once (twice when maps nest) with tensors of `arguments`;
// those at the positions `numbers`, scalars, are weakly typed. Errors: the
// first of a traced operation, "file.cc:12: op: .."; UNKNOWN for an exception
// that the function throws, with its text.
absl::StatusOr<TracedFunction> TraceFunction(
    absl::string_view name, const AxisEnvironment& axes,
    absl::Span<const Shape> arguments, const TensorFunction& function,
    absl::Span<const int> numbers = {});

// The same as a program over whole arrays, whose partitions are the devices of
// `mesh`, which it declares.
absl::StatusOr<TracedFunction> TraceFunctionOnMesh(
    absl::string_view name, const Mesh& mesh, absl::Span<const Shape> arguments,
    const TensorFunction& function, absl::Span<const int> numbers = {});

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_TRACE_FUNCTION_H_
