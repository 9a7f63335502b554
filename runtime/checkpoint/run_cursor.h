#ifndef LOCKSTEP_RUNTIME_CHECKPOINT_RUN_CURSOR_H_
#define LOCKSTEP_RUNTIME_CHECKPOINT_RUN_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "runtime/types/box.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The elements that two boxes of an array have in common; none: nothing.
std::optional<Box> Intersection(const Box& a, const Box& b);

// Goes through the bytes of a source, a box of an array whose elements lie
// row-major, that a target, another box of it, takes from there: in runs which
// follow each other in both, by ascending place in the source.
class RunCursor {
 public:
  // `common` is not empty, and in both boxes. `target` outlives this.
  RunCursor(const Box& source, const Box& target_box, MutableLiteralView target,
            const Box& common);

  bool is_done() const { return is_done_; }
  // Where the next byte that is taken lies in the source.
  int64_t next() const { return source_ + taken_; }
  // Where the next `count` bytes of the source go, when all of them follow each
  // other in the target; else null.
  std::byte* DestinationOf(int64_t count) const;
  // Takes what the target needs of `bytes`, which lie at `begin` in the source,
  // not behind next().
  void Take(int64_t begin, absl::Span<const std::byte> bytes);
  // The next bytes are in the target already.
  void Skip(int64_t count);

 private:
  void BeginNextRun();

  const MutableLiteralView target_;
  // Of the dimensions outside of a run; strides in bytes.
  std::vector<int64_t> sizes_;
  std::vector<int64_t> source_strides_;
  std::vector<int64_t> target_strides_;
  std::vector<int64_t> index_;
  int64_t run_bytes_ = 0;
  // Of the present run.
  int64_t source_ = 0;
  int64_t destination_ = 0;
  int64_t taken_ = 0;
  bool is_done_ = false;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CHECKPOINT_RUN_CURSOR_H_
