#include "runtime/backends/kernel_scratch.h"

#include <memory>
#include <utility>

#include "gtest/gtest.h"
#include "runtime/backends/memory_layout.h"

namespace lockstep::internal {
namespace {

std::unique_ptr<Op> OpNamed(const char* name) {
  OpState state;
  state.name = name;
  return std::make_unique<Op>(std::move(state));
}

// Ops called "wants" want 100 bytes.
class Kernels : public KernelEmitter {
 public:
  absl::StatusOr<std::unique_ptr<Thunk>> Emit(const KernelRequest&) override {
    return nullptr;
  }
  int64_t ScratchBytes(const Op& op) const override {
    return op.name() == "wants" ? 100 : 0;
  }
  absl::StatusOr<std::shared_ptr<const Reduction>> EmitReduction(
      const Op&, const Region&) override {
    return nullptr;
  }
};

struct Program {
  TensorId Tensor() {
    schedule.tensors.push_back({Shape(ElementType::kF32, {16}),
                                ScheduledTensor::TensorRole::kTemporary, 0});
    return static_cast<TensorId>(schedule.tensors.size()) - 1;
  }
  static Step Kernel(const Op& op, TensorId from, TensorId to) {
    Step step;
    step.op = &op;
    step.operands = {from};
    step.results = {to};
    return step;
  }
  Schedule schedule;
};

TEST(KernelScratchTest, StepsGetMemoryThatNothingElseOfTheirTimeHas) {
  const auto wants = OpNamed("wants"), plain = OpNamed("plain");
  Program p;
  const TensorId a = p.Tensor(), b = p.Tensor(), c = p.Tensor(), d = p.Tensor();
  p.schedule.steps = {
      Program::Kernel(*plain, a, b), Program::Kernel(*wants, b, c),
      Program::Kernel(*wants, c, d), Program::Kernel(*plain, d, a)};
  AddKernelScratch(p.schedule, Kernels());
  const auto& steps = p.schedule.steps;
  EXPECT_TRUE(steps[0].scratch.empty());
  ASSERT_EQ(steps[1].scratch.size(), 1u);
  ASSERT_EQ(steps[2].scratch.size(), 1u);
  const MemoryLayout layout = PlanMemory(p.schedule, {}, *plain);
  for (int i : {1, 2}) {
    const BufferSlice scratch = layout.slices[steps[i].scratch[0]];
    EXPECT_EQ(scratch.size, 100);
    EXPECT_FALSE(scratch.Overlaps(layout.slices[steps[i].operands[0]]));
    EXPECT_FALSE(scratch.Overlaps(layout.slices[steps[i].results[0]]));
  }
  // The second takes the place of the first.
  EXPECT_LE(layout.allocations[0].size, 4 * 64 + 2 * 64);
}

TEST(KernelScratchTest, KernelsOfLoopsGetTheirs) {
  const auto wants = OpNamed("wants"), loop = OpNamed("loop");
  Program p;
  const TensorId a = p.Tensor(), b = p.Tensor(), predicate = p.Tensor();
  Step outer;
  outer.kind = Step::Kind::kWhile;
  outer.op = loop.get();
  outer.operands = {predicate};
  outer.nested = {{}, {Program::Kernel(*wants, a, b)}};
  p.schedule.steps = {outer};
  AddKernelScratch(p.schedule, Kernels());
  EXPECT_TRUE(p.schedule.steps[0].scratch.empty());
  EXPECT_EQ(p.schedule.steps[0].nested[1][0].scratch.size(), 1u);
}

}  // namespace
}  // namespace lockstep::internal
