// Worked values of docs/behaviour/collectives.md, K-4, K-10, K-12, K-14, K-15,
// K-16, K-18, K-19 and K-20, at the level of the communicator: shapes are the
// program's business.
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/types/half.h"
#include "tests/conformance/communicator/test_world.h"

namespace lockstep::internal {
namespace {

using Groups = std::vector<std::vector<int>>;
template <typename T>
using Values = std::vector<std::vector<T>>;  // by device

constexpr ReductionKind kAdd = ReductionKind::kAdd;

// Worlds take time to make and can be used again. Keeps those of one number of
// devices.
TestWorld& WorldOf(const std::vector<int>& layout) {
  static auto* worlds = new std::map<std::vector<int>, TestWorld>();
  if (!worlds->empty() && worlds->begin()->first.size() != layout.size()) {
    worlds->clear();
  }
  return worlds->try_emplace(layout, layout).first->second;
}

// Runs `operation(device, operand, result)` on every device of `groups`, for
// every layout over hosts, and expects the same bytes each time.
template <typename T, typename Operation>
void ExpectOnEveryLayout(const Groups& groups, const Values<T>& operands,
                         const Values<T>& expected, Operation operation) {
  for (const std::vector<int>& layout :
       HostLayouts(static_cast<int>(operands.size()))) {
    TestWorld& world = WorldOf(layout);
    Values<T> results = expected;
    std::vector<absl::Status> statuses =
        world.Launch(groups, [&](TestWorld::Device& device) {
          std::vector<T>& result = results[device.device];
          std::memset(static_cast<void*>(result.data()), 0xee,
                      result.size() * sizeof(T));
          return operation(device, operands[device.device], result);
        });
    for (const absl::Status& status : statuses)
      ASSERT_TRUE(status.ok()) << status;
    for (size_t d = 0; d < expected.size(); ++d) {
      EXPECT_EQ(ToBytes(results[d]), ToBytes(expected[d]))
          << "device " << d << " on layout " << testing::PrintToString(layout);
    }
  }
}

template <typename T>
std::byte* Data(std::vector<T>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}
template <typename T>
const std::byte* Data(const std::vector<T>& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}
template <typename T>
absl::Span<const std::byte> In(const std::vector<T>& values) {
  return {Data(values), values.size() * sizeof(T)};
}
template <typename T>
absl::Span<std::byte> Out(std::vector<T>& values) {
  return {Data(values), values.size() * sizeof(T)};
}

template <typename T>
void ExpectAllReduce(const Groups& groups, ReductionKind kind,
                     const Values<T>& operands, const Values<T>& expected) {
  auto reduction = MakeReduction(kind, ElementTypeOf<T>::value).value();
  ExpectOnEveryLayout(
      groups, operands, expected,
      [&](TestWorld::Device& device, const auto& operand, auto& result) {
        return device.communicator->AllReduce(At(device, 0, "all_reduce"),
                                              Data(operand), Data(result),
                                              operand.size(), *reduction);
      });
}

template <typename T>
void ExpectReduceScatter(const Groups& groups, const Values<T>& operands,
                         const Values<T>& expected) {
  auto reduction = MakeReduction(kAdd, ElementTypeOf<T>::value).value();
  ExpectOnEveryLayout(
      groups, operands, expected,
      [&](TestWorld::Device& device, const auto& operand, auto& result) {
        return device.communicator->ReduceScatter(
            At(device, 0, "reduce_scatter"), Data(operand), Data(result),
            result.size(), *reduction);
      });
}

template <typename T>
void ExpectAllGather(const Groups& groups, const Values<T>& operands,
                     const Values<T>& expected) {
  ExpectOnEveryLayout(
      groups, operands, expected,
      [&](TestWorld::Device& device, const auto& operand, auto& result) {
        return device.communicator->AllGather(At(device, 0, "all_gather"),
                                              In(operand), Out(result));
      });
}

template <typename T>
void ExpectAllToAll(const Groups& groups, const Values<T>& operands,
                    const Values<T>& expected) {
  ExpectOnEveryLayout(
      groups, operands, expected,
      [&](TestWorld::Device& device, const auto& operand, auto& result) {
        return device.communicator->AllToAll(At(device, 0, "all_to_all"),
                                             In(operand), Out(result));
      });
}

// `pairs` are positions in each group.
template <typename T>
void ExpectPermute(const Groups& groups,
                   const std::vector<std::pair<int, int>>& pairs,
                   const Values<T>& operands, const Values<T>& expected) {
  ExpectOnEveryLayout(
      groups, operands, expected,
      [&](TestWorld::Device& device, const auto& operand, auto& result) {
        std::optional<int> source;
        std::vector<int> targets;
        for (auto [from, to] : pairs) {
          if (to == device.communicator->rank()) source = from;
          if (from == device.communicator->rank()) targets.push_back(to);
        }
        return device.communicator->Permute(At(device, 0, "collective_permute"),
                                            source, targets, In(operand),
                                            Out(result));
      });
}

template <typename T>
void ExpectBroadcast(const Groups& groups, int root, const Values<T>& operands,
                     const Values<T>& expected) {
  ExpectOnEveryLayout(
      groups, operands, expected,
      [&](TestWorld::Device& device, const auto& operand, auto& result) {
        return device.communicator->Broadcast(
            At(device, 0, "collective_broadcast"), root, In(operand),
            Out(result));
      });
}

Values<float> Scalars(const std::vector<float>& values) {
  Values<float> rows;
  for (float value : values) rows.push_back({value});
  return rows;
}

const Values<float>& IotaRows() {
  static const Values<float>* rows = new Values<float>{
      {0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}};
  return *rows;
}

TEST(AllReduce, SumsOverGroups_K10) {
  ExpectAllReduce({{0, 1, 2, 3}}, kAdd, Scalars({0, 1, 2, 3}),
                  Scalars({6, 6, 6, 6}));
  ExpectAllReduce({{0, 1}, {2, 3}}, kAdd, Scalars({0, 1, 2, 3}),
                  Scalars({1, 1, 5, 5}));
  ExpectAllReduce({{0, 1}, {2, 3, 4, 5, 6, 7}}, kAdd,
                  Scalars({0, 1, 2, 3, 4, 5, 6, 7}),
                  Scalars({1, 1, 27, 27, 27, 27, 27, 27}));
  ExpectAllReduce({{0, 1, 2, 3}}, kAdd, IotaRows(),
                  Values<float>(4, {24, 28, 32, 36}));
  ExpectAllReduce(
      {{0, 1}, {2, 3}}, kAdd, IotaRows(),
      Values<float>{
          {4, 6, 8, 10}, {4, 6, 8, 10}, {20, 22, 24, 26}, {20, 22, 24, 26}});
}

TEST(AllReduce, SumsOverTheAxesOfAMesh_K10) {
  Values<float> x = Scalars({0, 1, 2, 10, 11, 12});
  ExpectAllReduce({{0, 3}, {1, 4}, {2, 5}}, kAdd, x,
                  Scalars({10, 12, 14, 10, 12, 14}));
  ExpectAllReduce({{0, 1, 2}, {3, 4, 5}}, kAdd, x,
                  Scalars({3, 3, 3, 33, 33, 33}));
  ExpectAllReduce({{0, 1, 2, 3, 4, 5}}, kAdd, x,
                  Scalars({36, 36, 36, 36, 36, 36}));
}

TEST(AllReduce, Extrema_K12) {
  Values<float> x = Scalars({3, 7, 7, 1});
  ExpectAllReduce({{0, 1, 2, 3}}, ReductionKind::kMaximum, x,
                  Scalars({7, 7, 7, 7}));
  ExpectAllReduce({{0, 1, 2, 3}}, ReductionKind::kMinimum, x,
                  Scalars({1, 1, 1, 1}));
  ExpectAllReduce({{0, 1}}, ReductionKind::kMaximum, Scalars({-0.0f, 0.0f}),
                  Scalars({0.0f, 0.0f}));
  ExpectAllReduce({{0, 1}}, ReductionKind::kMinimum, Scalars({-0.0f, 0.0f}),
                  Scalars({-0.0f, -0.0f}));
}

TEST(AllReduce, FollowsTheTree_K4) {
  ExpectAllReduce({{0, 1, 2, 3}}, kAdd, Scalars({1e8f, 1, -1e8f, 1}),
                  Scalars({0, 0, 0, 0}));
  Values<BF16> brain = {{BF16(256.f)}, {BF16(1.f)}, {BF16(1.f)}, {BF16(1.f)}};
  ExpectAllReduce({{0, 1, 2, 3}}, kAdd, brain, Values<BF16>(4, {BF16(260.f)}));
  Values<F16> half = {{F16(2048.f)}, {F16(1.f)}, {F16(1.f)}, {F16(1.f)}};
  ExpectAllReduce({{0, 1, 2, 3}}, kAdd, half, Values<F16>(4, {F16(2052.f)}));
  Values<F16> large = {{F16(60000.f)}, {F16(60000.f)}, {F16(-60000.f)}};
  ExpectAllReduce({{0, 1, 2}}, kAdd, large, Values<F16>(3, {F16(60000.f)}));
  ExpectAllReduce<int8_t>({{0, 1}}, kAdd, {{100}, {100}}, {{-56}, {-56}});
  ExpectAllReduce<uint8_t>({{0, 1}}, kAdd, {{200}, {100}}, {{44}, {44}});
}

// a + 2b, by a body that no kernel has: not the same in another order.
class OwnBody : public Reduction {
 public:
  ElementType element_type() const override { return ElementType::kS32; }
  ElementType accumulation_type() const override { return ElementType::kS32; }
  void Load(const std::byte* operand, std::byte* accumulator,
            int64_t count) const override {
    std::memcpy(accumulator, operand, count * sizeof(int32_t));
  }
  absl::Status Combine(std::byte* accumulator, const std::byte* operand,
                       int64_t count) const override {
    auto* const a = reinterpret_cast<int32_t*>(accumulator);
    const auto* const b = reinterpret_cast<const int32_t*>(operand);
    for (int64_t i = 0; i < count; ++i) a[i] += 2 * b[i];
    return absl::OkStatus();
  }
  void Store(const std::byte* accumulator, std::byte* result,
             int64_t count) const override {
    std::memcpy(result, accumulator, count * sizeof(int32_t));
  }
};

TEST(AllReduce, BodiesOfTheirOwnFollowTheTreeInEveryMessage_K4) {
  constexpr int kCount = 1001;  // more than a window of messages here
  Values<int32_t> operands(4, std::vector<int32_t>(kCount));
  Values<int32_t> expected = operands;
  for (int i = 0; i < kCount; ++i) {
    for (int d = 0; d < 4; ++d) operands[d][i] = 100 * d + i;
    const auto tree = [](int32_t a, int32_t b) { return a + 2 * b; };
    const int32_t sum = tree(tree(operands[0][i], operands[1][i]),
                             tree(operands[2][i], operands[3][i]));
    for (int d = 0; d < 4; ++d) expected[d][i] = sum;
  }
  const OwnBody body;
  ExpectOnEveryLayout(
      {{0, 1, 2, 3}}, operands, expected,
      [&](TestWorld::Device& device, const auto& operand, auto& result) {
        return device.communicator->AllReduce(At(device, 0, "all_reduce"),
                                              Data(operand), Data(result),
                                              operand.size(), body);
      });
}

TEST(AllReduce, OneMemberKeepsItsBits_K4) {
  ExpectAllReduce({{0}}, kAdd, Scalars({-0.0f}), Scalars({-0.0f}));
  ExpectAllReduce({{0, 1}}, kAdd, Scalars({-0.0f, -0.0f}),
                  Scalars({-0.0f, -0.0f}));
}

TEST(AllGather, StacksInGroupOrder_K14) {
  ExpectAllGather({{0, 1, 2, 3}}, Scalars({0, 1, 2, 3}),
                  Values<float>(4, {0, 1, 2, 3}));
  ExpectAllGather({{0, 2}, {3, 1}}, IotaRows(),
                  Values<float>{{0, 1, 2, 3, 8, 9, 10, 11},
                                {12, 13, 14, 15, 4, 5, 6, 7},
                                {0, 1, 2, 3, 8, 9, 10, 11},
                                {12, 13, 14, 15, 4, 5, 6, 7}});
  ExpectAllGather({{0, 3, 1, 4, 2, 5}}, Scalars({0, 1, 2, 10, 11, 12}),
                  Values<float>(6, {0, 10, 1, 11, 2, 12}));
}

TEST(ReduceScatter, KeepsTheOwnChunk_K15) {
  ExpectReduceScatter({{0, 1, 2, 3}}, IotaRows(), Scalars({24, 28, 32, 36}));
  ExpectReduceScatter({{0, 2}, {3, 1}}, IotaRows(),
                      Values<float>{{8, 10}, {20, 22}, {12, 14}, {16, 18}});
  Values<float> x;
  for (float d = 1; d <= 6; ++d) {
    x.push_back({d, 2 * d, 3 * d, 4 * d, 5 * d, 6 * d});
  }
  ExpectReduceScatter({{0, 1, 2, 3, 4, 5}}, x,
                      Scalars({21, 42, 63, 84, 105, 126}));
  ExpectReduceScatter({{0, 3, 1, 4, 2, 5}}, x,
                      Scalars({21, 63, 105, 42, 84, 126}));
}

TEST(ReduceScatter, OfEightMembersWithEvensAndOdds_K15) {
  Values<float> x(8), expected(8);
  for (int d = 0; d < 8; ++d) {
    // Evens first, then odds, as (8, 32) iota with its columns reordered by
    // chunks of four.
    for (int k = 0; k < 8; ++k) {
      for (int i = 0; i < 4; ++i) x[d].push_back(32 * d + 4 * k + i);
    }
  }
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < 4; ++i) {
      expected[k].push_back(32 * 28 + 8 * (4 * k + i));
    }
  }
  ExpectReduceScatter({{0, 1, 2, 3, 4, 5, 6, 7}}, x, expected);
}

TEST(AllToAll, SendsChunkKToRankK_K16) {
  ExpectAllToAll(
      {{0, 1, 2, 3}}, IotaRows(),
      Values<float>{
          {0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}});
  Values<float> x = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
  ExpectAllToAll({{0, 2}, {1, 3}}, x,
                 Values<float>{{0, 4}, {2, 6}, {1, 5}, {3, 7}});
  ExpectAllToAll({{0, 2}, {3, 1}}, x,
                 Values<float>{{0, 4}, {7, 3}, {1, 5}, {6, 2}});
}

TEST(Permute, MovesAlongThePairs_K18) {
  Values<float> x = Scalars({10, 20, 30, 40});
  ExpectPermute({{0, 1, 2, 3}}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, x,
                Scalars({40, 10, 20, 30}));
  ExpectPermute({{0, 1, 2, 3}}, {{0, 1}, {1, 2}}, x, Scalars({0, 10, 20, 0}));
  ExpectPermute({{0, 1, 2, 3}}, {{3, 0}}, x, Scalars({40, 0, 0, 0}));
  ExpectPermute({{0, 2}, {3, 1}}, {{0, 1}}, x, Scalars({0, 40, 10, 0}));
  ExpectPermute({{0, 1, 2, 3}}, {}, x, Scalars({0, 0, 0, 0}));
}

TEST(Permute, ByAShuffle_K19) {
  ExpectPermute({{0, 1, 2, 3}}, {{2, 0}, {0, 1}, {3, 2}, {1, 3}},
                Scalars({10, 20, 30, 40}), Scalars({30, 10, 40, 20}));
}

TEST(Broadcast, GivesEverybodyTheRootsBits_K20) {
  Values<float> x = Scalars({10, 20, 30, 40});
  ExpectBroadcast({{0, 1, 2, 3}}, 2, x, Scalars({30, 30, 30, 30}));
  ExpectBroadcast({{0, 2}, {3, 1}}, 1, x, Scalars({30, 20, 30, 20}));
  // A quiet NaN with a payload, and a negative zero.
  Values<uint32_t> bits = {{0x7fc01234u, 0x80000000u}, {1, 2}, {3, 4}};
  ExpectBroadcast({{0, 1, 2}}, 0, bits,
                  Values<uint32_t>(3, {0x7fc01234u, 0x80000000u}));
}

}  // namespace
}  // namespace lockstep::internal
