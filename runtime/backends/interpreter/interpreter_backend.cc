#include <memory>
#include <string>
#include <utility>

#include "runtime/backends/backend_registry.h"
#include "runtime/backends/interpreter/evaluate_thunk.h"
#include "runtime/backends/thunk_emitter.h"
#include "runtime/base/status.h"
#include "runtime/interpreter/region_reduction.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/custom_call.h"

namespace lockstep {
namespace {

// Whether the reference evaluation of `op` and of all ops in its regions can
// run inside one thunk.
absl::Status CheckEvaluable(const Op& op) {
  if (op.def() == nullptr || !op.def()->evaluate()) {
    return op.Unimplemented("no reference evaluation");
  }
  if (op.def()->kind() == OpKind::kCustomCall) {
    RETURN_IF_ERROR(CheckCustomCallTarget(op));
  }
  for (const auto& region : op.regions()) {
    for (const auto& nested : region->ops()) {
      if (nested.get() == region->terminator()) continue;
      if (nested->def() != nullptr &&
          nested->def()->kind() == OpKind::kCollective) {
        return nested->Unimplemented("a collective inside " + op.name());
      }
      RETURN_IF_ERROR(CheckEvaluable(*nested));
    }
  }
  return absl::OkStatus();
}

class EvaluateEmitter : public KernelEmitter {
 public:
  explicit EvaluateEmitter(const Module& module) : module_(module) {}

  absl::StatusOr<std::unique_ptr<Thunk>> Emit(
      const KernelRequest& request) override {
    RETURN_IF_ERROR(CheckEvaluable(*request.op));
    return std::make_unique<EvaluateThunk>(module_, request);
  }
  absl::StatusOr<std::shared_ptr<const Reduction>> EmitReduction(
      const Op& op, const Region& body) override {
    return ReductionOf(body);
  }

 private:
  const Module& module_;
};

// Every op by its reference evaluation: slow, and obviously right.
class InterpreterBackend : public Backend {
 public:
  std::string name() const override { return "interpreter"; }
  std::string version() const override { return "1"; }
  std::string platform() const override { return "cpu"; }

  absl::StatusOr<std::shared_ptr<const Executable>> Compile(
      std::shared_ptr<const Module> module, const DeviceAssignment& assignment,
      const CompileOptions& options) override {
    EvaluateEmitter kernels(*module);
    ASSIGN_OR_RETURN(Executable::Parts parts,
                     EmitThunks(module, assignment, options, kernels));
    return std::make_shared<const Executable>(std::move(parts));
  }
};

const bool kIsRegistered =
    RegisterBackend(std::make_unique<InterpreterBackend>());

}  // namespace
}  // namespace lockstep
