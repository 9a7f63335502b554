#include "runtime/backends/cpu/codegen/jit_compiler.h"

#include <atomic>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "runtime/backends/cpu/codegen/invariant_divisors.h"
#include "runtime/backends/cpu/codegen/kernel_function.h"
#include "runtime/backends/cpu/codegen/prefetch.h"
#include "runtime/backends/cpu/codegen/rolled_loops.h"
#include "runtime/backends/cpu/codegen/widen_halves.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

absl::Status ToStatus(llvm::Error error, absl::string_view doing) {
  if (!error) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("llvm: ", doing, ": ", llvm::toString(std::move(error))));
}

class OrcKernel : public LoadedKernel {
 public:
  OrcKernel(llvm::orc::ResourceTrackerSP tracker,
            KernelFunctionPointer function)
      : tracker_(std::move(tracker)), function_(function) {}
  ~OrcKernel() override { llvm::consumeError(tracker_->remove()); }
  KernelFunctionPointer function() const override { return function_; }

 private:
  const llvm::orc::ResourceTrackerSP tracker_;
  const KernelFunctionPointer function_;
};

llvm::orc::JITTargetMachineBuilder TargetMachine() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  LOCKSTEP_CHECK(static_cast<bool>(machine));
  if (const CpuTarget& target = CpuTarget::OfProcess(); !target.is_host()) {
    *machine = llvm::orc::JITTargetMachineBuilder(machine->getTargetTriple());
    machine->setCPU(target.name());
  }
  machine->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  machine->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // An object's code and constants lie together; what it calls, JITLink brings
  // into reach.
  machine->setCodeModel(llvm::CodeModel::Small);
  machine->setRelocationModel(llvm::Reloc::PIC_);
  return std::move(*machine);
}

std::unique_ptr<llvm::orc::LLJIT> MakeJit(
    const llvm::orc::JITTargetMachineBuilder& machine) {
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(machine)
                 .setNumCompileThreads(0)
                 .create();
  LOCKSTEP_CHECK(static_cast<bool>(jit));
  return std::move(*jit);
}

class OrcCompiler : public JitCompiler {
 public:
  OrcCompiler() : machine_builder_(TargetMachine()) {
    jit_ = MakeJit(machine_builder_);
    auto symbols =
        llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
            jit_->getDataLayout().getGlobalPrefix());
    LOCKSTEP_CHECK(static_cast<bool>(symbols));
    process_symbols_ =
        &jit_->getExecutionSession().createBareJITDylib("process");
    process_symbols_->addGenerator(std::move(*symbols));
    target_ = absl::StrCat("llvm ", LLVM_VERSION_STRING, " ",
                           machine_builder_.getCPU(), " ",
                           machine_builder_.getFeatures().getString());
  }

  const std::string& target() const override { return target_; }

  void Prepare(llvm::Module& module) override {
    module.setTargetTriple(machine_builder_.getTargetTriple().str());
    module.setDataLayout(jit_->getDataLayout());
  }

  absl::StatusOr<std::string> Compile(llvm::Module& module) override {
    auto machine = machine_builder_.createTargetMachine();
    if (!machine) return ToStatus(machine.takeError(), "target machine");
    std::string problem;
    llvm::raw_string_ostream problem_stream(problem);
    if (llvm::verifyModule(module, &problem_stream)) {
      return absl::InternalError(absl::StrCat("llvm: bad kernel: ", problem));
    }
    Optimize(module, **machine);
    return EmitObject(module, **machine);
  }

  absl::StatusOr<std::unique_ptr<LoadedKernel>> Load(
      absl::string_view object) override {
    llvm::orc::ExecutionSession& session = jit_->getExecutionSession();
    auto library = session.createJITDylib(
        absl::StrCat("kernel", next_library_.fetch_add(1)));
    if (!library) return ToStatus(library.takeError(), "library");
    library->addToLinkOrder(*process_symbols_);
    llvm::orc::ResourceTrackerSP tracker = library->createResourceTracker();
    absl::Status added = ToStatus(
        jit_->addObjectFile(tracker,
                            llvm::MemoryBuffer::getMemBufferCopy(
                                llvm::StringRef(object.data(), object.size()))),
        "object file");
    if (!added.ok()) return added;
    auto symbol = jit_->lookup(*library, kKernelSymbol);
    if (!symbol) return ToStatus(symbol.takeError(), "symbols of a kernel");
    return std::make_unique<OrcKernel>(std::move(tracker),
                                       symbol->toPtr<KernelFunctionPointer>());
  }

 private:
  static void Optimize(llvm::Module& module, llvm::TargetMachine& machine) {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    const bool has_halves =
        machine.getTargetFeatureString().contains("+avx512fp16");
    llvm::PipelineTuningOptions options;
    options.LoopVectorization = true;
    // Loops of very few elements are straight code there.
    const bool is_loop = module.getFunction(kLoopBodySymbol) != nullptr;
    options.SLPVectorization = is_loop;
    options.LoopInterleaving = true;
    llvm::PassBuilder builder(&machine, options);
    builder.registerVectorizerStartEPCallback(
        [=](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
          passes.addPass(InvariantDivisors());
          if (!has_halves) passes.addPass(WidenHalves());
        });
    builder.registerPipelineStartEPCallback([=](llvm::ModulePassManager& passes,
                                                llvm::OptimizationLevel) {
      if (!is_loop) return;
      passes.addPass(llvm::AlwaysInlinerPass());
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(RolledLoops()));
    });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    llvm::ModulePassManager passes =
        builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
    if (!has_halves) {
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(WidenHalves()));
    }
    passes.run(module, modules);
    InsertPrefetches(module);
  }

  static absl::StatusOr<std::string> EmitObject(llvm::Module& module,
                                                llvm::TargetMachine& machine) {
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                    llvm::CodeGenFileType::ObjectFile)) {
      return absl::InternalError("llvm: cannot emit object files");
    }
    passes.run(module);
    return std::string(bytes.data(), bytes.size());
  }

  llvm::orc::JITTargetMachineBuilder machine_builder_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  llvm::orc::JITDylib* process_symbols_ = nullptr;
  std::string target_;
  std::atomic<int64_t> next_library_{0};
};

}  // namespace

JitCompiler& JitCompiler::Get() {
  static auto* compiler = new OrcCompiler();
  return *compiler;
}

}  // namespace lockstep::internal
