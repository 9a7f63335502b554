#ifndef LOCKSTEP_TESTS_GENERATOR_RESULT_COMPARISON_H_
#define LOCKSTEP_TESTS_GENERATOR_RESULT_COMPARISON_H_

#include <optional>
#include <string>
#include <vector>

#include "tests/generator/random_program.h"

namespace lockstep::internal {

// What is wrong with the results of a program, compared with those of the
// oracle: the first result and element. NaN is NaN whatever its bits.
std::optional<std::string> FirstMismatch(const RandomProgram& program,
                                         const std::vector<Literal>& expected,
                                         const std::vector<Literal>& found);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_GENERATOR_RESULT_COMPARISON_H_
