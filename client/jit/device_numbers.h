#ifndef LOCKSTEP_CLIENT_JIT_DEVICE_NUMBERS_H_
#define LOCKSTEP_CLIENT_JIT_DEVICE_NUMBERS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// Integers of a program that follow from the number of the device alone, such
// as its place on an axis: of scalars, and of tensors of one element. One
// thread.
class DeviceNumbers {
 public:
  explicit DeviceNumbers(int64_t device_count) : device_count_(device_count) {}

  // Learns the op's result, if its operands are known: a constant, the number
  // of the device, arithmetic, a conversion, an entry of a constant table.
  void Visit(const Op& op);

  // By device; null: not known.
  const std::vector<int64_t>* Find(const Value* value) const;

 private:
  std::vector<int64_t> NumbersOf(const Op& op) const;
  std::vector<int64_t> EntriesOf(const Op& op) const;

  const int64_t device_count_;
  absl::flat_hash_map<const Value*, std::vector<int64_t>> numbers_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_JIT_DEVICE_NUMBERS_H_
