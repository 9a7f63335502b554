#include "runtime/frontend/parser.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

TEST(ParseAndVerify, FunctionsMayEndAsRegionsDo) {
  for (const char* end :
       {"return %0 : tensor<2xf32>", "stablehlo.return %0 : tensor<2xf32>",
        "\"stablehlo.return\"(%0) : (tensor<2xf32>) -> ()"}) {
    const auto module = ParseAndVerify(
        std::string("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                    "  %0 = stablehlo.negate %a : tensor<2xf32>\n  ") +
            end + "\n}\n",
        "m");
    ASSERT_TRUE(module.ok()) << module.status();
    EXPECT_EQ((*module)->functions()[0]->body().terminator()->name(),
              "func.return");
    EXPECT_THAT(Print(**module), HasSubstr("\n    return %0 : tensor<2xf32>"));
  }
  const absl::Status status =
      ParseAndVerify(
          "func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {\n"
          "  stablehlo.return %a : tensor<2xf32>\n}\n",
          "m")
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("m:2:3: func.return: operand 0: expected type "
                        "tensor<3xf32> of result 0 of @main"));
}

}  // namespace
}  // namespace lockstep::internal
