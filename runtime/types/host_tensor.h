#ifndef LOCKSTEP_RUNTIME_TYPES_HOST_TENSOR_H_
#define LOCKSTEP_RUNTIME_TYPES_HOST_TENSOR_H_

#include <memory>
#include <utility>

#include "runtime/types/literal.h"

namespace lockstep::internal {

// A tensor in host memory that is there as long as `owner`, which others may
// have too. Copying copies the pointers.
struct HostTensor {
  LiteralView view;
  std::shared_ptr<const void> owner;

  static HostTensor Of(std::shared_ptr<const Literal> literal) {
    const LiteralView view = literal->view();
    return {view, std::move(literal)};
  }
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_HOST_TENSOR_H_
