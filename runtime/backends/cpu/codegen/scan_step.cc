#include "runtime/backends/cpu/codegen/scan_step.h"

namespace lockstep::internal {

std::shared_ptr<const Kernel> AddScanKernel(const Op& op, const Region& body,
                                            ScanVariant variant,
                                            KernelCompiler& compiler) {
  return compiler.Add(
      StepGraph(KernelGraph::Kind::kScan, op, body,
                {body.arguments()[0].get(), body.arguments()[1].get()},
                {body.terminator()->operand(0)}, variant, TextOf(body)));
}

}  // namespace lockstep::internal
