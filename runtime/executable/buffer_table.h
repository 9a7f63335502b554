#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_TABLE_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_TABLE_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "runtime/executable/tensor_slice.h"
#include "runtime/types/literal.h"

namespace lockstep {

// Where the allocations of an executable lie on one device during one launch.
class BufferTable {
 public:
  BufferTable() = default;
  // By allocation; null for allocations without bytes.
  explicit BufferTable(std::vector<std::byte*> bases)
      : bases_(std::move(bases)) {}

  std::byte* Address(const BufferSlice& slice) const {
    return bases_[slice.allocation] + slice.offset;
  }
  LiteralView View(const TensorSlice& tensor) const {
    return LiteralView(tensor.shape, Address(tensor.slice));
  }
  MutableLiteralView MutableView(const TensorSlice& tensor) const {
    return MutableLiteralView(tensor.shape, Address(tensor.slice));
  }

 private:
  std::vector<std::byte*> bases_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_TABLE_H_
