#ifndef LOCKSTEP_CLIENT_TRACER_OPS_H_
#define LOCKSTEP_CLIENT_TRACER_OPS_H_

// All operations on traced tensors.

#include "client/tracer/callbacks.h"         // IWYU pragma: export
#include "client/tracer/collectives.h"       // IWYU pragma: export
#include "client/tracer/contraction.h"       // IWYU pragma: export
#include "client/tracer/control_flow.h"      // IWYU pragma: export
#include "client/tracer/creation.h"          // IWYU pragma: export
#include "client/tracer/data_movement.h"     // IWYU pragma: export
#include "client/tracer/elementwise.h"       // IWYU pragma: export
#include "client/tracer/reductions.h"        // IWYU pragma: export
#include "client/tracer/tensor.h"            // IWYU pragma: export
#include "client/tracer/transfers.h"         // IWYU pragma: export
#include "client/tracer/tree_collectives.h"  // IWYU pragma: export

#endif  // LOCKSTEP_CLIENT_TRACER_OPS_H_
