#include "runtime/backends/cuda/codegen/cuda_loops.h"

#include <string>

namespace lockstep::internal {

void SplitPosition(CudaKernelText& text, ElementEmitter& emitter,
                   absl::Span<const MergedLoop> loops,
                   absl::string_view position) {
  KernelCode::Index rest = text.NamedIndex(std::string(position));
  for (size_t i = loops.size(); i-- > 0;) {
    if (i == 0) {
      emitter.set_variable(loops[i].last, rest);
      return;
    }
    emitter.set_variable(loops[i].last, text.Modulo(rest, loops[i].size));
    rest = text.Divide(rest, loops[i].size);
  }
}

}  // namespace lockstep::internal
