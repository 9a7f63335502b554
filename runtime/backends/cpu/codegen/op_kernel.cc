#include "runtime/backends/cpu/codegen/op_kernel.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "runtime/base/check.h"

namespace lockstep::internal {

std::string OpProgram(absl::string_view op, absl::string_view type,
                      int operands, int64_t length) {
  return absl::StrReplaceAll(
      operands == 1 ? R"(func.func @main(%x: TENSOR) -> TENSOR {
  %0 = "OP"(%x) : (TENSOR) -> TENSOR
  return %0 : TENSOR
})"
                    : R"(func.func @main(%x: TENSOR, %y: TENSOR) -> TENSOR {
  %0 = "OP"(%x, %y) : (TENSOR, TENSOR) -> TENSOR
  return %0 : TENSOR
})",
      {{"TENSOR", absl::StrCat("tensor<", length, "x", type, ">")},
       {"OP", op}});
}

OpKernel::OpKernel(std::unique_ptr<Module> module)
    : module_(std::move(module)) {
  const Op& first = *(*module_->EntryFunction())->body().ops().front();
  KernelGraph graph;
  graph.inputs = {first.operands().begin(), first.operands().end()};
  graph.outputs = {first.result()};
  graph.fingerprint =
      absl::StrCat(first.name(), " ", first.result()->shape().ToString());
  for (size_t i = 0; i <= graph.inputs.size(); ++i) {
    graph.alias_of.push_back(static_cast<int>(i));
  }
  const auto compiler = KernelCompiler::Create("");
  kernel_ = compiler->Add(graph);
  LOCKSTEP_CHECK(kernel_ != nullptr);
  LOCKSTEP_CHECK(compiler->Finish().ok());
}

}  // namespace lockstep::internal
