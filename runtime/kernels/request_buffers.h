#ifndef LOCKSTEP_RUNTIME_KERNELS_REQUEST_BUFFERS_H_
#define LOCKSTEP_RUNTIME_KERNELS_REQUEST_BUFFERS_H_

#include <vector>

#include "runtime/executable/buffer_use.h"
#include "runtime/executable/host_buffers.h"
#include "runtime/kernels/kernel_request.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// What a thunk uses that reads all operands and captures of a request, and
// writes all results.
std::vector<BufferUse> BufferUsesOf(const KernelRequest& request);

// Operands and results where the host finds them.
struct RequestViews {
  std::vector<LiteralView> operands;
  std::vector<MutableLiteralView> results;
};
RequestViews ViewsOf(const KernelRequest& request, const HostBuffers& buffers);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_REQUEST_BUFFERS_H_
