#include "runtime/kernels/scan_step.h"

namespace lockstep::internal {

KernelGraph ScanStep(const Op& op, const Region& body, ScanVariant variant) {
  return StepGraph(KernelGraph::Kind::kScan, op, body,
                   {body.arguments()[0].get(), body.arguments()[1].get()},
                   {body.terminator()->operand(0)}, variant, TextOf(body));
}

}  // namespace lockstep::internal
