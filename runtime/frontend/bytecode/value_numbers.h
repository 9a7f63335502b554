#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_VALUE_NUMBERS_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_VALUE_NUMBERS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/frontend/bytecode/byte_reader.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The values that ops may name, by number. A region has a range of numbers, for
// the arguments of its block and the results of its ops, in this order; it
// begins behind that of the region around it. So regions of one op begin at the
// same number. An isolated op numbers anew. Used by one thread.
class ValueNumbers {
 public:
  ValueNumbers() : scopes_(1) {}

  void EnterIsolated() { scopes_.emplace_back(); }
  void LeaveIsolated() { scopes_.pop_back(); }
  // A region of so many values.
  absl::Status EnterRegion(const ByteReader& place, uint64_t count);
  void LeaveRegion() { scopes_.back().pop_back(); }

  // The next value of the innermost region. INVALID_ARGUMENT when there are
  // more than it said.
  absl::Status Define(const ByteReader& place, Value* value);
  // INVALID_ARGUMENT for a number that is no value before the place.
  absl::StatusOr<Value*> Find(const ByteReader& place, uint64_t number) const;

 private:
  struct Range {
    uint64_t begin;
    uint64_t count;
    std::vector<Value*> values;
  };
  std::vector<std::vector<Range>> scopes_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_VALUE_NUMBERS_H_
