#ifndef LOCKSTEP_TESTS_BENCHMARK_COUNTED_RUN_H_
#define LOCKSTEP_TESTS_BENCHMARK_COUNTED_RUN_H_

#include "tests/benchmark/copy_counter.h"

namespace lockstep::internal {

// The counts of this run and of the processes that it starts, which have the
// counter of copies preloaded; null: it has not.
CopyCounts* CountsOfRun();
// Goes on as this program once more, with the counter, which lies beside it.
[[noreturn]] void RunWithCounter(char** argv);
// Of the run with the counter: takes back what RunWithCounter has left.
void EndCountedRun();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_BENCHMARK_COUNTED_RUN_H_
