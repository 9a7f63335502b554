#include <memory>
#include <string>
#include <utility>

#include "runtime/backends/backend_registry.h"
#include "runtime/backends/interpreter/backend_digest.h"
#include "runtime/backends/reference/evaluable.h"
#include "runtime/backends/reference/evaluate_thunk.h"
#include "runtime/backends/thunk_emitter.h"
#include "runtime/base/status.h"
#include "runtime/interpreter/region_reduction.h"

namespace lockstep::internal {
namespace {

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
  std::string version() const override { return kInterpreterDigest; }
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
}  // namespace lockstep::internal
