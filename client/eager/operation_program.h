#ifndef LOCKSTEP_CLIENT_EAGER_OPERATION_PROGRAM_H_
#define LOCKSTEP_CLIENT_EAGER_OPERATION_PROGRAM_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/arrays/view.h"
#include "client/eager/array_operand.h"
#include "client/tracer/tensor.h"
#include "client/tracer/trace_function.h"
#include "runtime/types/host_tensor.h"
#include "runtime/types/literal.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// What an operation does in a traced function.
struct EagerOperation {
  std::string name;  // tells it apart from all others
  std::function<Tensor(const std::vector<Operand>&)> trace;
};

// An operand as a program takes it.
struct EagerArgument {
  Shape shape;
  bool is_number = false;
  // A dimension of size 1 that the operation does not see.
  std::optional<int64_t> dropped_dim = {};
  SourceLocation location;
};

// The operation as a program of so many copies. INVALID_ARGUMENT: of the
// operation, with the place of its call.
absl::StatusOr<TracedFunction> TraceEager(
    const EagerOperation& operation,
    const std::vector<EagerArgument>& arguments, int64_t copies);

// The operation on values in host memory, and on numbers, here and at once.
absl::StatusOr<Literal> EvaluateEager(
    const EagerOperation& operation, const std::vector<ArrayOperand>& operands);

// The value of a program whose results depend on shapes alone.
absl::StatusOr<Literal> ConstantResult(const TracedFunction& traced);

// What a view keeps of an operation for one kind of operands.
class LoadedEager : public ViewProgram {
 public:
  explicit LoadedEager(std::shared_ptr<ViewProgram> program)
      : program_(std::move(program)) {}
  explicit LoadedEager(HostTensor constant) : constant_(std::move(constant)) {}

  // Null: every shard of the result is the constant.
  const std::shared_ptr<ViewProgram>& program() const { return program_; }
  const HostTensor& constant() const { return constant_; }

 private:
  const std::shared_ptr<ViewProgram> program_;
  const HostTensor constant_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_EAGER_OPERATION_PROGRAM_H_
