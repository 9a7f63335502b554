#include "runtime/backends/kernel_scratch.h"

#include <vector>

namespace lockstep::internal {
namespace {

void AddTo(std::vector<Step>& steps, Schedule& schedule,
           const KernelEmitter& kernels) {
  for (Step& step : steps) {
    for (std::vector<Step>& nested : step.nested) {
      AddTo(nested, schedule, kernels);
    }
    if (step.kind != Step::Kind::kKernel) continue;
    const int64_t bytes = kernels.ScratchBytes(*step.op);
    if (bytes == 0) continue;
    step.scratch = {static_cast<TensorId>(schedule.tensors.size())};
    schedule.tensors.push_back({Shape(ElementType::kU8, {bytes}),
                                ScheduledTensor::TensorRole::kTemporary, 0});
  }
}

}  // namespace

void AddKernelScratch(Schedule& schedule, const KernelEmitter& kernels) {
  AddTo(schedule.steps, schedule, kernels);
}

}  // namespace lockstep::internal
