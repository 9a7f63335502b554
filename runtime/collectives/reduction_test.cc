#include "runtime/collectives/reduction.h"

#include <complex>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/collectives/tree_reduce.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

// The tree reduction of one element per member.
template <typename T>
T Reduce(ReductionKind kind, const std::vector<T>& members) {
  std::unique_ptr<Reduction> reduction =
      MakeReduction(kind, ElementTypeOf<T>::value).value();
  auto value_of = [&](TreeNode node) -> std::optional<TreeValue> {
    if (node.size() > 1) return std::nullopt;
    return TreeValue{reinterpret_cast<const std::byte*>(&members[node.begin]),
                     false};
  };
  alignas(16) std::byte partial[16];
  T result;
  EXPECT_TRUE(TreeReduce(*reduction, {0, static_cast<int>(members.size())},
                         value_of, 0, 1, partial)
                  .ok());
  reduction->Store(partial, reinterpret_cast<std::byte*>(&result), 1);
  return result;
}

template <typename T>
std::vector<T> Halves(const std::vector<float>& values) {
  std::vector<T> halves;
  for (float value : values) halves.push_back(T(value));
  return halves;
}

constexpr ReductionKind kAdd = ReductionKind::kAdd;
constexpr ReductionKind kMax = ReductionKind::kMaximum;
constexpr ReductionKind kMin = ReductionKind::kMinimum;

// K-4.
TEST(Reduction, FollowsTheTreeNotLeftToRight) {
  EXPECT_EQ(Reduce<float>(kAdd, {1e8f, 1, -1e8f, 1}), 0);
}

// K-4.
TEST(Reduction, HalfTypesAccumulateInFloatAndRoundOnce) {
  EXPECT_EQ(float(Reduce(kAdd, Halves<BF16>({256, 1, 1, 1}))), 260);
  EXPECT_EQ(float(Reduce(kAdd, Halves<F16>({2048, 1, 1, 1}))), 2052);
  EXPECT_EQ(float(Reduce(kAdd, Halves<F16>({60000, 60000, -60000}))), 60000);
  EXPECT_EQ(float(Reduce(ReductionKind::kMultiply,
                         Halves<F16>({60000, 2, 0.5f, 0.5f}))),
            30000);
}

TEST(Reduction, ANanOfAComplexNumberIsNotLost) {
  using C = std::complex<float>;
  const C nan(0, std::numeric_limits<float>::quiet_NaN());
  for (ReductionKind kind : {kMax, kMin}) {
    for (const std::vector<C>& members :
         std::vector<std::vector<C>>{{nan, 1, 2}, {1, nan, 2}, {1, 2, nan}}) {
      EXPECT_TRUE(HasNan(Reduce(kind, members)));
    }
  }
}

// K-3.
TEST(Reduction, IntegersWrap) {
  EXPECT_EQ(Reduce<int8_t>(kAdd, {100, 100}), -56);
  EXPECT_EQ(Reduce<uint8_t>(kAdd, {200, 100}), 44);
  EXPECT_EQ(Reduce<int32_t>(kAdd, {std::numeric_limits<int32_t>::max(), 1}),
            std::numeric_limits<int32_t>::min());
  EXPECT_EQ(Reduce<uint16_t>(ReductionKind::kMultiply, {65535, 65535}), 1);
}

// K-3.
TEST(Reduction, PredIsLogical) {
  auto run = [](ReductionKind kind, bool a, bool b) {
    auto reduction = MakeReduction(kind, ElementType::kPred).value();
    EXPECT_TRUE(reduction
                    ->Combine(reinterpret_cast<std::byte*>(&a),
                              reinterpret_cast<std::byte*>(&b), 1)
                    .ok());
    return a;
  };
  EXPECT_TRUE(run(kAdd, true, true));
  EXPECT_FALSE(run(ReductionKind::kMultiply, true, false));
  EXPECT_FALSE(run(ReductionKind::kXor, true, true));
}

// K-3, K-12.
TEST(Reduction, ExtremaOfFloatsKeepNanAndOrderZeros) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(Reduce<float>(kMax, {1, nan, 2})));
  EXPECT_TRUE(std::isnan(Reduce<float>(kMin, {1, 2, nan})));
  EXPECT_FALSE(std::signbit(Reduce<double>(kMax, {-0.0, 0.0})));
  EXPECT_FALSE(std::signbit(Reduce<double>(kMax, {0.0, -0.0})));
  EXPECT_TRUE(std::signbit(Reduce<double>(kMin, {0.0, -0.0})));
  EXPECT_TRUE(std::signbit(float(Reduce(kMin, Halves<F16>({0.0f, -0.0f})))));
}

// K-4.
TEST(Reduction, NoNeutralElementIsAdded) {
  EXPECT_TRUE(std::signbit(Reduce<float>(kAdd, {-0.0f})));
  EXPECT_TRUE(std::signbit(Reduce<float>(kAdd, {-0.0f, -0.0f, -0.0f})));
}

TEST(Reduction, ExtremaOfComplexNumbersAreLexicographic) {
  using C = std::complex<float>;
  EXPECT_EQ(Reduce<C>(kMax, {C(1, 5), C(2, -1), C(2, 3)}), C(2, 3));
  EXPECT_EQ(Reduce<C>(kMin, {C(1, 5), C(1, 4), C(2, 3)}), C(1, 4));
}

TEST(Reduction, BitwiseOfFloatsIsUnimplemented) {
  EXPECT_EQ(
      MakeReduction(ReductionKind::kXor, ElementType::kF32).status().code(),
      absl::StatusCode::kUnimplemented);
  EXPECT_EQ(Reduce<int16_t>(ReductionKind::kXor, {0b1100, 0b1010}), 0b0110);
  EXPECT_EQ(Reduce<uint64_t>(ReductionKind::kAnd, {12, 10}), 8u);
  EXPECT_EQ(Reduce<uint64_t>(ReductionKind::kOr, {12, 10}), 14u);
}

// K-4.
TEST(TreeReduce, HalvesAtTheLargestPowerOfTwoBelow) {
  EXPECT_EQ(LeftOf({0, 6}), (TreeNode{0, 4}));
  EXPECT_EQ(RightOf({0, 6}), (TreeNode{4, 6}));
  EXPECT_EQ(LeftOf({4, 6}), (TreeNode{4, 5}));
  EXPECT_EQ(LeftOf({0, 8}), (TreeNode{0, 4}));
  EXPECT_EQ(LeftOf({0, 9}), (TreeNode{0, 8}));
}

// K-4.
TEST(TreeReduce, BlocksAndPartialValuesDoNotChangeTheBits) {
  constexpr int kMembers = 7;
  constexpr int kCount = 20011;
  auto reduction = MakeReduction(kAdd, ElementType::kF32).value();
  std::vector<std::vector<float>> x(kMembers, std::vector<float>(kCount));
  for (int m = 0; m < kMembers; ++m) {
    for (int i = 0; i < kCount; ++i) {
      x[m][i] = static_cast<float>((i * 7919 + m * 104729) % 1000003) /
                static_cast<float>(m * m * 31 + 7);
    }
  }
  auto bytes = [](std::vector<float>& v) {
    return reinterpret_cast<std::byte*>(v.data());
  };
  auto of_rank = [&](TreeNode node) -> std::optional<TreeValue> {
    if (node.size() > 1) return std::nullopt;
    return TreeValue{bytes(x[node.begin]), false};
  };
  std::vector<float> partial(kCount), whole(kCount), from_partial(kCount);
  ASSERT_TRUE(
      TreeReduce(*reduction, {4, 6}, of_rank, 0, kCount, bytes(partial)).ok());
  ASSERT_TRUE(
      TreeReduce(*reduction, {0, 7}, of_rank, 0, kCount, bytes(whole)).ok());
  auto with_partial = [&](TreeNode node) -> std::optional<TreeValue> {
    if (node == TreeNode{4, 6}) return TreeValue{bytes(partial), true};
    return of_rank(node);
  };
  for (int first : {0, 1, 4097}) {
    ASSERT_TRUE(TreeReduce(*reduction, {0, 7}, with_partial, first,
                           kCount - first, bytes(from_partial))
                    .ok());
    for (int i = first; i < kCount; ++i) {
      float expected = ((x[0][i] + x[1][i]) + (x[2][i] + x[3][i])) +
                       ((x[4][i] + x[5][i]) + x[6][i]);
      ASSERT_EQ(whole[i], expected) << i;
      ASSERT_EQ(from_partial[i - first], expected) << i;
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
