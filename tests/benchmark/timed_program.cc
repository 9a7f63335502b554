#include "tests/benchmark/timed_program.h"

#include <cstdio>
#include <cstring>
#include <utility>

#include "runtime/backends/backend_optimizations.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/base/check.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/pass_manager.h"

namespace lockstep::internal {

TimedProgram::TimedProgram(const std::string &text, int threads,
                           absl::string_view backend_name) {
  Backend &backend = **FindBackend(backend_name);
  auto module = ParseAndVerify(text, "benchmark");
  if (!module.ok()) std::fputs(module.status().ToString().c_str(), stderr);
  LOCKSTEP_CHECK(module.ok());
  PassManager passes;
  AddBackendOptimizations(passes, backend);
  LOCKSTEP_CHECK(passes.Run(**module).ok());
  auto executable =
      backend.Compile(*std::move(module), DeviceAssignment::Iota(1, 1), {});
  LOCKSTEP_CHECK(executable.ok());
  executable_ = *executable;
  platform_ = *MakePlatform("cpu", {});
  LocalDevice &device = *platform_->devices()[0];
  for (const BufferAllocation &allocation : executable_->allocations()) {
    memory_.push_back(*device.Allocate(allocation.size));
    std::byte *const bytes = memory_.back()->address().host_bytes();
    context_.buffers.Append(memory_.back()->address());
    context_.host.buffers.Append(bytes);
    std::memset(bytes, 0, allocation.size);
    if (allocation.kind == BufferAllocation::Kind::kConstant) {
      const Literal &constant = *executable_->constants()[allocation.index];
      std::memcpy(bytes, constant.bytes(), constant.shape().byte_size());
    }
  }
  context_.queue = &device.compute_queue();
  context_.scope = &scope_;
  context_.is_on_host = true;
  context_.host.cancellation = &cancellation_;
  context_.host.progress = &progress_;
  context_.host.intra_op_threads = threads;
}

void TimedProgram::Run() {
  LOCKSTEP_CHECK(executable_->thunks().Execute(context_).ok());
}

std::byte *TimedProgram::argument(int index) {
  for (size_t i = 0; i < memory_.size(); ++i) {
    const BufferAllocation &allocation = executable_->allocations()[i];
    if (allocation.kind == BufferAllocation::Kind::kArgument &&
        allocation.index == index) {
      return memory_[i]->address().host_bytes();
    }
  }
  LOCKSTEP_CHECK(false);
}

}  // namespace lockstep::internal
