#include <array>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/backends/cpu/thunks/random_blocks.h"
#include "runtime/ops/evaluation/random_bits.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

constexpr uint64_t kStates[][3] = {
    {0, 0, 0},
    {~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}},
    // Counters that carry from one word to the next.
    {0x0370734413198a2e, 0x00000000fffffff0, 0},
    {0x299f31d0a4093822, 0xfffffffffffffff0, 0x00000000ffffffff}};

TEST(RandomBlocks, EveryCounterHasTheBitsOfItsGenerator) {
  for (const auto& [key, low, high] : kStates) {
    ThreefryBlock threefry;
    FillThreefryBlock(key, low, threefry);
    PhiloxBlock philox;
    FillPhiloxBlock(key, low, high, philox);
    for (int64_t i = 0; i < kCountersPerBlock; ++i) {
      const auto halves = [](uint64_t x) {
        return std::array<uint32_t, 2>{static_cast<uint32_t>(x),
                                       static_cast<uint32_t>(x >> 32)};
      };
      const uint64_t at = low + static_cast<uint64_t>(i);
      const auto [a, b] = halves(at);
      const auto [c, d] = halves(high + (at < low));
      const auto two = Threefry2x32({a, b}, halves(key));
      const auto four = Philox4x32({a, b, c, d}, halves(key));
      for (int w = 0; w < 2; ++w) ASSERT_EQ(threefry.words[w][i], two[w]) << i;
      for (int w = 0; w < 4; ++w) ASSERT_EQ(philox.words[w][i], four[w]) << i;
    }
  }
}

// The answers that the authors of the generators publish.
TEST(RandomBlocks, KnownAnswers) {
  ThreefryBlock threefry;
  FillThreefryBlock(0, 0, threefry);
  EXPECT_EQ(threefry.words[0][0], 0x6b200159u);
  EXPECT_EQ(threefry.words[1][0], 0x99ba4efeu);
  FillThreefryBlock(0x0370734413198a2e, 0x85a308d3243f6a88, threefry);
  EXPECT_EQ(threefry.words[0][0], 0xc4923a9cu);
  EXPECT_EQ(threefry.words[1][0], 0x483df7a0u);
  PhiloxBlock philox;
  FillPhiloxBlock(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e,
                  philox);
  const uint32_t expected[4] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
  for (int w = 0; w < 4; ++w) EXPECT_EQ(philox.words[w][0], expected[w]);
}

std::string RngText(const std::string& algorithm, const std::string& state,
                    const std::string& bits) {
  return absl::StrCat(
      "func.func @main(%s: ", state, ") -> (", state, ", ", bits,
      ") {\n  %n, %b = stablehlo.rng_bit_generator %s, algorithm = ", algorithm,
      " : (", state, ") -> (", state, ", ", bits,
      ")\n  return %n, %b : ", state, ", ", bits, "\n}\n");
}

void ExpectSameBits(const std::string& algorithm, int64_t state_size,
                    const std::string& bits) {
  const std::string state = absl::StrCat("tensor<", state_size, "xui64>");
  const std::string text = RngText(algorithm, state, bits);
  ASSERT_TRUE(Verifies(text)) << text;
  for (const auto& words : kStates) {
    const Literal argument = Literal::FromValues<uint64_t>(
        {state_size}, absl::MakeConstSpan(words, state_size));
    const auto results = RunOnBoth(text, {argument});
    ASSERT_TRUE(results.ok()) << results.status() << text;
    for (int i = 0; i < 2; ++i) {
      EXPECT_TRUE(results->oracle[i] == results->cpu[i]) << text << i;
    }
  }
}

TEST(RngBitGeneratorDifferential, SameBitsForEveryTypeAndShape) {
  for (const char* type : {"i8", "ui8", "i16", "ui16", "i32", "ui32", "i64",
                           "ui64", "f16", "bf16", "f32", "f64"}) {
    for (const char* dims :
         {"", "1x", "2x", "7x", "3x5x", "3x4x", "4x3x", "2x1x6x", "5x7x9x",
          "5x6x7x", "0x3x", "4001x", "3x2001x", "1001x3x"}) {
      const std::string bits = absl::StrCat("tensor<", dims, type, ">");
      ExpectSameBits("THREE_FRY", 2, bits);
      ExpectSameBits("DEFAULT", 2, bits);
      ExpectSameBits("PHILOX", 2, bits);
      ExpectSameBits("PHILOX", 3, bits);
    }
  }
}

// More than one piece of work.
TEST(RngBitGeneratorDifferential, LargeTensors) {
  for (const char* bits : {"tensor<70001xui32>", "tensor<300x301xui16>",
                           "tensor<301x301xui8>", "tensor<40000xui64>"}) {
    ExpectSameBits("THREE_FRY", 2, bits);
    ExpectSameBits("PHILOX", 3, bits);
  }
}

}  // namespace
}  // namespace lockstep::internal
