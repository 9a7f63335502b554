#ifndef LOCKSTEP_RUNTIME_KERNELS_KERNEL_CODE_H_
#define LOCKSTEP_RUNTIME_KERNELS_KERNEL_CODE_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "absl/types/span.h"
#include "runtime/ops/scalar_builder.h"

namespace lockstep::internal {

// The code of a kernel while a backend writes it: what elements are made of
// beside scalar operations. Scalars are handles of scalar_builder(). Used by
// one thread.
class KernelCode {
 public:
  // A 64-bit integer that is known when the kernel runs: a handle, valid as
  // long as the code.
  struct Index {
    int handle = -1;
    bool is_known() const { return handle >= 0; }
  };

  virtual ~KernelCode() = default;

  virtual ScalarBuilder& scalar_builder() = 0;
  // While set, float additions and multiplications may be reordered: for the
  // accumulator of a reduction.
  virtual void set_reassociates(bool reassociates) {}

  virtual Index IndexConstant(int64_t value) = 0;
  virtual Index Add(Index x, Index y) = 0;
  virtual Index Multiply(Index x, int64_t factor) = 0;
  // floor(x / divisor), x mod divisor; x >= 0.
  virtual Index Divide(Index x, int64_t divisor) = 0;
  virtual Index Modulo(Index x, int64_t divisor) = 0;
  // The integer scalar, within [0, room].
  virtual Index Clamp(int scalar, int64_t room) = 0;
  // As a kS32 or kS64.
  virtual int ScalarOf(Index x, ElementType type) = 0;
  // Of type kPred: x < bound; 0 <= x < size; x mod divisor == 0, for x >= 0.
  virtual int IsBelow(Index x, int64_t bound) = 0;
  virtual int IsWithin(Index x, int64_t size) = 0;
  virtual int IsMultiple(Index x, int64_t divisor) = 0;

  // The element that lies at `bytes`, of the host.
  virtual int LiteralScalar(ElementType type, const std::byte* bytes) = 0;
  // Element `x` of a constant that becomes part of the code.
  virtual int LoadConstant(ElementType type, absl::Span<const std::byte> bytes,
                           Index x) = 0;
  // Element `x` of a buffer of the graph.
  virtual int Load(int buffer, ElementType type, Index x) = 0;
  // predicate ? on_true() : on_false(), of which only one runs.
  virtual int Branch(int predicate, const std::function<int()>& on_true,
                     const std::function<int()>& on_false) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_KERNEL_CODE_H_
