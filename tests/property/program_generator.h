#ifndef LOCKSTEP_TESTS_PROPERTY_PROGRAM_GENERATOR_H_
#define LOCKSTEP_TESTS_PROPERTY_PROGRAM_GENERATOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/ir/module.h"
#include "runtime/types/literal.h"

namespace lockstep {

enum class ProgramStyle {
  kAny,
  // All values are integers of at most 100 or so, also in float types, and stay
  // what they are however sums are ordered: so any two correct evaluations give
  // equal values.
  kExact,
};

// StableHLO text of a random program that verifies and runs on one device:
// elementwise ops, data movement, reductions, dots, constants, calls, loops,
// branches, and the patterns of real models (softmax, layer norm, updates of
// parameters). Small shapes. The same seed gives the same text.
std::string GenerateProgram(uint64_t seed,
                            ProgramStyle style = ProgramStyle::kAny);

// Arguments for its entry function.
std::vector<Literal> GenerateArguments(const Module& module, uint64_t seed,
                                       ProgramStyle style = ProgramStyle::kAny);

}  // namespace lockstep

#endif  // LOCKSTEP_TESTS_PROPERTY_PROGRAM_GENERATOR_H_
