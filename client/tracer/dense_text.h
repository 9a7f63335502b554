#ifndef LOCKSTEP_CLIENT_TRACER_DENSE_TEXT_H_
#define LOCKSTEP_CLIENT_TRACER_DENSE_TEXT_H_

#include <string>
#include <vector>

#include "runtime/types/literal.h"

namespace lockstep::internal {

// A literal as StableHLO text writes it, with its exact bits:
// "dense<[1.0, 2.0]> : tensor<2xf32>". A splat when all
// elements have the same bits; a hex blob when there are many.
std::string DenseText(const Literal& literal);

// "dense<1.0> : tensor<4xf32>".
std::string SplatText(const Literal& scalar, const Shape& shape);

// Lists of lists of one length:
// "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>". Shorter lists are padded with
// -1. `columns` is the length when there are no rows.
std::string TableText(const std::vector<std::vector<int64_t>>& rows,
                      int64_t columns = 0);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_DENSE_TEXT_H_
