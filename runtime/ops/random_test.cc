#include <array>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/ops/evaluation/random_bits.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {
namespace {

// The known answers that the authors of the generators publish.
TEST(Threefry2x32, KnownAnswers) {
  using Pair = std::array<uint32_t, 2>;
  EXPECT_EQ(Threefry2x32({0, 0}, {0, 0}), (Pair{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(Threefry2x32({0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Pair{0x1cb996fc, 0xbb002be7}));
  EXPECT_EQ(Threefry2x32({0x243f6a88, 0x85a308d3}, {0x13198a2e, 0x03707344}),
            (Pair{0xc4923a9c, 0x483df7a0}));
}

TEST(Philox4x32, KnownAnswers) {
  using Four = std::array<uint32_t, 4>;
  EXPECT_EQ(Philox4x32({0, 0, 0, 0}, {0, 0}),
            (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                       {0xffffffff, 0xffffffff}),
            (Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The state after and the bits, of a state whose generator's answers are known.
struct Case {
  const char* algorithm;
  const char* state;
  const char* state_type;
  const char* next_state;
  const char* type;
  const char* bits;
};

const Case kCases[] = {
    // Key 0, counter 0: both halves of one answer.
    {"THREE_FRY", "0", "tensor<2xui64>", "[0, 1]", "tensor<2xui32>",
     "[0x6b200159, 0x99ba4efe]"},
    {"THREE_FRY", "0", "tensor<2xui64>", "[0, 1]", "tensor<ui64>",
     "0x99ba4efe6b200159"},
    {"THREE_FRY", "0", "tensor<2xui64>", "[0, 1]", "tensor<2xui16>",
     "[0x0159, 0x4efe]"},
    {"THREE_FRY", "0", "tensor<2xui64>", "[0, 1]", "tensor<2xi8>",
     "[0x59, 0xfe]"},
    {"THREE_FRY", "0", "tensor<2xui64>", "[0, 1]", "tensor<ui32>",
     "0x6b200159"},
    // Three elements take two counters; the last half is not used.
    {"THREE_FRY", "[0, 18446744073709551615]", "tensor<2xui64>", "[0, 1]",
     "tensor<3xui32>", ""},
    {"PHILOX", "0", "tensor<3xui64>", "[0, 1, 0]", "tensor<4xui32>",
     "[0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]"},
    {"PHILOX", "0", "tensor<3xui64>", "[0, 1, 0]", "tensor<2xui64>",
     "[0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c]"},
    {"PHILOX", "0", "tensor<2xui64>", "[0, 1]", "tensor<3xui32>",
     "[0x6627e8d5, 0xe169c58d, 0xbc57ac4c]"},
    {"PHILOX", "0", "tensor<3xui64>", "[0, 1, 0]", "tensor<3xui8>",
     "[0xd5, 0x8d, 0x4c]"},
    // XLA's answers. Above a counter of 64 bits stands the key, and it carries.
    {"DEFAULT", "0", "tensor<2xui64>", "[0, 3]", "tensor<2x3xui64>",
     "[[0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c, 0x5cb200dbf8e4cca4], "
     "[0x097eff67b1a574eb, 0x51c732a604faa329, 0x459135e4241513ad]]"},
    {"DEFAULT", "[9223372036854775813, 18446744073709551615]", "tensor<2xui64>",
     "[9223372036854775813, 1]", "tensor<8xui32>", ""},
    {"PHILOX", "[9223372036854775813, 18446744073709551615]", "tensor<2xui64>",
     "[9223372036854775813, 0]", "tensor<4xui32>",
     "[3729030871, 1452928738, 4067317182, 2761314520]"},
    // The counter has 128 bits.
    {"PHILOX", "18446744073709551615", "tensor<3xui64>",
     "[18446744073709551615, 0, 0]", "tensor<4xui32>",
     "[0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]"},
};

TEST(RngBitGenerator, KnownAnswersAndNextState) {
  for (const Case& c : kCases) {
    const std::string text = absl::StrCat(
        "func.func @main() -> (", c.state_type, ", ", c.type,
        ") {\n  %s = stablehlo.constant dense<", c.state, "> : ", c.state_type,
        "\n  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = ",
        c.algorithm, " : (", c.state_type, ") -> (", c.state_type, ", ", c.type,
        ")\n  return %0, %1 : ", c.state_type, ", ", c.type, "\n}\n");
    const auto results = RunText(text);
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_TRUE((*results)[0] == Dense(c.next_state, c.state_type))
        << text << ToString((*results)[0]);
    if (c.bits[0] == 0) continue;
    EXPECT_TRUE((*results)[1] == Dense(c.bits, c.type))
        << text << ToString((*results)[1]);
  }
}

// Elements that are neighbours along the first even dim share a counter.
TEST(RngBitGenerator, SharesACounterAlongTheFirstEvenDim) {
  const auto bits = RunText(R"(
func.func @main() -> (tensor<3x2xui32>, tensor<3xui64>) {
  %s = stablehlo.constant dense<[9, 5]> : tensor<2xui64>
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x2xui32>)
  %2, %3 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  return %1, %3 : tensor<3x2xui32>, tensor<3xui64>
})");
  ASSERT_TRUE(bits.ok()) << bits.status();
  for (int i = 0; i < 3; ++i) {
    const uint64_t whole = (*bits)[1].data<uint64_t>()[i];
    EXPECT_EQ((*bits)[0].data<uint32_t>()[2 * i], static_cast<uint32_t>(whole));
    EXPECT_EQ((*bits)[0].data<uint32_t>()[2 * i + 1], whole >> 32);
  }
}

}  // namespace
}  // namespace lockstep::internal
