#ifndef LOCKSTEP_TESTS_PROPERTY_MODULE_GENERATOR_H_
#define LOCKSTEP_TESTS_PROPERTY_MODULE_GENERATOR_H_

#include <cstdint>
#include <memory>

#include "runtime/ir/module.h"

namespace lockstep::internal {

// A module of random structure: functions, nested regions, several results,
// constants of every element type with random bits, attributes of every kind.
// The same seed gives the same module. It parses; it does not verify, since it
// has ops that nobody registered.
std::unique_ptr<Module> GenerateModule(uint64_t seed);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_PROPERTY_MODULE_GENERATOR_H_
