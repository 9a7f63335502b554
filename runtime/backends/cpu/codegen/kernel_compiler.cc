#include "runtime/backends/cpu/codegen/kernel_compiler.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Host.h"
#include "runtime/backends/cpu/codegen/code_digest.h"
#include "runtime/backends/cpu/codegen/jit_compiler.h"
#include "runtime/backends/cpu/codegen/kernel_builders.h"
#include "runtime/backends/cpu/codegen/loop_function.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/base/cores.h"
#include "runtime/base/status.h"
#include "runtime/kernels/kernel_cache.h"
#include "runtime/kernels/kernels_in_use.h"

namespace lockstep::internal {
namespace {

struct JitKernel : public Kernel {
  int64_t count() const override { return iterations; }
  void Run(char** buffers, int64_t begin, int64_t end) const override {
    function(buffers, begin, end);
  }
  absl::Status Load(absl::string_view object) {
    ASSIGN_OR_RETURN(code, JitCompiler::Get().Load(object));
    function = code->function();
    return absl::OkStatus();
  }

  int64_t iterations = 0;
  KernelFunctionPointer function = nullptr;
  std::unique_ptr<LoadedKernel> code;
};

// Parts of one function share its stack; who runs it may have little.
constexpr uint64_t kMaxStackBytes = uint64_t{32} << 10;

uint64_t StackBytes(const llvm::Module& module) {
  uint64_t bytes = 0;
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (memory == nullptr) continue;
      const auto size = memory->getAllocationSize(module.getDataLayout());
      bytes += size.has_value() ? size->getFixedValue() : kMaxStackBytes + 1;
    }
  }
  return bytes;
}

class LlvmKernelCompiler : public KernelCompiler {
 public:
  explicit LlvmKernelCompiler(std::string cache_directory)
      : cache_(std::move(cache_directory)) {}

  std::shared_ptr<const Kernel> Add(const KernelGraph& graph) override {
    return AddFunction(graph.fingerprint, [&](llvm::Module& module) {
      return BuildKernel(graph, module);
    });
  }

  int64_t PartCode(const KernelGraph& graph) override {
    const std::string key =
        absl::StrCat(static_cast<int>(graph.kind), " ", graph.fingerprint);
    auto [it, is_new] = parts_.try_emplace(key, 0);
    if (is_new) {
      llvm::LLVMContext context;
      llvm::Module module("part", context);
      if (BuildPart(graph, module, "part") != 0 &&
          StackBytes(module) <= kMaxStackBytes) {
        it->second = module.getInstructionCount();
      }
    }
    return it->second;
  }

  std::shared_ptr<const Kernel> AddLoop(const LoopProgram& loop) override {
    return AddFunction(loop.Fingerprint(), [&](llvm::Module& module) {
      return BuildLoopFunction(loop, module);
    });
  }

  absl::Status Finish() override {
    std::atomic<size_t> next = 0;
    const auto work = [&] {
      for (size_t i; (i = next.fetch_add(1)) < pending_.size();) {
        pending_[i].status = Compile(pending_[i]);
      }
    };
    std::vector<std::thread> helpers;
    const auto cores = static_cast<size_t>(CoresOfProcess());
    for (size_t i = 1; i < std::min(cores, pending_.size()); ++i) {
      helpers.emplace_back(work);
    }
    work();
    for (std::thread& helper : helpers) helper.join();
    for (Pending& pending : pending_) {
      RETURN_IF_ERROR(pending.status);
      KernelsInUse<Kernel>::Get().Insert(pending.fingerprint, pending.kernel);
    }
    pending_.clear();
    return absl::OkStatus();
  }

 private:
  struct Pending {
    std::string fingerprint;
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;
    std::shared_ptr<JitKernel> kernel;
    std::string object;  // when it was cached
    absl::Status status;
  };

  static std::string CacheKey(const std::string& fingerprint) {
    return absl::StrCat(kCodeDigest, "\n", JitCompiler::Get().target(), "\n",
                        fingerprint);
  }

  // `build` returns the number of iterations; 0: there is no code.
  std::shared_ptr<const Kernel> AddFunction(
      const std::string& fingerprint,
      absl::FunctionRef<int64_t(llvm::Module&)> build) {
    auto [it, is_new] = added_.try_emplace(fingerprint);
    if (!is_new) return it->second;
    it->second = KernelsInUse<Kernel>::Get().Find(fingerprint);
    if (it->second != nullptr) return it->second;
    Pending pending;
    pending.fingerprint = fingerprint;
    pending.kernel = std::make_shared<JitKernel>();
    if (auto cached = cache_.Find(CacheKey(fingerprint))) {
      pending.kernel->iterations = cached->iterations;
      pending.object = std::move(cached->object);
    } else {
      MakeModule(pending);
      pending.kernel->iterations = build(*pending.module);
    }
    if (pending.kernel->iterations == 0) return nullptr;
    it->second = pending.kernel;
    pending_.push_back(std::move(pending));
    return it->second;
  }

  static void MakeModule(Pending& pending) {
    pending.context = std::make_unique<llvm::LLVMContext>();
    pending.module = std::make_unique<llvm::Module>("kernel", *pending.context);
    JitCompiler::Get().Prepare(*pending.module);
  }

  absl::Status Compile(Pending& pending) const {
    if (!pending.object.empty()) return pending.kernel->Load(pending.object);
    ASSIGN_OR_RETURN(const std::string object,
                     JitCompiler::Get().Compile(*pending.module));
    cache_.Insert(CacheKey(pending.fingerprint),
                  {pending.kernel->iterations, object});
    return pending.kernel->Load(object);
  }

  const KernelCache cache_;

  std::map<std::string, std::shared_ptr<const Kernel>> added_;
  std::map<std::string, int64_t> parts_;  // PartCode
  std::vector<Pending> pending_;
};

}  // namespace

std::unique_ptr<KernelCompiler> KernelCompiler::Create(
    std::string cache_directory) {
  return std::make_unique<LlvmKernelCompiler>(std::move(cache_directory));
}

std::string KernelCompiler::ProcessorName() {
  const CpuTarget& target = CpuTarget::OfProcess();
  return target.is_host() ? llvm::sys::getHostCPUName().str() : target.name();
}

}  // namespace lockstep::internal
