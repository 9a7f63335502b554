#ifndef LOCKSTEP_RUNTIME_BACKENDS_SCHEDULE_H_
#define LOCKSTEP_RUNTIME_BACKENDS_SCHEDULE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/op.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// A position in Schedule::tensors.
using TensorId = int;

// A tensor in memory. Several values of the program may be one tensor: an
// argument of a called function is the tensor that the caller passes, a
// reshaped tensor is the tensor that it was. So the shape of a value is the
// value's; that of its tensor may have other dims.
struct ScheduledTensor {
  enum class TensorRole { kTemporary, kConstant, kArgument };
  Shape shape;
  TensorRole role = TensorRole::kTemporary;
  int index = 0;  // which constant or argument
};

// A value from outside that a region of a step's op uses.
struct Capture {
  const Value* value = nullptr;
  TensorId tensor = 0;
};

// One thing to do. What the lists hold depends on the kind:
//   kKernel       op; operands and results are the op's
//   kCopy         operands[0] -> results[0]
//   kPlace        op; results[0]
//   kCollective   op; operands and results are the op's
//   kWhile        operands[0]: the predicate, which nested[0] writes; nested[1]
//                 is the body. Both work on the carried tensors.
//   kConditional  operands[0]: the index or predicate; nested: the branches
struct Step {
  enum class Kind { kKernel, kCopy, kPlace, kCollective, kWhile, kConditional };
  Kind kind = Kind::kKernel;
  // What it came from; for copies the op that needs them. Never null.
  const Op* op = nullptr;
  std::vector<TensorId> operands;
  std::vector<TensorId> results;
  std::vector<Capture> captures;
  std::vector<std::vector<Step>> nested;
  // kWhile: what goes from one iteration to the next, and out of the loop.
  std::vector<TensorId> carried;
  // kCollective: memory for operands and for results as the communicator sees
  // them, part after part; by operand and by result, or empty where it sees
  // them as they lie.
  std::vector<TensorId> packed;
  std::vector<TensorId> arriving;
  // kKernel: memory for what its thunk keeps while it runs; one or none.
  std::vector<TensorId> scratch;
  // kCollective: how many of the steps behind it may run beside it, so that
  // what it uses must keep its bytes until after them.
  int overlapped_steps = 0;
};

// A program as steps in execution order, calls inlined, values assigned to
// tensors. Points into the module.
struct Schedule {
  std::vector<ScheduledTensor> tensors;
  std::vector<std::shared_ptr<const Literal>> constants;
  std::vector<Step> steps;
  std::vector<TensorId> arguments;
  // A tensor may stand here twice, and may be an argument or a constant.
  std::vector<TensorId> results;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_SCHEDULE_H_
