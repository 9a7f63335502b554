#ifndef LOCKSTEP_CLIENT_TRACER_TRACE_H_
#define LOCKSTEP_CLIENT_TRACER_TRACE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/tracer/axis_environment.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"
#include "runtime/callbacks/host_callbacks.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op_builder.h"
#include "runtime/mesh/mesh.h"

namespace lockstep::internal {

// A value of the traced program, and what tracing knows of it beside its type.
// Owned by the trace.
struct TraceValue {
  TraceValue(Value* value, int64_t region)
      : value(value),
        region(region),
        shape_(value->type().is_tensor() ? value->shape() : Shape()) {}

  // May be gone, unless its region is open.
  Value* const value;
  // The number, in the trace, of the region in which it was made.
  const int64_t region;
  bool is_weak = false;
  // Of a number that was an argument: the same with all its digits.
  TraceValue* exact = nullptr;
  // Depends on no argument of the function and not on the device (spec K-5).
  bool is_constant = false;
  // Set when all elements are known to be this scalar.
  std::shared_ptr<const Literal> splat;

  // Not of a token.
  const Shape& shape() const { return shape_; }

 private:
  const Shape shape_;
};

using ValueOr = absl::StatusOr<TraceValue*>;

// An op to be. Its result types are inferred; `result` where the op leaves its
// type to whoever writes it (reshape, convert, iota), `results` where it leaves
// their number as well (custom_call).
struct TraceOp {
  absl::string_view name;  // "stablehlo.add"
  std::vector<TraceValue*> operands;
  std::vector<std::pair<absl::string_view, Attribute>> attributes = {};
  std::vector<std::unique_ptr<Region>> regions = {};
  std::optional<Shape> result = {};
  std::vector<Shape> results = {};
  bool gives_token = false;  // behind `results`
};

// One function while it is traced: a module under construction, the axes, the
// first error. Used by one thread.
class Trace : public std::enable_shared_from_this<Trace> {
 public:
  // `mesh`: of a program over whole arrays, whose partitions are its devices.
  explicit Trace(AxisEnvironment axes, std::optional<Mesh> mesh = std::nullopt);
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // The trace that runs on this thread, null when there is none. Only
  // operations without a tensor among their operands need it.
  static Trace* Current();

  // Makes a trace the current one of this thread.
  class Scope {
   public:
    explicit Scope(Trace* trace);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Trace* const previous_;
  };

  // Gives the ops to come the place of a call in the user's source.
  class PlaceScope {
   public:
    PlaceScope(Trace& trace, const SourceLocation& place);
    ~PlaceScope();
    PlaceScope(const PlaceScope&) = delete;
    PlaceScope& operator=(const PlaceScope&) = delete;

   private:
    Trace& trace_;
    const Location previous_;
  };

  const AxisEnvironment& axes() const { return axes_; }
  // Null: of a function that is mapped.
  const Mesh* mesh() const { return mesh_.has_value() ? &*mesh_ : nullptr; }
  // The symbol of a mesh in the program. INVALID_ARGUMENT: the program has
  // none, or other devices.
  absl::StatusOr<std::string> SymbolOf(const Mesh& mesh);
  // Of the collective at hand, in a program over a mesh.
  int64_t NextChannel() { return next_channel_++; }

  // In the body of a shard_map, its axes are those that collectives name.
  class MeshAxesScope {
   public:
    MeshAxesScope(Trace& trace, AxisEnvironment axes);
    ~MeshAxesScope();
    MeshAxesScope(const MeshAxesScope&) = delete;
    MeshAxesScope& operator=(const MeshAxesScope&) = delete;

   private:
    Trace& trace_;
    AxisEnvironment previous_;
  };
  // A nested map: an axis inside the others.
  void PushAxis(const std::string& name, int64_t size);
  void PopAxis();
  // The replicas that one index of the outer axes needs: 1 without nested
  // maps (spec J-7).
  int64_t body_replicas() const { return body_replicas_; }

  // Of the function.
  TraceValue* AddArgument(const Shape& shape);

  // A region for an op that will be built in the present one: new ops go into
  // it while `body` runs. `body` gets its arguments and gives what it returns.
  using RegionBody = std::function<absl::StatusOr<std::vector<TraceValue*>>(
      const std::vector<TraceValue*>& arguments)>;
  struct TracedRegion {
    std::unique_ptr<Region> region;
    std::vector<TraceValue*> results;
  };
  absl::StatusOr<TracedRegion> BuildRegion(
      absl::Span<const Shape> arguments, const RegionBody& body,
      absl::string_view terminator = "stablehlo.return");

  // The one way in which ops come into being: appends to the present region.
  // The error of a rule that does not hold is that of the op's definition,
  // "dot_general: ..".
  absl::StatusOr<std::vector<TraceValue*>> BuildAll(TraceOp op);
  // The same of an op with one result.
  ValueOr Build(TraceOp op);

  // A function of this process that the program calls; gives its number.
  int64_t AddCallback(HostCallbacks::Function function);
  // Null: there are none.
  std::shared_ptr<const HostCallbacks> callbacks() const { return callbacks_; }
  // Whether the program has calls of the host that it must make whatever its
  // results are, or sends.
  bool has_effects() const { return has_effects_; }

  // The value of a tensor or number. INVALID_ARGUMENT for a tensor of another
  // trace, or of a region that has ended or was given up. A poisoned tensor
  // gives ABORTED, which Fail ignores: its error is known already.
  ValueOr Resolve(const Operand& operand);

  // Keeps the first error.
  void Fail(const absl::Status& status);
  const absl::Status& status() const { return status_; }

  // Whether Finish was called.
  bool has_ended() const { return module_ == nullptr; }

  Tensor Wrap(TraceValue* value) { return Tensor(shared_from_this(), value); }

  // Ends the function: it returns `results`, and takes no arguments when it is
  // mapped, all of them are constants and there are no effects. The module is
  // given away, without the ops that no result and no effect needs; tensors
  // keep their shapes, and cannot be used any more.
  std::unique_ptr<Module> Finish(absl::string_view name, int64_t replicas,
                                 const std::vector<TraceValue*>& results);

 private:
  TraceValue* Own(Value* value);
  void SetResultTypes(const std::vector<TraceValue*>& results);
  void DropArguments();
  // mhlo.num_replicas follows the axes: collectives are checked against it.
  void SetReplicaCount(int64_t count);

  AxisEnvironment axes_;
  const std::optional<Mesh> mesh_;
  const int64_t given_replicas_;
  const size_t given_axes_;
  int64_t body_replicas_ = 1;
  std::unique_ptr<Module> module_;
  Function* main_;
  // In the innermost region that is being built.
  OpBuilder builder_;
  // The regions that are being built, the innermost last, by numbers: one that
  // was given up may be gone while tensors of it are still there.
  std::vector<int64_t> open_regions_ = {0};
  int64_t next_region_ = 1;
  int64_t next_channel_ = 1;
  std::deque<TraceValue> values_;
  absl::flat_hash_map<absl::string_view, std::shared_ptr<const std::string>>
      file_names_;
  std::shared_ptr<HostCallbacks> callbacks_;
  bool has_effects_ = false;
  absl::Status status_;
};

// The trace of the first tensor among the operands whose trace goes on, else
// the current one.
Trace* TraceOf(absl::Span<const Operand* const> operands);

// "file.cc:12: op: " before the message of `status`.
absl::Status AtCall(const SourceLocation& location, absl::string_view op,
                    const absl::Status& status);

// Runs the body of the public operation `op`: finds the trace of its operands
// (or the current one), and turns an error into the trace's, with the place of
// the call. Poisoned when it fails.
Tensor TraceOperation(absl::string_view op, const SourceLocation& location,
                      std::initializer_list<const Operand*> operands,
                      const std::function<ValueOr(Trace&)>& body);
// The same with the trace of any of `operands`.
Tensor TraceOperationOn(absl::string_view op, const SourceLocation& location,
                        absl::Span<const Operand* const> operands,
                        const std::function<ValueOr(Trace&)>& body);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_TRACE_H_
