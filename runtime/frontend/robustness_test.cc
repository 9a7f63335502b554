// Hostile texts: deep, huge, cut off, random. Each ends with a status.
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

std::string Repeat(absl::string_view text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) absl::StrAppend(&all, text);
  return all;
}

constexpr int kDeep = 100000;

TEST(Parser, DeepNestingIsAnErrorNotAnOverflow) {
  const std::string texts[] = {
      absl::StrCat("module attributes {a = ", Repeat("[", kDeep)),
      absl::StrCat("module attributes {a = ", Repeat("{b = ", kDeep)),
      absl::StrCat("module attributes {a = ",
                   Repeat("#stablehlo.s<b = ", kDeep)),
      absl::StrCat("func.func @f(%a: ", Repeat("tuple<", kDeep)),
      absl::StrCat("module attributes {a = ", Repeat("(", kDeep)),
      absl::StrCat("module {} loc(", Repeat("callsite(", kDeep)),
      absl::StrCat("func.func @f() {", Repeat("\"my.op\"() ({\n", kDeep)),
  };
  for (const std::string& text : texts) {
    const auto module = ParseModule(text, "deep");
    ASSERT_FALSE(module.ok());
    EXPECT_TRUE(absl::StrContains(module.status().message(),
                                  "expected at most 256 levels of nesting"))
        << module.status();
  }
}

TEST(Parser, ChainOfManyAliasesIsAnErrorNotAnOverflow) {
  std::string text = "module attributes {x = #a0} {}\n";
  for (int i = 0; i < kDeep; ++i) {
    absl::StrAppend(&text, "#a", i, " = [#a", i + 1, "]\n");
  }
  EXPECT_FALSE(ParseModule(text, "chain").ok());
}

TEST(Parser, AliasesThatStandForTooMuchAreRefused) {
  std::string text = "#a0 = [\"0123456789\"]\n";
  for (int i = 1; i < 40; ++i) {
    absl::StrAppend(&text, "#a", i, " = [#a", i - 1, ", #a", i - 1, "]\n");
  }
  absl::StrAppend(&text, "module attributes {x = #a39} {}\n");
  const auto module = ParseModule(text, "bomb");
  ASSERT_FALSE(module.ok());
  EXPECT_TRUE(absl::StrContains(module.status().message(),
                                "bytes of text for all aliases"));
}

TEST(Parser, ManyDimensionsAreRefused) {
  const auto module =
      ParseModule(absl::StrCat("module attributes {a = dense<",
                               Repeat("[", kDeep), "1", Repeat("]", kDeep),
                               "> : tensor<", Repeat("1x", kDeep), "f32>} {}"),
                  "rank");
  ASSERT_FALSE(module.ok());
  EXPECT_TRUE(absl::StrContains(module.status().message(),
                                "expected at most 256 dimensions"))
      << module.status();
}

TEST(Parser, LayoutsOfCustomCallsAreRead) {
  const auto module = ParseModule(
      "module attributes {a = [dense<> : tensor<0xindex>, "
      "dense<[1, 0]> : tensor<2xindex>]} {}",
      "layouts");
  EXPECT_TRUE(module.ok()) << module.status();
  EXPECT_FALSE(ParseModule("module attributes {a = dense<[1, 0, 2]> : "
                           "tensor<2xindex>} {}",
                           "layouts")
                   .ok());
}

TEST(Parser, HugeShapesTakeNoMemory) {
  EXPECT_TRUE(ParseModule("module attributes {a = dense<1> : "
                          "tensor<1000000000x1000000xi8>} {}",
                          "splat")
                  .ok());
  EXPECT_FALSE(ParseModule("module attributes {a = dense<1> : "
                           "tensor<4000000000x4000000000xf64>} {}",
                           "overflow")
                   .ok());
}

TEST(Verifier, HugeCountsOfDevicesTakeNoMemory) {
  const auto gathered = [](absl::string_view counts) {
    return ParseAndVerify(absl::StrCat("module attributes {", counts, R"(} {
  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<> : tensor<0x0xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
})"),
                          "counts")
        .status();
  };
  EXPECT_EQ(gathered("mhlo.num_replicas = 4096 : i32, "
                     "mhlo.num_partitions = 4096 : i32"),
            absl::OkStatus());
  EXPECT_EQ(gathered("mhlo.num_replicas = 1000000 : i32, "
                     "mhlo.num_partitions = 1000000 : i32"),
            absl::InvalidArgumentError(
                "counts:2:3: mhlo.num_replicas, mhlo.num_partitions: expected "
                "at most 16777216 devices, found 1000000 replicas of 1000000 "
                "partitions"));
}

constexpr char kProgram[] = R"(#m = #sdy.sharding<@mesh, [{"x"}]>
module @m attributes {mhlo.num_replicas = 2 : i32, a = #m} {
  sdy.mesh @mesh = <["x"=2]> loc("a":1:2)
  func.func public @main(%a: tensor<2x3xf32> {b = [1, -2.5 : f32]}) -> (tensor<2x3xf32> {c}) {
    %0:2 = "my.op"(%a) <{d = dense<[[1, 2], [3, 0x4]]> : tensor<2x2xi32>}> ({
    ^bb0(%x: tensor<f32>):
      "my.end"(%x) : (tensor<f32>) -> () loc(fused["a", unknown])
    }) {e = array<i64: 1>, f = dense<"0x01"> : tensor<3xi1>} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tuple<tensor<i1>, !stablehlo.token>)
    "func.return"(%0#0) : (tensor<2x3xf32>) -> ()
  }
}
{-# dialect_resources: { builtin: { r: "0x0400000001" } } #-}
)";

TEST(Parser, EveryPrefixAndEveryMissingByteEndsWithAStatus) {
  const std::string whole = kProgram;
  ASSERT_TRUE(ParseModule(whole, "whole").ok())
      << ParseModule(whole, "whole").status();
  for (size_t i = 0; i < whole.size(); ++i) {
    (void)ParseModule(whole.substr(0, i), "prefix");
    (void)ParseModule(whole.substr(0, i) + whole.substr(i + 1), "gap");
  }
}

TEST(Parser, ChangedBytesEndWithAStatusAndWhatParsesPrintsAndParsesAgain) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text = kProgram;
    for (int change = 0; change < 1 + i % 4; ++change) {
      text[random() % text.size()] = static_cast<char>(
          i % 2 == 0 ? random() : kProgram[random() % text.size()]);
    }
    const auto module = ParseModule(text, "changed");
    if (!module.ok()) {
      EXPECT_TRUE(absl::StartsWith(module.status().message(), "changed:"))
          << module.status();
      continue;
    }
    const std::string printed = Print(**module);
    const auto again = ParseModule(printed, "printed");
    ASSERT_TRUE(again.ok()) << again.status() << "\n" << printed;
    EXPECT_EQ(Print(**again), printed);
  }
}

TEST(Parser, BinaryGarbageEndsWithAStatus) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    std::string text(random() % 200, '\0');
    for (char& c : text) c = static_cast<char>(random());
    EXPECT_FALSE(ParseModule("x" + text, "garbage").ok());
  }
}

}  // namespace
}  // namespace lockstep::internal
