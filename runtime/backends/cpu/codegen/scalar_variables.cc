#include "runtime/backends/cpu/codegen/scalar_variables.h"

namespace lockstep::internal {

void ScalarVariables::Set(const std::vector<int>& scalars) {
  for (size_t i = 0; i < scalars.size(); ++i) {
    const ScalarValue scalar = function_.scalars().Get(scalars[i]);
    llvm::Type* type = scalar.value->getType();
    const bool is_complex = scalar.imaginary != nullptr;
    if (variables_.size() <= i) {
      variables_.push_back({scalar.type, function_.Scratch(type, 1),
                            is_complex ? function_.Scratch(type, 1) : nullptr});
    }
    function_.StoreScratch(variables_[i].value, nullptr, scalar.value);
    if (!is_complex) continue;
    function_.StoreScratch(variables_[i].imaginary, nullptr, scalar.imaginary);
  }
}

std::vector<int> ScalarVariables::Get() const {
  std::vector<int> scalars;
  for (const Variable& variable : variables_) {
    ScalarValue scalar = {variable.type,
                          function_.LoadScratch(variable.value, nullptr)};
    if (variable.imaginary != nullptr) {
      scalar.imaginary = function_.LoadScratch(variable.imaginary, nullptr);
    }
    scalars.push_back(function_.scalars().Add(scalar));
  }
  return scalars;
}

}  // namespace lockstep::internal
