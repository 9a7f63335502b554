#ifndef LOCKSTEP_CLIENT_EAGER_ARRAY_OPERATIONS_H_
#define LOCKSTEP_CLIENT_EAGER_ARRAY_OPERATIONS_H_

#include "client/arrays/array.h"
#include "client/eager/array_operand.h"
#include "client/tracer/source_location.h"
#include "runtime/types/element_type.h"

// The operations of elementwise.h on arrays, outside of mapped functions, one
// by one: each is a program, loaded once for the shapes, element types and
// shardings of its operands, and returns before its result is there. Values,
// broadcasting and element types are those of a traced function: numbers are
// weakly typed.
//
//   Array y = 2.0 * x + b;  // on the devices of x
//
// The result lies as the operands do:
//   over a mesh  by the sharding of the operands. Where they have several, each
//                dimension is split as in the first one that splits it, over
//                the mesh of the first; operands on the same devices that lie
//                otherwise are resharded. Values in host memory, which all
//                hosts pass equal, are cut up; they are compared as parts of
//                the call.
//   rows         on the same devices. In the host view a host's rows are its
//                own business, and no other host takes part.
//   host memory  when all operands lie there; computed at once.
//
// An operation on arrays over several hosts is a call, as those of mapped
// functions are: all hosts of the mesh make the same in the same order. Only
// resharding exchanges data; without it, a call that hosts make differently may
// be over, with results, when that is found and reported (spec M-19). On
// another host nothing happens, and the result has no shard there.
//
// Errors are in the result (see Array), and go on to what is computed of it, so
// that an expression needs one check, at its end. Other hosts get ABORTED with
// them, where they can still be told.
//   INVALID_ARGUMENT     shapes that do not broadcast; an operation that the
//                        element type lacks; operands on different devices, or
//                        one over a mesh and one of rows: names how both lie
//   FAILED_PRECONDITION  an operand was moved from or donated; operands of
//                        different views, or whose view has ended; hosts make
//                        different calls
// and those of the launch.

namespace lockstep {

Array operator+(const ArrayOperand& a, const ArrayOperand& b);
Array operator-(const ArrayOperand& a, const ArrayOperand& b);
Array operator*(const ArrayOperand& a, const ArrayOperand& b);
Array operator/(const ArrayOperand& a, const ArrayOperand& b);
Array operator-(const ArrayOperand& x);
Array operator==(const ArrayOperand& a, const ArrayOperand& b);
Array operator!=(const ArrayOperand& a, const ArrayOperand& b);
Array operator<(const ArrayOperand& a, const ArrayOperand& b);
Array operator<=(const ArrayOperand& a, const ArrayOperand& b);
Array operator>(const ArrayOperand& a, const ArrayOperand& b);
Array operator>=(const ArrayOperand& a, const ArrayOperand& b);
Array& operator+=(Array& a, const ArrayOperand& b);
Array& operator-=(Array& a, const ArrayOperand& b);
Array& operator*=(Array& a, const ArrayOperand& b);
Array& operator/=(Array& a, const ArrayOperand& b);

// Two overloads, so that maximum(1, 2) remains that of traced functions.
#define LOCKSTEP_ARRAY_OPERATION(name)               \
  Array name(const Array& a, const ArrayOperand& b); \
  Array name(const ArrayNumber& a, const Array& b);
LOCKSTEP_ARRAY_OPERATION(add)
LOCKSTEP_ARRAY_OPERATION(subtract)
LOCKSTEP_ARRAY_OPERATION(multiply)
LOCKSTEP_ARRAY_OPERATION(divide)
LOCKSTEP_ARRAY_OPERATION(div)
LOCKSTEP_ARRAY_OPERATION(maximum)
LOCKSTEP_ARRAY_OPERATION(minimum)
LOCKSTEP_ARRAY_OPERATION(power)
LOCKSTEP_ARRAY_OPERATION(equal)
LOCKSTEP_ARRAY_OPERATION(not_equal)
LOCKSTEP_ARRAY_OPERATION(less)
LOCKSTEP_ARRAY_OPERATION(less_equal)
LOCKSTEP_ARRAY_OPERATION(greater)
LOCKSTEP_ARRAY_OPERATION(greater_equal)
LOCKSTEP_ARRAY_OPERATION(logical_and)
LOCKSTEP_ARRAY_OPERATION(logical_or)
#undef LOCKSTEP_ARRAY_OPERATION

#define LOCKSTEP_ARRAY_OPERATION(name) \
  Array name(const Array& x,           \
             SourceLocation location = SourceLocation::current());
LOCKSTEP_ARRAY_OPERATION(negative)
LOCKSTEP_ARRAY_OPERATION(abs)
LOCKSTEP_ARRAY_OPERATION(sign)
LOCKSTEP_ARRAY_OPERATION(exp)
LOCKSTEP_ARRAY_OPERATION(log)
LOCKSTEP_ARRAY_OPERATION(tanh)
LOCKSTEP_ARRAY_OPERATION(logistic)
LOCKSTEP_ARRAY_OPERATION(sqrt)
LOCKSTEP_ARRAY_OPERATION(rsqrt)
LOCKSTEP_ARRAY_OPERATION(square)
LOCKSTEP_ARRAY_OPERATION(isfinite)
LOCKSTEP_ARRAY_OPERATION(logical_not)
#undef LOCKSTEP_ARRAY_OPERATION

Array where(const Array& predicate, const ArrayOperand& a,
            const ArrayOperand& b);
Array clip(const Array& x, const ArrayOperand& low, const ArrayOperand& high);
Array astype(const Array& x, ElementType type,
             SourceLocation location = SourceLocation::current());

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_EAGER_ARRAY_OPERATIONS_H_
