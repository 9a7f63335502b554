#ifndef LOCKSTEP_RUNTIME_IR_CONSTANT_VALUE_H_
#define LOCKSTEP_RUNTIME_IR_CONSTANT_VALUE_H_

#include <optional>

#include "runtime/ir/attribute.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// What a stablehlo.constant holds; null for other values.
const Attribute::Elements* ConstantOf(const Value* value);
// The same when all elements are one (a splat, or a tensor of one element); its
// first element is the one.
const Attribute::Elements* SplatOf(const Value* value);

// That element, exactly as a double, of a real number or pred. Nothing for
// other values and for integers that a double cannot hold.
std::optional<double> SplatNumber(const Value* value);

// Whether the element is exactly this number; of floats, with this sign, so -0
// is not 0.
bool IsSplat(const Value* value, double number);
// Whether all its bits are 1: -1, the largest unsigned integer, true.
bool IsSplatOfOnes(const Value* value);

// `number` as a scalar literal.
Literal ScalarOf(ElementType type, double number);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_CONSTANT_VALUE_H_
