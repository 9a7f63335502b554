#ifndef LOCKSTEP_RUNTIME_OPS_DOT_EPILOGUE_H_
#define LOCKSTEP_RUNTIME_OPS_DOT_EPILOGUE_H_

#include <functional>
#include <optional>
#include <vector>

#include "runtime/ir/op.h"

namespace lockstep::internal {

// What libraries of matrix products do with a sum before they store it:
// activation(dot + bias). Each op rounds as it says; whoever computes them at
// once decides whether that is kept.
struct DotEpilogue {
  enum class Activation {
    kNone,
    kRelu,  // maximum(x, 0)
    // x / 2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3))), with constants
    // rounded to the type of x, in the order of these ops or with 1/2 applied
    // later.
    kGelu,
  };

  const Op* dot = nullptr;
  // A vector along the last dims of the result, whose other dims have size 1;
  // null: nothing is added.
  Value* bias = nullptr;
  Activation activation = Activation::kNone;
  // The dot, the broadcast of the bias and what computes the rest, without
  // constants. Operands come before their users; the last one's result is that
  // of all.
  std::vector<const Op*> ops;
};

// The operands that a value is: one op for each, more than once where it is
// several of its operands.
using UsersOfValue = std::function<const std::vector<Op*>&(const Value*)>;

// What follows `dot`, a dot_general, in its region, if all that is computed on
// the way has no users but the next: the longest first. Without a bias or an
// activation there is none.
std::vector<DotEpilogue> EpiloguesAfter(const Op& dot,
                                        const UsersOfValue& users);

// What a fusion of kind dot computes. Nothing when that is something else.
std::optional<DotEpilogue> DotEpilogueOf(const Op& fusion);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_DOT_EPILOGUE_H_
