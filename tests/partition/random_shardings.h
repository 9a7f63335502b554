#ifndef LOCKSTEP_TESTS_PARTITION_RANDOM_SHARDINGS_H_
#define LOCKSTEP_TESTS_PARTITION_RANDOM_SHARDINGS_H_

#include <cstdint>

#include "runtime/ir/module.h"
#include "runtime/mesh/sharding/sharding_testing.h"

namespace lockstep::internal {

// Declares a random mesh of up to 8 devices, and puts random shardings on
// arguments and results of the functions of the module and on values in them,
// also in loops and branches: as attributes, constraints, reshards, barriers
// and groups. Dims are split whether axes divide them or not. What uses a
// constrained value may use the value itself instead, or what a manual
// computation makes of it, which is the value again. The module is verified,
// and is then.
void AddRandomShardings(RandomShardings& random, Module& module);

// What a variable of the environment says, to run more than tests do.
uint64_t NumberOfVariable(const char* name, uint64_t otherwise);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_PARTITION_RANDOM_SHARDINGS_H_
