#include "tests/benchmark/compiled_program.h"

#include <cstdio>
#include <cstring>
#include <utility>

#include "runtime/backends/backend_registry.h"
#include "runtime/base/check.h"
#include "runtime/frontend/parser.h"
#include "runtime/passes/pipelines.h"

namespace lockstep {

CompiledProgram::CompiledProgram(const std::string &text, int threads,
                                 absl::string_view backend_name) {
  Backend &backend = **FindBackend(backend_name);
  auto module = ParseAndVerify(text, "benchmark");
  if (!module.ok()) std::fputs(module.status().ToString().c_str(), stderr);
  LOCKSTEP_CHECK(module.ok());
  if (backend.compiles_fusions()) {
    PassManager passes;
    AddOptimizationPasses(passes, {.can_fuse = [&](const Op &op) {
                            return backend.CanFuse(op);
                          }});
    LOCKSTEP_CHECK(passes.Run(**module).ok());
  }
  auto executable =
      backend.Compile(*std::move(module), DeviceAssignment::Iota(1, 1), {});
  LOCKSTEP_CHECK(executable.ok());
  executable_ = *executable;
  std::vector<std::byte *> bases;
  for (const BufferAllocation &allocation : executable_->allocations()) {
    Literal &memory =
        memory_.emplace_back(Shape(ElementType::kU8, {allocation.size + 64}));
    std::memset(memory.mutable_bytes(), 0, memory.shape().byte_size());
    if (allocation.kind == BufferAllocation::Kind::kConstant) {
      const Literal &constant = *executable_->constants()[allocation.index];
      std::memcpy(memory.mutable_bytes(), constant.bytes(),
                  constant.shape().byte_size());
    }
    bases.push_back(memory.mutable_bytes());
  }
  context_.buffers = BufferTable(std::move(bases));
  context_.cancellation = &cancellation_;
  context_.progress = &progress_;
  context_.intra_op_threads = threads;
}

void CompiledProgram::Run() {
  LOCKSTEP_CHECK(executable_->thunks().Execute(context_).ok());
}

std::byte *CompiledProgram::argument(int index) {
  for (size_t i = 0; i < memory_.size(); ++i) {
    const BufferAllocation &allocation = executable_->allocations()[i];
    if (allocation.kind == BufferAllocation::Kind::kArgument &&
        allocation.index == index) {
      return memory_[i].mutable_bytes();
    }
  }
  LOCKSTEP_CHECK(false);
}

}  // namespace lockstep
