#include "client/eager/operation_program.h"

#include "client/pmap/constant_evaluation.h"
#include "client/tracer/creation.h"
#include "client/tracer/data_movement.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

Operand Seen(const Tensor& tensor, const EagerArgument& argument) {
  if (!argument.dropped_dim.has_value()) {
    return Operand(tensor, argument.location);
  }
  std::vector<int64_t> dims(tensor.shape().dims().begin(),
                            tensor.shape().dims().end());
  dims.erase(dims.begin() + *argument.dropped_dim);
  return Operand(reshape(tensor, dims), argument.location);
}

}  // namespace

absl::StatusOr<TracedFunction> TraceEager(
    const EagerOperation& operation,
    const std::vector<EagerArgument>& arguments, int64_t copies) {
  std::vector<Shape> shapes;
  std::vector<int> numbers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    shapes.push_back(arguments[i].shape);
    if (arguments[i].is_number) numbers.push_back(static_cast<int>(i));
  }
  return TraceFunction(
      operation.name, AxisEnvironment::OneAxis("devices", copies), shapes,
      [&](const std::vector<Tensor>& tensors) {
        std::vector<Operand> operands;
        for (size_t i = 0; i < tensors.size(); ++i) {
          operands.push_back(Seen(tensors[i], arguments[i]));
        }
        return std::vector<Tensor>{operation.trace(operands)};
      },
      numbers);
}

absl::StatusOr<Literal> EvaluateEager(
    const EagerOperation& operation,
    const std::vector<ArrayOperand>& operands) {
  ASSIGN_OR_RETURN(
      const TracedFunction traced,
      TraceFunction(operation.name, AxisEnvironment(), {},
                    [&](const std::vector<Tensor>&) {
                      std::vector<Operand> values;
                      for (const ArrayOperand& operand : operands) {
                        if (operand.is_number()) {
                          values.push_back(operand.number());
                        } else {
                          values.emplace_back(
                              constant(*operand.array().host_value()),
                              operand.location());
                        }
                      }
                      return std::vector<Tensor>{operation.trace(values)};
                    }));
  return ConstantResult(traced);
}

absl::StatusOr<Literal> ConstantResult(const TracedFunction& traced) {
  ASSIGN_OR_RETURN(std::vector<Literal> results,
                   EvaluateConstants(*traced.module));
  return std::move(results[0]);
}

}  // namespace lockstep::internal
