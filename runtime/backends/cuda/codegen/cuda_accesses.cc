#include "runtime/backends/cuda/codegen/cuda_accesses.h"

#include <algorithm>
#include <optional>

#include "absl/algorithm/container.h"

namespace lockstep::internal {

void CudaLoads::Record(ElementEmitter& emitter) {
  loads_.clear();
  emitter.set_loader([this](int buffer, const LinearIndex& offset,
                            bool is_conditional) -> std::optional<int> {
    for (CudaAccess& load : loads_) {
      if (load.buffer != buffer || load.offset != offset) continue;
      load.last_pass = pass_;
      load.is_conditional &= is_conditional;
      return std::nullopt;
    }
    loads_.push_back({buffer, offset,
                      graph_.inputs[buffer]->shape().element_type(),
                      is_conditional, pass_, pass_});
    return std::nullopt;
  });
}

bool IsPackable(const CudaAccess& access, int64_t loop, int64_t width,
                const std::vector<MergedLoop>& loops) {
  const LinearIndex& offset = access.offset;
  if (access.is_conditional || !offset.terms.empty() ||
      offset.coefficients[loop] != 1 || offset.constant % width != 0) {
    return false;
  }
  return absl::c_all_of(loops, [&](const MergedLoop& other) {
    return other.last == loop || offset.coefficients[other.last] % width == 0;
  });
}

int PackWidth(const std::vector<CudaAccess>& loads,
              const std::vector<CudaAccess>& stores,
              const std::vector<MergedLoop>& loops, bool may_have_rest) {
  if (loops.empty()) return 1;
  const int64_t loop = loops.back().last;
  int64_t smallest = 16, largest = 1;
  for (const auto* accesses : {&loads, &stores}) {
    for (const CudaAccess& access : *accesses) {
      if (!IsPackable(access, loop, 1, loops)) continue;
      smallest = std::min(smallest, ByteSize(access.type));
      largest = std::max(largest, ByteSize(access.type));
    }
  }
  int64_t width = std::max<int64_t>(1, std::min(16 / smallest, 32 / largest));
  for (; width > 1; width /= 2) {
    if (!may_have_rest && loops.back().size % width != 0) continue;
    const auto is_packable = [&](const CudaAccess& access) {
      return IsPackable(access, loop, width, loops);
    };
    if (absl::c_any_of(loads, is_packable) ||
        absl::c_any_of(stores, is_packable)) {
      break;
    }
  }
  return static_cast<int>(width);
}

bool AreWords(const KernelGraph& graph) {
  const auto is_word = [](const Value* value) {
    return ByteSize(value->shape().element_type()) <= 4;
  };
  return absl::c_all_of(graph.inputs, is_word) &&
         absl::c_all_of(graph.outputs, is_word);
}

}  // namespace lockstep::internal
