#ifndef LOCKSTEP_RUNTIME_OPS_LOCKSTEP_FUSION_H_
#define LOCKSTEP_RUNTIME_OPS_LOCKSTEP_FUSION_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// lockstep.fusion: ops that are one kernel. Operands are its inputs; its one
// region uses nothing but its arguments (argument i has the type of operand i)
// and what it computes; the results are what the region returns. Made by
// runtime/passes/optimize/fuse_loops.cc; programs do not contain it.
//
// The kind says what a backend may rely on:
//   loop    elementwise ops that are emitted, constants, iota, and ops that map
//           indices (broadcast_in_dim, reshape, transpose, slice, ..). All
//           results have the same dims.
//   reduce  as loop, with one or more reduces, all with the same operand dims
//           and the same reduced dims; what follows them has their result dims.
//           All results have those.
//   rows    values have the full dims [R.., C..] or the row dims [R..] (apart
//           from those that are read through ops that map indices). Reduces run
//           over the dims C, which are the last; broadcast_in_dim takes row
//           dims back to full dims. Results have either.
//   dot     a dot_general, then a bias or an activation (dot_epilogue.h). One
//           result, of the dot's type. Made where the backend takes it
//           (runtime/passes/optimize/fuse_dot_epilogues.cc).
enum class FusionKind { kLoop, kReduce, kRows, kDot };

inline constexpr absl::string_view kFusionOp = "lockstep.fusion";

absl::string_view FusionKindName(FusionKind kind);  // "loop"
// INVALID_ARGUMENT for an op without a known kind.
absl::StatusOr<FusionKind> FusionKindOf(const Op& fusion);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_LOCKSTEP_FUSION_H_
