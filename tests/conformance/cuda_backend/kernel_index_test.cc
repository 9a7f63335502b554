// How wide the positions of a kernel's text are, where an emulated GPU would
// take minutes to walk through them.
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/backends/backend_optimizations.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/backends/cuda/codegen/kernel_program.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

// The text of the program's first kernel, after the passes.
std::string FirstKernel(const std::string& text) {
  auto module = ParseAndVerify(text, "p");
  EXPECT_TRUE(module.ok()) << module.status();
  PassManager passes;
  AddBackendOptimizations(passes, **FindBackend("cuda"));
  EXPECT_TRUE(passes.Run(**module).ok());
  for (const auto& op : (*(*module)->EntryFunction())->body().ops()) {
    KernelRequest request;
    request.op = op.get();
    for (const Value* operand : op->operands()) {
      request.operands.push_back({BufferSlice(), operand->shape()});
    }
    for (const auto& result : op->results()) {
      request.results.push_back({BufferSlice(), result->shape()});
    }
    if (op->results().empty()) continue;
    const auto matched = MatchKernelGraph(request);
    if (!matched.has_value()) continue;
    const auto program = WriteKernel(matched->graph);
    EXPECT_TRUE(program.has_value());
    return program.has_value() ? program->text : "";
  }
  return "no kernel";
}

std::string SumOfABroadcast(int64_t side) {
  return absl::StrCat(
      "func.func @main(%x: tensor<", side, "xf32>) -> tensor<f32> {\n",
      "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n",
      "  %b = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<", side,
      "xf32>) -> tensor<", side, "x", side, "xf32>\n",
      "  %m = stablehlo.multiply %b, %b : tensor<", side, "x", side, "xf32>\n",
      "  %r = stablehlo.reduce(%m init: %z) applies stablehlo.add across "
      "dimensions = [0, 1] : (tensor<",
      side, "x", side, "xf32>, tensor<f32>) -> tensor<f32>\n",
      "  return %r : tensor<f32>\n}\n");
}

TEST(KernelIndexTest, PositionsAreAsManyAsAreWalkedThrough) {
  EXPECT_THAT(FirstKernel(SumOfABroadcast(4096)),
              HasSubstr("typedef int idx;"));
  EXPECT_THAT(FirstKernel(SumOfABroadcast(65536)),
              HasSubstr("typedef s64 idx;"));
}

}  // namespace
}  // namespace lockstep::internal
