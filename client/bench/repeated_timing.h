#ifndef LOCKSTEP_CLIENT_BENCH_REPEATED_TIMING_H_
#define LOCKSTEP_CLIENT_BENCH_REPEATED_TIMING_H_

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

namespace lockstep::internal {

// Seconds of one turn: the median of several rounds of `run(turns)`, each long
// enough for the clock, after one that is not counted. Errors are those of
// `run`, which returns when its turns are over.
absl::StatusOr<double> SecondsPerTurn(
    absl::FunctionRef<absl::Status(int turns)> run);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_BENCH_REPEATED_TIMING_H_
