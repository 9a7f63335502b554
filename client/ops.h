#ifndef LOCKSTEP_CLIENT_OPS_H_
#define LOCKSTEP_CLIENT_OPS_H_

// All operations on traced tensors.

#include "client/collectives.h"    // IWYU pragma: export
#include "client/contraction.h"    // IWYU pragma: export
#include "client/control_flow.h"   // IWYU pragma: export
#include "client/creation.h"       // IWYU pragma: export
#include "client/data_movement.h"  // IWYU pragma: export
#include "client/elementwise.h"    // IWYU pragma: export
#include "client/reductions.h"     // IWYU pragma: export
#include "client/tensor.h"         // IWYU pragma: export

#endif  // LOCKSTEP_CLIENT_OPS_H_
