#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

std::string Program(absl::string_view location,
                    absl::string_view aliases = "") {
  return absl::StrCat(
      "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = stablehlo.tanh %x : tensor<f32> ",
      location, "\n  return %0 : tensor<f32>\n}\n", aliases);
}

// Of the tanh of Program.
std::string LocationIn(const std::string& text) {
  const auto module = ParseModule(text, "m.mlir");
  if (!module.ok()) return StatusLine(module.status());
  return (*module)->functions()[0]->body().ops()[0]->location().ToString();
}

struct Case {
  const char* location;
  const char* expected;
  const char* aliases = "";
};
const Case kCases[] = {
    {"", "m.mlir:2:8"},
    {"loc(unknown)", "m.mlir:2:8"},
    {"loc(\"f.py\":3:8)", "f.py:3:8 (m.mlir:2:8)"},
    {"loc(\"f.py\":3:8 to 4:9)", "f.py:3:8 (m.mlir:2:8)"},
    {"loc(\"f.py\":3:0)", "f.py:3 (m.mlir:2:8)"},
    {"loc(\"jit(f)/tanh\")", "m.mlir:2:8"},
    {"loc(\"jit(f)/tanh\"(\"f.py\":3:8))", "f.py:3:8 (m.mlir:2:8)"},
    {"loc(callsite(\"g.py\":1:2 at \"f.py\":3:8))", "g.py:1:2 (m.mlir:2:8)"},
    {"loc(callsite(\"g\" at \"f.py\":3:8))", "f.py:3:8 (m.mlir:2:8)"},
    {"loc(fused[\"g\", \"f.py\":3:8, \"h.py\":1:1])", "f.py:3:8 (m.mlir:2:8)"},
    {"loc(#loc2)", "f.py:3:8 (m.mlir:2:8)",
     "#loc1 = loc(\"f.py\":3:8)\n#loc2 = loc(\"tanh\"(#loc1))\n"},
    // A text that was cut out of another.
    {"loc(#loc9)", "m.mlir:2:8"},
    {"loc(#loc1)", "m.mlir:2:8", "#loc1 = loc(unknown)\n"},
    {"loc(\"f.py\":99999999999999999999:8)", "m.mlir:2:8"},
    {"loc(3)", "INVALID_ARGUMENT: m.mlir:2:44: expected a location, found '3'"},
};

TEST(LocationTest, OpsHaveThePlaceThatTheirLocSays) {
  for (const Case& c : kCases) {
    EXPECT_EQ(LocationIn(Program(c.location, c.aliases)), c.expected)
        << c.location;
  }
}

TEST(LocationTest, AliasesThatMeanEachOtherEndInAnError) {
  EXPECT_FALSE(
      ParseModule(Program("loc(#a)", "#a = loc(#b)\n#b = loc(#a)\n"), "m.mlir")
          .ok());
}

// However often an alias is used, its text is there once.
TEST(LocationTest, UsesOfAnAliasShareItsPlace) {
  const auto module = ParseModule(
      "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = stablehlo.tanh %x : tensor<f32> loc(#l)\n"
      "  %1 = stablehlo.tanh %0 : tensor<f32> loc(\"b\"(#l))\n"
      "  return %1 : tensor<f32>\n}\n#l = loc(\"f.py\":3:8)\n",
      "m.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const auto& ops = (*module)->functions()[0]->body().ops();
  ASSERT_NE(ops[0]->location().source, nullptr);
  EXPECT_EQ(ops[0]->location().source, ops[1]->location().source);
}

TEST(LocationTest, PrintedPlacesAreReadBack) {
  const std::string text = Program("loc(callsite(\"g \\22.py\":1:2 at \"f\"))");
  const auto module = ParseModule(text, "m.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const std::string printed = Print(**module, {.locations = true});
  EXPECT_EQ(LocationIn(printed), "g \".py:1:2 (m.mlir:3:10)") << printed;
  // Without a loc, the place in the text is what is known.
  EXPECT_NE(printed.find("return %0 : tensor<f32> loc(\"m.mlir\":3:3)"),
            std::string::npos)
      << printed;
}

TEST(LocationTest, ErrorsOfTheVerifierNameBothPlaces) {
  const auto module = ParseAndVerify(
      "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = stablehlo.add %x, %x : (tensor<f32>, tensor<f32>) -> "
      "tensor<2xf32>"
      " loc(\"f.py\":3:8)\n  return %x : tensor<f32>\n}\n",
      "m.mlir");
  EXPECT_EQ(std::string(module.status().message())
                .rfind("f.py:3:8 (m.mlir:2:8): ", 0),
            0)
      << module.status();
}

}  // namespace
}  // namespace lockstep::internal
