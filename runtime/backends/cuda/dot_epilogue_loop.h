#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_DOT_EPILOGUE_LOOP_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_DOT_EPILOGUE_LOOP_H_

#include <memory>

#include "runtime/ir/op.h"
#include "runtime/ops/dot_epilogue.h"

namespace lockstep::internal {

// What follows the dot as a fusion of kind loop that is in no region: its
// operands are the dot's result and, where there is one, the bias.
std::unique_ptr<Op> LoopAfterDot(const DotEpilogue& epilogue);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_DOT_EPILOGUE_LOOP_H_
