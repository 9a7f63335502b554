#ifndef LOCKSTEP_TESTS_FUZZ_RANDOM_PROGRAM_H_
#define LOCKSTEP_TESTS_FUZZ_RANDOM_PROGRAM_H_

#include <string>
#include <vector>

#include "runtime/types/literal.h"
#include "tests/fuzz/entropy.h"

namespace lockstep {

// What may differ between two right evaluations of a result.
struct ResultTolerance {
  bool is_exact = true;  // every bit but those of NaNs and the sign of 0
  double absolute = 0;   // of approximate floats
};

// A program that verifies, small, with arguments to run it on.
struct RandomProgram {
  std::string text;
  std::vector<Literal> arguments;
  std::vector<ResultTolerance> tolerances;  // by result
};

// Random decisions make a random program of the ops that backends fuse:
// element-wise ops, index-mapping ops, reductions, dots, control flow.
// Integers wrap, so all that is computed of them is exact. Floats are small
// integers as long as the type holds what is computed of them exactly; what
// goes through functions such as exp is approximate from there on, stays
// bounded and never decides anything.
RandomProgram MakeRandomProgram(Entropy entropy);

}  // namespace lockstep

#endif  // LOCKSTEP_TESTS_FUZZ_RANDOM_PROGRAM_H_
