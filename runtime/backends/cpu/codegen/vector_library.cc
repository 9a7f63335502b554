#include "runtime/backends/cpu/codegen/vector_library.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lockstep {
namespace {

// A vector extension that SLEEF has code for.
struct Extension {
  const char* feature;  // LLVM's name of what the processor must have
  const char* suffix;   // of SLEEF's symbols
  unsigned bits;        // of a vector
};
constexpr Extension kExtensions[] = {{"avx512f", "avx512f", 512},
                                     {"avx2", "avx2", 256},
                                     {"avx2", "avx2128", 128}};

// Those that this processor has; none without fused multiply-add, which the
// variants are built on.
const std::vector<Extension>& Extensions() {
  static const auto* extensions = [] {
    auto* found = new std::vector<Extension>();
    const auto features = llvm::sys::getHostCPUFeatures();
    const auto has = [&](const char* feature) {
      auto it = features.find(feature);
      return it != features.end() && it->second;
    };
    for (const Extension& extension : kExtensions) {
      if (has("fma") && has(extension.feature)) found->push_back(extension);
    }
    return found;
  }();
  return *extensions;
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
  if (Extensions().empty()) {
    return b_.CreateCall(
        Declare(absl::StrCat(name, is_float ? "f" : ""), scalar_type),
        arguments);
  }
  const auto symbol = [&](unsigned lanes, absl::string_view suffix) {
    return absl::StrCat("Sleef_finz_", name, is_float ? "f" : "d", lanes, "_",
                        ErrorSuffix(name), suffix);
  };
  const std::string scalar = symbol(1, "purecfma");
  const llvm::FunctionCallee callee = Declare(scalar, scalar_type);
  llvm::Module* module = b_.GetInsertBlock()->getModule();
  // What the optimiser knows as the vector function ABI.
  std::vector<std::string> variants;
  for (const Extension& extension : Extensions()) {
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

}  // namespace lockstep
