#ifndef LOCKSTEP_RUNTIME_KERNELS_KERNEL_GRAPH_H_
#define LOCKSTEP_RUNTIME_KERNELS_KERNEL_GRAPH_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// What one kernel computes: values as functions of others, which lie in memory.
// Points into the module.
struct KernelGraph {
  enum class Kind {
    kLoop,    // every output element by itself; all outputs have one shape
    kReduce,  // with reductions of one input shape over the same dims
    // Steps of ops that have thunks of their own; the files named say what
    // their buffers are.
    kMerge,   // merge_step.h
    kUpdate,  // update_step.h
    kWindow,  // window_step.h
    kSelect,  // window_step.h
    kScan,    // scan_step.h
    // Ops that a backend without a library for them writes by itself: `op`,
    // with its operands and results.
    kDot,          // any dot_general
    kUpdateSlice,  // the update of a dynamic_update_slice, put into a result
                   // that has the operand's elements already: without operand 0
    kScatter,      // the same of the indices and updates of a scatter
  };
  Kind kind = Kind::kLoop;
  // By buffer: the inputs, then the outputs.
  std::vector<const Value*> inputs;
  std::vector<const Value*> outputs;
  // Same text, same code: ops, attributes, types, and which buffers are the
  // same memory.
  std::string fingerprint;
  // For dumps: "stablehlo.add", "fusion of 8".
  std::string name;
  // The buffers whose memory buffer i may share; i itself when none.
  std::vector<int> alias_of;
  // Of steps: the op, the region that is run, and which code of several.
  const Op* op = nullptr;
  const Region* body = nullptr;
  int variant = 0;
};

// The graph of a step: buffers that share no memory. `text` is all that its
// code depends on beside the kind and the variant.
KernelGraph StepGraph(KernelGraph::Kind kind, const Op& op, const Region& body,
                      std::vector<const Value*> inputs,
                      std::vector<const Value*> outputs, int variant,
                      absl::string_view text);
// That of an op without a region, with these of its operands.
KernelGraph OpGraph(KernelGraph::Kind kind, const Op& op,
                    std::vector<const Value*> inputs);
// Texts for StepGraph: the op with its types, attributes and regions; a region.
std::string TextOf(const Op& op);
std::string TextOf(const Region& region);

// The graph of the request's op and the tensors of its buffers, or nothing when
// no kernel can be made of it.
struct GraphRequest {
  KernelGraph graph;
  std::vector<TensorSlice> buffers;
};
std::optional<GraphRequest> MatchKernelGraph(const KernelRequest& request);

// Whether kernels have code for `op`, alone or in a fusion.
bool HasKernelCode(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_KERNEL_GRAPH_H_
