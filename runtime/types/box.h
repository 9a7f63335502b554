#ifndef LOCKSTEP_RUNTIME_TYPES_BOX_H_
#define LOCKSTEP_RUNTIME_TYPES_BOX_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/types/host_tensor.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// A part of a tensor: per dimension where it begins, and how many elements it
// has. It lies within the tensor.
struct Box {
  std::vector<int64_t> starts;
  std::vector<int64_t> sizes;
  friend bool operator==(const Box&, const Box&) = default;
};

// The elements of `whole` in `box`: in place where they follow each other
// there, else a copy. RESOURCE_EXHAUSTED: no memory for it.
absl::StatusOr<HostTensor> TakeBox(const HostTensor& whole, const Box& box);

// Writes a box of a tensor, whose bytes come row-major, in pieces of any size.
class BoxWriter {
 public:
  // `whole` outlives this.
  BoxWriter(MutableLiteralView whole, const Box& box);

  // Not more, all together, than the box has.
  void Write(absl::Span<const std::byte> bytes);

 private:
  void BeginNextRun();

  const MutableLiteralView whole_;
  std::vector<int64_t> sizes_;    // of the dimensions outside of a run
  std::vector<int64_t> strides_;  // of these, in bytes
  std::vector<int64_t> index_;    // of the present run
  int64_t run_bytes_ = 0;         // that follow each other in the tensor
  int64_t run_start_ = 0;         // of the present one, in bytes
  int64_t written_ = 0;           // of the present one
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_BOX_H_
