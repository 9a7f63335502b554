#ifndef LOCKSTEP_RUNTIME_PASSES_OP_COST_H_
#define LOCKSTEP_RUNTIME_PASSES_OP_COST_H_

#include <cstdint>

#include "runtime/ir/op.h"

namespace lockstep::internal {

// What one execution of an op takes, as estimated from its shapes. A product
// and a sum are two flops; whatever else makes one element of others, an
// exponential too, is one. Loops count as one run of their body, branches as
// all of them.
struct OpCost {
  double flops = 0;
  int64_t bytes_read = 0;     // of its operands
  int64_t bytes_written = 0;  // of its results
  // What a device sends to others in collectives, at least: of n devices that
  // gather or reduce, each has to send (n - 1) / n of the whole.
  double bytes_sent = 0;
};

OpCost EstimateCost(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_OP_COST_H_
