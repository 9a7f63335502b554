#include "runtime/conformance/unsupported_reason.h"

#include "gtest/gtest.h"
#include "runtime/conformance/check_dialect.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

// Of what the frontend itself says about the program, so that the reasons
// follow its messages.
UnsupportedReason ReasonOfProgram(absl::string_view body) {
  const absl::Status status =
      ParseAndVerify(
          "func.func @main() {\n" + std::string(body) + "\nreturn\n}\n",
          "case.mlir")
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
  return ReasonOf(status.message());
}

TEST(UnsupportedReasonTest, OpThatIsNotKnown) {
  for (const char* text :
       {"%0 = stablehlo.mystery : tensor<f32>",
        "%0 = \"stablehlo.mystery\"() : () -> tensor<f32>"}) {
    const UnsupportedReason reason = ReasonOfProgram(text);
    EXPECT_EQ(reason.reason, "op stablehlo.mystery");
    EXPECT_EQ(reason.op, "stablehlo.mystery");
  }
}

TEST(UnsupportedReasonTest, ElementType) {
  EXPECT_EQ(
      ReasonOfProgram("%0 = stablehlo.constant dense<0.0> : tensor<2x3xtf32>")
          .reason,
      "element type tf32");
}

TEST(UnsupportedReasonTest, QuantizedType) {
  EXPECT_EQ(ReasonOfProgram("%0 = \"stablehlo.add\"() : () -> "
                            "tensor<4x!quant.uniform<i8:f32, 1.0:0>>")
                .reason,
            "quantized");
}

TEST(UnsupportedReasonTest, DynamicShape) {
  EXPECT_EQ(ReasonOfProgram("%0 = \"stablehlo.add\"() : () -> tensor<2x?xf32>")
                .reason,
            "dynamic shape");
}

TEST(UnsupportedReasonTest, CustomCall) {
  EXPECT_EQ(
      ReasonOf("m.mlir:1:2: stablehlo.custom_call: no target @foo").reason,
      "custom call foo");
}

TEST(UnsupportedReasonTest, OpThatSaysWhatItLacks) {
  const UnsupportedReason reason =
      ReasonOf("a.b/m.mlir:1:2: stablehlo.sort: no reference evaluation");
  EXPECT_EQ(reason.reason, "op stablehlo.sort");
}

TEST(UnsupportedReasonTest, AnythingElse) {
  EXPECT_EQ(ReasonOf("m.mlir:1:2: modules in modules are not supported").reason,
            "other");
}

}  // namespace
}  // namespace lockstep::internal
