#ifndef LOCKSTEP_CLIENT_JIT_SAMPLE_SHAPES_H_
#define LOCKSTEP_CLIENT_JIT_SAMPLE_SHAPES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/jit/jit_program.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// The shapes of the arguments that a function was compiled for. Immutable.
class SampleShapes {
 public:
  explicit SampleShapes(const JitArguments& samples);

  // INVALID_ARGUMENT names the first argument that differs, what was expected
  // and what was found.
  absl::Status Check(const JitArguments& arguments) const;

 private:
  struct Leaf {
    std::string path;
    Shape shape;
  };
  std::vector<Leaf> leaves_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_JIT_SAMPLE_SHAPES_H_
