#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_LOOP_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_LOOP_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/executable/host_thunk.h"

namespace lockstep::internal {

// Runs a loop that is one compiled function. The function asks at times whether
// to go on, and has the thunks run that are no code of its own.
class LoopThunk : public HostThunk {
 public:
  // `blocks` are those of the program, `uses` all that is read and written.
  LoopThunk(std::string location, std::shared_ptr<const Kernel> kernel,
            std::vector<BufferSlice> blocks, std::vector<BufferUse> uses,
            std::vector<std::unique_ptr<HostThunk>> calls, std::string details);

  std::vector<BufferUse> buffer_uses() const override { return uses_; }
  std::vector<const Thunk*> called() const override;
  std::string Details() const override;
  // It may take for ever.
  bool runs_together() const override { return false; }
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  struct Run {
    const LoopThunk& thunk;
    HostContext& context;
    absl::Status status;
  };
  // LoopCallback.
  static int32_t Call(void* run, int32_t call);

  const std::shared_ptr<const Kernel> kernel_;
  const std::vector<BufferSlice> blocks_;
  const std::vector<BufferUse> uses_;
  const std::vector<std::unique_ptr<HostThunk>> calls_;
  const std::string details_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_LOOP_THUNK_H_
