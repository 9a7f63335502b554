#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_TENSOR_TEXT_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_TENSOR_TEXT_H_

#include <string>

#include "runtime/types/literal.h"

namespace lockstep::internal {

// A tensor as the suites expect it to be printed: its type, then a row of the
// last dimension a line, between braces.
//
//   tensor<2x2xi8> {
//     [
//       [1, 2],
//       [3, 4]
//     ]
//   }
//
// A scalar stands on one line, "tensor<ui8> {1}"; floats have an exponent,
// "1.500000e+00"; complex numbers are pairs, "[1.0, 2.0]".
std::string TensorText(const LiteralView& tensor);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_TENSOR_TEXT_H_
