#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

// Bodies of reductions of (%a, %b) and (%c, %d): an element of type T and its
// place, an i32. As jnp.argmax exports it:
const char kJaxBody[] =
    "%1 = stablehlo.compare DIRECTION, %a, %c : (tensor<T>, tensor<T>) -> "
    "tensor<i1>\n"
    "%2 = stablehlo.compare NE, %a, %a : (tensor<T>, tensor<T>) -> "
    "tensor<i1>\n"
    "%3 = stablehlo.or %1, %2 : tensor<i1>\n"
    "%4 = stablehlo.compare EQ, %a, %c : (tensor<T>, tensor<T>) -> "
    "tensor<i1>\n"
    "%5 = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) "
    "-> tensor<i1>\n"
    "%6 = stablehlo.and %4, %5 : tensor<i1>\n"
    "%7 = stablehlo.or %3, %6 : tensor<i1>\n"
    "%8 = stablehlo.select %3, %a, %c : tensor<i1>, tensor<T>\n"
    "%9 = stablehlo.select %7, %b, %d : tensor<i1>, tensor<i32>\n";
// Which of two equal elements, and of two NaNs, depends on their order.
const char kPairBody[] =
    "%1 = stablehlo.compare DIRECTION, %a, %c : (tensor<T>, tensor<T>) -> "
    "tensor<i1>\n"
    "%8 = stablehlo.select %1, %a, %c : tensor<i1>, tensor<T>\n"
    "%9 = stablehlo.select %1, %b, %d : tensor<i1>, tensor<i32>\n";
const char kPairBodyWithNans[] =
    "%2 = stablehlo.compare NE, %a, %a : (tensor<T>, tensor<T>) -> "
    "tensor<i1>\n"
    "%1 = stablehlo.compare DIRECTION, %a, %c : (tensor<T>, tensor<T>) -> "
    "tensor<i1>\n"
    "%3 = stablehlo.or %2, %1 : tensor<i1>\n"
    "%8 = stablehlo.select %3, %a, %c : tensor<i1>, tensor<T>\n"
    "%9 = stablehlo.select %3, %b, %d : tensor<i1>, tensor<i32>\n";

std::string ArgumentText(absl::string_view dims, absl::string_view kept,
                         const char* body, const char* direction,
                         const char* init, absl::string_view type,
                         bool returns_value) {
  const std::string rank_less_one = absl::StrContains(dims, "x") ? "1" : "0";
  const std::string returned =
      returns_value ? "tensor<KEPTT>, tensor<KEPTi32>" : "tensor<KEPTi32>";
  return absl::StrReplaceAll(
      absl::StrCat(
          "func.func @main(%x: tensor<DIMSxT>) -> (", returned, ") {\n",
          "%i = stablehlo.iota dim = ", rank_less_one, " : tensor<DIMSxi32>\n",
          "%low = stablehlo.constant dense<INIT> : tensor<T>\n",
          "%zero = stablehlo.constant dense<0> : tensor<i32>\n",
          "%r:2 = \"stablehlo.reduce\"(%x, %i, %low, %zero) ({\n",
          "^bb0(%a: tensor<T>, %b: tensor<i32>, %c: tensor<T>, %d: "
          "tensor<i32>):\n",
          body, "stablehlo.return %8, %9 : tensor<T>, tensor<i32>\n",
          "}) {dimensions = array<i64: ", rank_less_one,
          ">} : (tensor<DIMSxT>, tensor<DIMSxi32>, tensor<T>, tensor<i32>) -> "
          "(tensor<KEPTT>, tensor<KEPTi32>)\nreturn ",
          returns_value ? "%r#0, %r#1" : "%r#1", " : ", returned, "\n}"),
      {{"DIMS", dims},
       {"KEPT", kept},
       {"DIRECTION", direction},
       {"INIT", init},
       {"xT>", absl::StrCat("x", type, ">")},
       {"<T>", absl::StrCat("<", type, ">")},
       {"T>", absl::StrCat(type, ">")}});
}

TEST(ArgumentReductionDifferential, FindsWhatTheOracleFinds) {
  for (const char* body : {kJaxBody, kPairBody, kPairBodyWithNans}) {
    for (const char* direction : {"GT", "GE", "LT", "LE"}) {
      for (const char* type : {"i8", "ui32", "bf16", "f32", "f64"}) {
        const bool is_float = type[0] == 'f' || type[0] == 'b';
        if (!is_float && body == kPairBodyWithNans) continue;
        for (bool returns_value : {false, true}) {
          for (bool is_matrix : {false, true}) {
            const std::string text = ArgumentText(
                is_matrix ? "5x300" : "1031", is_matrix ? "5x" : "", body,
                direction, is_float ? "1.0" : "1", type, returns_value);
            ASSERT_TRUE(Verifies(text)) << text;
            // The passes make the iota part of the kernel.
            const bool is_optimized = is_matrix;
            EXPECT_EQ(DisagreementOn(text, false, 0, is_optimized), "") << text;
            EXPECT_EQ(DisagreementOn(text, true, 0, is_optimized), "") << text;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
