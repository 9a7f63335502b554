// The printer's text parses back to the same module, whatever the module.
#include <gtest/gtest.h>

#include "runtime/frontend/parser.h"
#include "runtime/ir/module_equality.h"
#include "runtime/ir/printer.h"
#include "tests/property/module_generator.h"

namespace lockstep::internal {
namespace {

constexpr int kModules = 3000;

void ExpectSame(const Module& module, const PrintOptions& options) {
  const std::string text = Print(module, options);
  const auto again = ParseModule(text, "printed");
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << text;
  ASSERT_EQ(FirstDifference(module, **again).value_or(""), "") << text;
  ASSERT_EQ(Print(**again, options), text);
}

TEST(PrintAndParse, GiveBackTheSameModule) {
  for (uint64_t seed = 0; seed < kModules; ++seed) {
    SCOPED_TRACE(seed);
    const std::unique_ptr<Module> module = GenerateModule(seed);
    PrintOptions options;
    ExpectSame(*module, options);
    options.generic = true;
    ExpectSame(*module, options);
    options.hex_above_elements = seed % 2 == 0 ? 0 : 1 << 20;
    ExpectSame(*module, options);
    if (HasFatalFailure()) return;
  }
}

TEST(PrintAndParse, DifferentModulesAreDifferent) {
  int different = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    different +=
        Equal(*GenerateModule(seed), *GenerateModule(seed + 1)) ? 0 : 1;
    EXPECT_TRUE(Equal(*GenerateModule(seed), *GenerateModule(seed)));
  }
  EXPECT_EQ(different, 100);
}

}  // namespace
}  // namespace lockstep::internal
