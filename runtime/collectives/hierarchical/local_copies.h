#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_LOCAL_COPIES_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_LOCAL_COPIES_H_

#include <cstddef>
#include <cstdint>
#include <deque>

#include "runtime/collectives/part_copies.h"

namespace lockstep::internal {

// Copies between ranks of one host that are left to do: piece after piece while
// messages are on their way, or all at once.
class LocalCopies {
 public:
  // `piece_bytes`: of one thread.
  explicit LocalCopies(int64_t piece_bytes) : piece_bytes_(piece_bytes) {}

  void Add(const PartCopy& copy);
  // Whether they take so long that they are better done meanwhile; what is
  // short comes after an exchange, when nobody has to wake for messages.
  bool are_long() const { return bytes_ >= kLongBytes; }
  bool are_done() const { return left_.empty(); }
  // As much for every thread that copies as a message holds.
  void DoSome();
  void DoAll();

 private:
  static constexpr int64_t kLongBytes = int64_t{1} << 20;

  const int64_t piece_bytes_;
  std::deque<PartRange> left_;
  int64_t bytes_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_LOCAL_COPIES_H_
