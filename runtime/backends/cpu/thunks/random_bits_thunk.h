#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_RANDOM_BITS_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_RANDOM_BITS_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.rng_bit_generator: blocks of counters side by side. Which counter
// gives which element is runtime/ops/stablehlo/rng_bit_generator.cc's choice.
class RandomBitsThunk : public HostThunk {
 public:
  // Null for algorithms that it does not know.
  static std::unique_ptr<RandomBitsThunk> Create(const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override {
    return {BufferUse::Read(state_.slice), BufferUse::Write(next_.slice),
            BufferUse::Write(bits_.slice)};
  }
  std::string Details() const override { return "in blocks"; }
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  RandomBitsThunk(const KernelRequest& request, bool is_philox)
      : HostThunk(request.op->name(), request.op->location().ToString()),
        state_(request.operands[0]),
        next_(request.results[0]),
        bits_(request.results[1]),
        is_philox_(is_philox) {}

  const TensorSlice state_;
  const TensorSlice next_;
  const TensorSlice bits_;
  const bool is_philox_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_RANDOM_BITS_THUNK_H_
