#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_WINDOW_SCAN_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_WINDOW_SCAN_THUNK_H_

#include <memory>
#include <vector>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.reduce_window with large windows, of an associative body: one dim
// after the other, and each in time that does not depend on the window's size.
// Windows of all elements before a place (cumulative sums) or after it are
// running reductions. Others are the end of a block of the window's size and
// the beginning of the next one, whose running reductions are combined. Running
// reductions along one dim take any body.
class WindowScanThunk : public HostThunk {
 public:
  // Null when its windows are better reduced one by one, or must be.
  static std::unique_ptr<WindowScanThunk> Create(const KernelRequest& request,
                                                 KernelCompiler& compiler);

  std::vector<BufferUse> buffer_uses() const override {
    return {BufferUse::Read(operand_.slice), BufferUse::Read(init_.slice),
            BufferUse::Write(result_.slice)};
  }
  absl::Status ExecuteOnHost(HostContext& context) const override;

  // The reduction along one dim, of tensors that are [outer, size, inner]
  // before and [outer, places, inner] afterwards.
  struct Sweep {
    enum class Kind { kBefore, kAfter, kSliding };
    Kind kind = Kind::kSliding;
    int64_t outer = 1, size = 1, inner = 1, places = 1;
    int64_t window = 1, stride = 1, low = 0;
    // Of a sliding window: the sizes of padded lines, whole blocks.
    int64_t blocks = 0;
  };

 private:
  WindowScanThunk(const KernelRequest& request, std::vector<Sweep> passes,
                  std::shared_ptr<const Kernel> scan,
                  std::shared_ptr<const Kernel> combine);

  absl::Status Run(const Sweep& pass, int threads, const std::byte* init,
                   const std::byte* from, std::byte* to) const;
  void RunCumulative(const Sweep& pass, int threads, const std::byte* init,
                     const std::byte* from, std::byte* to) const;
  void SlideLine(const Sweep& pass, const std::byte* init,
                 const std::byte* from, int64_t line, std::byte* scratch,
                 std::byte* to) const;

  const TensorSlice operand_, init_, result_;
  const int64_t element_size_;
  const std::vector<Sweep> passes_;
  const std::shared_ptr<const Kernel> scan_;
  const std::shared_ptr<const Kernel> combine_;  // for sliding windows
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_WINDOW_SCAN_THUNK_H_
