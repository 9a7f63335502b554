#ifndef LOCKSTEP_CLIENT_TRACER_TRACE_H_
#define LOCKSTEP_CLIENT_TRACER_TRACE_H_

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/tracer/axis_environment.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"

namespace lockstep::internal {

struct TraceOp;
struct TraceBlock;

// A value of the traced program. Owned by the op or block that defines it.
struct TraceValue {
  Shape shape;
  bool is_weak = false;
  // Of a number that was an argument: the same with all its digits.
  TraceValue* exact = nullptr;
  // Depends on no argument of the function and not on the device (spec K-5).
  bool is_constant = false;
  // Set when all elements are known to be this scalar.
  std::shared_ptr<const Literal> splat;
  TraceOp* op = nullptr;  // null: an argument of `block`
  TraceBlock* block = nullptr;
  int index = 0;
};

// An op: its StableHLO text, in which $0, $1, .. stand for the operands' names
// and $R for the regions.
struct TraceOp {
  std::string text;
  std::string name_hint;  // "": numbered; "c", "cst"
  std::vector<TraceValue*> operands;
  std::vector<std::unique_ptr<TraceBlock>> regions;
  std::vector<std::unique_ptr<TraceValue>> results;
};

// A region with one block.
struct TraceBlock {
  TraceBlock* parent = nullptr;
  std::vector<std::unique_ptr<TraceValue>> arguments;
  std::vector<std::unique_ptr<TraceOp>> ops;
  std::vector<TraceValue*> returns;
};

// What TraceOp needs, before the trace owns it.
struct OpBuilder {
  std::string text;
  std::vector<TraceValue*> operands;
  std::vector<Shape> results;
  std::vector<std::unique_ptr<TraceBlock>> regions = {};
  std::string name_hint = "";
  // The op reads where it runs (replica_id, collectives).
  bool depends_on_device = false;
};

// One function while it is traced: its ops so far, its axes, its first error.
// Used by one thread.
class Trace : public std::enable_shared_from_this<Trace> {
 public:
  explicit Trace(AxisEnvironment axes)
      : axes_(std::move(axes)),
        given_replicas_(axes_.replica_count),
        given_axes_(axes_.sizes.size()) {}
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

  // New ops go into `block` as long as this lives. Blocks nest.
  class BlockScope {
   public:
    BlockScope(Trace& trace, TraceBlock* block);
    ~BlockScope();
    BlockScope(const BlockScope&) = delete;
    BlockScope& operator=(const BlockScope&) = delete;

   private:
    Trace& trace_;
    TraceBlock* const previous_;
  };

  const AxisEnvironment& axes() const { return axes_; }
  // A nested map: an axis inside the others.
  void PushAxis(const std::string& name, int64_t size);
  void PopAxis();
  // The replicas that one index of the outer axes needs: 1 without nested
  // maps (spec J-7).
  int64_t body_replicas() const { return body_replicas_; }
  TraceBlock& main() { return main_; }

  TraceValue* AddArgument(TraceBlock& block, const Shape& shape);
  // Appends to the present block.
  TraceOp* Add(OpBuilder builder);
  // The single result of Add.
  TraceValue* AddValue(OpBuilder builder);

  // The value of a tensor or number. INVALID_ARGUMENT for a tensor of another
  // trace, or of a block that has ended. A poisoned tensor gives ABORTED, which
  // Fail ignores: its error is known already.
  absl::StatusOr<TraceValue*> Resolve(const Operand& operand);

  // Keeps the first error.
  void Fail(const absl::Status& status);
  const absl::Status& status() const { return status_; }

  Tensor Wrap(TraceValue* value) { return Tensor(shared_from_this(), value); }

 private:
  AxisEnvironment axes_;
  const int64_t given_replicas_;
  const size_t given_axes_;
  int64_t body_replicas_ = 1;
  TraceBlock main_;
  TraceBlock* block_ = &main_;
  absl::Status status_;
};

// "file.cc:12: op: " before the message of `status`.
absl::Status AtCall(const SourceLocation& location, absl::string_view op,
                    const absl::Status& status);

using ValueOr = absl::StatusOr<TraceValue*>;

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
