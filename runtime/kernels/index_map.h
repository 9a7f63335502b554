#ifndef LOCKSTEP_RUNTIME_KERNELS_INDEX_MAP_H_
#define LOCKSTEP_RUNTIME_KERNELS_INDEX_MAP_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// constant + sum of coefficient * loop variable + sum of coefficient * term.
// Terms are numbers known only at run time; who makes them numbers them.
struct LinearIndex {
  Dims coefficients;  // one per loop of the loop space
  absl::InlinedVector<std::pair<int, int64_t>, 1> terms;
  int64_t constant = 0;

  static LinearIndex Constant(int64_t loops, int64_t value);
  static LinearIndex Variable(int64_t loops, int64_t loop);
  static LinearIndex Term(int64_t loops, int term);

  bool is_constant() const;
  void Add(const LinearIndex& other, int64_t factor = 1);
  void Multiply(int64_t factor);
  friend bool operator==(const LinearIndex&, const LinearIndex&) = default;
};

// One element of a tensor: an index per dimension.
using TensorIndex = std::vector<LinearIndex>;

// Row-major position of `index` in a tensor of `dims`.
LinearIndex Flatten(const TensorIndex& index, absl::Span<const int64_t> dims,
                    int64_t loops);

// What index maps ask for when linear arithmetic does not suffice.
class IndexArithmetic {
 public:
  virtual ~IndexArithmetic() = default;
  virtual absl::Span<const int64_t> loop_sizes() const = 0;
  // floor(index / divisor), index mod divisor; index >= 0.
  virtual LinearIndex Divide(const LinearIndex& index, int64_t divisor) = 0;
  virtual LinearIndex Modulo(const LinearIndex& index, int64_t divisor) = 0;
  // The map would be linear, were `loop` two loops, the inner one of size
  // `inner`, which divides the loop's.
  virtual void WishSplit(int64_t loop, int64_t inner) = 0;
};

// The element of a tensor of `from` that a reshape puts at `index` of `to`.
TensorIndex ReshapeIndex(const TensorIndex& index, absl::Span<const int64_t> to,
                         absl::Span<const int64_t> from,
                         IndexArithmetic& arithmetic);

// Whether OperandIndex knows the op: broadcast_in_dim, reshape, transpose,
// slice, reverse.
bool MapsIndices(const Op& op);

// The element of operand 0 that `op`, one of those, puts at `index` of its
// result.
TensorIndex OperandIndex(const Op& op, const TensorIndex& index,
                         IndexArithmetic& arithmetic);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_INDEX_MAP_H_
