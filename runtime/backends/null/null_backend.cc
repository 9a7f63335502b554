#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/backends/backend_registry.h"
#include "runtime/backends/null/backend_digest.h"
#include "runtime/backends/thunk_emitter.h"
#include "runtime/base/status.h"
#include "runtime/executable/host_thunk.h"

namespace lockstep::internal {
namespace {

// Stands where another backend computes.
class NullThunk : public HostThunk {
 public:
  explicit NullThunk(const KernelRequest& request)
      : HostThunk(request.op->name(), request.op->location().ToString()) {
    for (const TensorSlice& operand : request.operands) {
      uses_.push_back(BufferUse::Read(operand.slice));
    }
    for (const TensorSlice& result : request.results) {
      uses_.push_back(BufferUse::Write(result.slice));
    }
  }

  std::vector<BufferUse> buffer_uses() const override { return uses_; }
  absl::Status ExecuteOnHost(HostContext& context) const override {
    return absl::OkStatus();
  }

 private:
  std::vector<BufferUse> uses_;
};

class NullKernelEmitter : public KernelEmitter {
 public:
  absl::StatusOr<std::unique_ptr<Thunk>> Emit(
      const KernelRequest& request) override {
    return std::make_unique<NullThunk>(request);
  }
  absl::StatusOr<std::shared_ptr<const Reduction>> EmitReduction(
      const Op& op, const Region& body) override {
    return std::shared_ptr<const Reduction>();
  }
};

// Owns the compiled thunks, so that dumps show them, and does not run them:
// sets the results to zero.
class ZeroResultsThunk : public HostThunk {
 public:
  ZeroResultsThunk(ThunkSequence program, std::vector<BufferSlice> results)
      : HostThunk("null", "<unknown>"),
        program_(std::move(program)),
        results_(std::move(results)) {}

  std::vector<BufferUse> buffer_uses() const override {
    std::vector<BufferUse> uses;
    for (const BufferSlice& result : results_) {
      uses.push_back(BufferUse::Write(result));
    }
    return uses;
  }
  std::vector<const ThunkSequence*> nested() const override {
    return {&program_};
  }
  absl::Status ExecuteOnHost(HostContext& context) const override {
    for (const BufferSlice& result : results_) {
      if (result.size == 0) continue;
      std::memset(context.buffers.Address(result), 0,
                  static_cast<size_t>(result.size));
    }
    return absl::OkStatus();
  }

 private:
  const ThunkSequence program_;
  const std::vector<BufferSlice> results_;
};

// Compiles and plans like the others, runs nothing. The template for a backend.
class NullBackend : public Backend {
 public:
  std::string name() const override { return "null"; }
  std::string version() const override { return kNullBackendDigest; }
  std::string platform() const override { return "cpu"; }

  absl::StatusOr<std::shared_ptr<const Executable>> Compile(
      std::shared_ptr<const Module> module, const DeviceAssignment& assignment,
      const CompileOptions& options) override {
    NullKernelEmitter kernels;
    ASSIGN_OR_RETURN(
        Executable::Parts parts,
        EmitThunks(std::move(module), assignment, options, kernels));
    std::vector<BufferSlice> results;
    for (int allocation : parts.result_allocations) {
      results.push_back({allocation, 0, parts.allocations[allocation].size});
    }
    auto zero = std::make_unique<ZeroResultsThunk>(std::move(parts.thunks),
                                                   std::move(results));
    parts.thunks = ThunkSequence();
    parts.thunks.Append(std::move(zero));
    return std::make_shared<const Executable>(std::move(parts));
  }
};

const bool kIsRegistered = RegisterBackend(std::make_unique<NullBackend>());

}  // namespace
}  // namespace lockstep::internal
