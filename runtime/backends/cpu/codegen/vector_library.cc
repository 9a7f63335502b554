#include "runtime/backends/cpu/codegen/vector_library.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "runtime/backends/cpu/processor/cpu_target.h"

namespace lockstep::internal {
namespace {

// A vector extension that SLEEF has code for.
struct Extension {
  const char* suffix;  // of SLEEF's symbols
  unsigned bits;       // of a vector
};

// Functions that give the same bits for every extension and for scalars.
struct Family {
  const char* prefix;  // of SLEEF's symbols
  const char* scalar;  // suffix of the scalar ones
  std::vector<Extension> extensions;
};

// Those for the target; null when SLEEF has none.
const Family* FamilyOfTarget() {
  static const auto* family = []() -> const Family* {
    const CpuTarget& target = CpuTarget::OfProcess();
    if (target.has(InstructionSet::kAvx2)) {
      auto* fused =
          new Family{"finz", "purecfma", {{"avx2", 256}, {"avx2128", 128}}};
      if (target.has(InstructionSet::kAvx512)) {
        fused->extensions.insert(fused->extensions.begin(), {"avx512f", 512});
      }
      return fused;
    }
#if defined(__x86_64__)
    return new Family{"cinz", "purec", {{"sse2", 128}}};
#else
    return nullptr;
#endif
  }();
  return family;
}

// What SLEEF's names say of the error: tenths of a unit in the last place.
const char* ErrorSuffix(absl::string_view name) {
  if (name == "erfc") return "u15";
  if (name == "hypot") return "u05";
  return "u10";
}

}  // namespace

llvm::FunctionCallee VectorLibrary::Declare(const std::string& symbol,
                                            llvm::FunctionType* type) const {
  llvm::Module* module = b_.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module->getOrInsertFunction(symbol, type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return callee;
}

llvm::Value* VectorLibrary::Call(absl::string_view name,
                                 llvm::ArrayRef<llvm::Value*> arguments) const {
  llvm::Type* type = arguments[0]->getType();
  const bool is_float = type->isFloatTy();
  const llvm::SmallVector<llvm::Type*, 2> types(arguments.size(), type);
  auto* scalar_type = llvm::FunctionType::get(type, types, false);
  const Family* family = FamilyOfTarget();
  if (family == nullptr) {
    return b_.CreateCall(
        Declare(absl::StrCat(name, is_float ? "f" : ""), scalar_type),
        arguments);
  }
  const auto symbol = [&](unsigned lanes, absl::string_view suffix) {
    return absl::StrCat("Sleef_", family->prefix, "_", name,
                        is_float ? "f" : "d", lanes, "_", ErrorSuffix(name),
                        suffix);
  };
  const std::string scalar = symbol(1, family->scalar);
  const llvm::FunctionCallee callee = Declare(scalar, scalar_type);
  llvm::Module* module = b_.GetInsertBlock()->getModule();
  // What the optimiser knows as the vector function ABI.
  std::vector<std::string> variants;
  for (const Extension& extension : family->extensions) {
    const unsigned lanes = extension.bits / type->getScalarSizeInBits();
    auto* vector = llvm::FixedVectorType::get(type, lanes);
    const llvm::SmallVector<llvm::Type*, 2> vectors(arguments.size(), vector);
    const std::string variant = symbol(lanes, extension.suffix);
    const bool is_new = module->getFunction(variant) == nullptr;
    llvm::FunctionCallee declared =
        Declare(variant, llvm::FunctionType::get(vector, vectors, false));
    // Must still be declared when loops are vectorised.
    if (is_new) {
      llvm::appendToCompilerUsed(
          *module, {llvm::cast<llvm::GlobalValue>(declared.getCallee())});
    }
    variants.push_back(absl::StrCat("_ZGV_LLVM_N", lanes,
                                    std::string(arguments.size(), 'v'), "_",
                                    scalar, "(", variant, ")"));
  }
  llvm::CallInst* call = b_.CreateCall(callee, arguments);
  call->addFnAttr(llvm::Attribute::get(b_.getContext(),
                                       "vector-function-abi-variant",
                                       absl::StrJoin(variants, ",")));
  return call;
}

}  // namespace lockstep::internal
