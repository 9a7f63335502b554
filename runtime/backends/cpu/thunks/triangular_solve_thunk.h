#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_TRIANGULAR_SOLVE_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_TRIANGULAR_SOLVE_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.triangular_solve: matrices of the batch, and parts of many right
// sides, side by side. f16 and bf16 are computed in f32.
class TriangularSolveThunk : public HostThunk {
 public:
  struct Equation {
    bool left_side = false;  // op(a) x = b, else x op(a) = b
    bool is_lower = false;   // the triangle of a
    bool unit_diagonal = false;
    bool is_transposed = false;
    bool is_conjugated = false;
  };

  // Null for empty tensors.
  static std::unique_ptr<TriangularSolveThunk> Create(
      const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override {
    return {BufferUse::Read(a_.slice), BufferUse::Read(b_.slice),
            BufferUse::Write(result_.slice)};
  }
  std::string Details() const override { return "by eigen"; }
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  TriangularSolveThunk(const KernelRequest& request, const Equation& equation)
      : HostThunk(request.op->name(), request.op->location().ToString()),
        a_(request.operands[0]),
        b_(request.operands[1]),
        result_(request.results[0]),
        equation_(equation) {}

  // The triangles of all matrices as they enter the equation, where they lie
  // otherwise.
  template <typename T>
  void Pack(const T* a, T* packed, int threads) const;
  // x := the solution, for all matrices.
  template <typename T>
  void Solve(const T* a, T* x, int threads) const;

  const TensorSlice a_;
  const TensorSlice b_;
  const TensorSlice result_;
  const Equation equation_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_TRIANGULAR_SOLVE_THUNK_H_
