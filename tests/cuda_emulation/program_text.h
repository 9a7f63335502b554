#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_PROGRAM_TEXT_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_PROGRAM_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::internal::cuda {

struct KernelDeclaration {
  std::string name;
  std::string max_threads;  // An expression of the text.
};

// What of a program's text the compiler of the host must be told.
struct ProgramText {
  // The text, with declarations of dynamic shared memory replaced.
  std::string text;
  std::vector<KernelDeclaration> kernels;
  // Threads of a block wait for each other.
  bool uses_barriers = false;
};

ProgramText ScanProgram(std::string_view text);

// C++ for the compiler of the host: prelude, text and the table of kernels.
std::string HostProgram(const ProgramText& program, std::string_view name);

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_PROGRAM_TEXT_H_
