#ifndef LOCKSTEP_RUNTIME_OPS_ASSEMBLY_CONVOLUTION_ASSEMBLY_H_
#define LOCKSTEP_RUNTIME_OPS_ASSEMBLY_CONVOLUTION_ASSEMBLY_H_

#include "runtime/ir/assembly.h"

namespace lockstep::internal {

// "(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride =
// [2], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]}
// {feature_group_count = 1 : i64, ..} : (T, U) -> V".
AssemblyForm ConvolutionForm();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_ASSEMBLY_CONVOLUTION_ASSEMBLY_H_
