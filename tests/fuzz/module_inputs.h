#ifndef LOCKSTEP_TESTS_FUZZ_MODULE_INPUTS_H_
#define LOCKSTEP_TESTS_FUZZ_MODULE_INPUTS_H_

#include "runtime/ir/module.h"
#include "tests/fuzz/mutation_driver.h"

namespace lockstep::internal {

// What fuzz targets of programs share.

// The programs of tests/lit that are meant to parse or to be refused, and words
// that programs are made of.
FuzzSeeds ModuleSeeds();

// Whether the module is so small that compiling it takes no time to speak of:
// few functions, and 64 KiB of values in each.
bool IsSmall(const Module& module);
// Small, and without loops, which may not end.
bool EndsSoon(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_FUZZ_MODULE_INPUTS_H_
