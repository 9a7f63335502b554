#ifndef LOCKSTEP_TESTS_GENERATOR_RANDOM_PROGRAM_H_
#define LOCKSTEP_TESTS_GENERATOR_RANDOM_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/types/literal.h"
#include "tests/generator/entropy.h"

namespace lockstep::internal {

// What may differ between two right evaluations of a result.
struct ResultTolerance {
  bool is_exact = true;  // every bit but those of NaNs and the sign of 0
  double absolute = 0;   // of approximate floats
};

// A program that verifies, with arguments to run it on.
struct RandomProgram {
  std::string text;
  std::vector<Literal> arguments;
  std::vector<ResultTolerance> tolerances;  // by result
};

struct RandomProgramOptions {
  int max_ops = 24;  // of @main, regions apart
  int64_t max_elements = 4096;
};

// Random decisions make a random program for one device: elementwise ops of all
// types, movements, indexing, contractions, windows, sorts, loops, branches,
// calls, and the patterns of real models (op_families.h).
RandomProgram MakeRandomProgram(Entropy entropy,
                                const RandomProgramOptions& options = {});

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_GENERATOR_RANDOM_PROGRAM_H_
