#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_CONTRACTION_INSTRUCTIONS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_CONTRACTION_INSTRUCTIONS_H_

#include <string>

namespace lockstep::internal {

// Which of its instruction sets oneDNN uses in this process, as "oneDNN avx2":
// products may differ in their last bits between two of them.
std::string ContractionInstructions();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_CONTRACTION_INSTRUCTIONS_H_
