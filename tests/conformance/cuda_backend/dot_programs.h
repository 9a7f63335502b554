#ifndef LOCKSTEP_TESTS_CONFORMANCE_CUDA_BACKEND_DOT_PROGRAMS_H_
#define LOCKSTEP_TESTS_CONFORMANCE_CUDA_BACKEND_DOT_PROGRAMS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/executable/executable.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Programs of one dot for the backend cuda.

// "func.func @main(%x: tensor<64x64xf32>, ..": one without batches.
std::string DotProgram(int64_t m, int64_t n, int64_t k,
                       const std::string& operand = "f32",
                       const std::string& result = "f32");

// Compiled for `devices` devices that do the same; "": without a cache.
absl::StatusOr<std::shared_ptr<const Executable>> CompileDot(
    const std::string& text, int devices = 1,
    const std::string& cache_directory = "");

// Compiled for one device after the optimisation passes.
absl::StatusOr<std::shared_ptr<const Executable>> CompileOptimizedDot(
    const std::string& text, const std::string& cache_directory = "");

// The thunks of the executable.
std::string DumpOfDot(const std::string& text);

// Small integers, whose sums are exact.
std::vector<Literal> DotArguments(const Executable& executable);

// Each element converted.
Literal ConvertedTo(ElementType type, const Literal& literal);

// What the oracle says; a failure of the test when it says nothing.
std::vector<Literal> ExpectedOfDot(const std::string& text,
                                   const std::vector<Literal>& arguments);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_CUDA_BACKEND_DOT_PROGRAMS_H_
