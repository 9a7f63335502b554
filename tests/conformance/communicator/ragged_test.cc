// Worked values and random ones of docs/behaviour/collectives.md, K-21, at the
// level of the communicator: rows of all lengths, on all layouts over hosts.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/status.h"
#include "runtime/collectives/ragged_slices.h"
#include "tests/conformance/communicator/test_world.h"

namespace lockstep::internal {
namespace {

using Groups = std::vector<std::vector<int>>;

// What a member says: input_offsets, send_sizes, output_offsets, recv_sizes.
struct Lists {
  std::vector<int64_t> in, send, out, recv;
};

// Of one program, by device.
struct Exchange {
  Groups groups;
  int64_t row_elements = 1;
  std::vector<std::vector<int32_t>> operands;
  std::vector<std::vector<int32_t>> outputs;
  std::vector<Lists> lists;
};

std::vector<int64_t> TableOf(const Exchange& exchange,
                             const std::vector<int>& group) {
  std::vector<int64_t> table;
  for (int device : group) {
    const Lists& lists = exchange.lists[device];
    for (const auto* list : {&lists.in, &lists.send, &lists.out, &lists.recv}) {
      table.insert(table.end(), list->begin(), list->end());
    }
  }
  return table;
}

// As the formula says it, row by row.
std::vector<std::vector<int32_t>> Expected(const Exchange& exchange) {
  auto results = exchange.outputs;
  const int64_t length = exchange.row_elements;
  for (const auto& group : exchange.groups) {
    for (int sender : group) {
      const Lists& lists = exchange.lists[sender];
      const size_t per_member = lists.in.size() / group.size();
      for (size_t i = 0; i < lists.in.size(); ++i) {
        const int receiver = group[i / per_member];
        for (int64_t row = 0; row < lists.send[i] * length; ++row) {
          results[receiver][lists.out[i] * length + row] =
              exchange.operands[sender][lists.in[i] * length + row];
        }
      }
    }
  }
  return results;
}

template <typename T>
absl::Span<const std::byte> In(const std::vector<T>& values) {
  return {reinterpret_cast<const std::byte*>(values.data()),
          values.size() * sizeof(T)};
}
template <typename T>
absl::Span<std::byte> Out(std::vector<T>& values) {
  return {reinterpret_cast<std::byte*>(values.data()),
          values.size() * sizeof(T)};
}

void ExpectOnEveryLayout(const Exchange& exchange) {
  const auto expected = Expected(exchange);
  const int64_t length = exchange.row_elements;
  for (const std::vector<int>& layout :
       HostLayouts(static_cast<int>(exchange.operands.size()))) {
    TestWorld world(layout);
    auto results = exchange.outputs;
    const auto statuses = world.Launch(
        exchange.groups, [&](TestWorld::Device& device) -> absl::Status {
          const auto group =
              std::find_if(exchange.groups.begin(), exchange.groups.end(),
                           [&](const std::vector<int>& group) {
                             return std::find(group.begin(), group.end(),
                                              device.device) != group.end();
                           });
          const auto& operand = exchange.operands[device.device];
          auto& result = results[device.device];
          ASSIGN_OR_RETURN(
              auto slices,
              RaggedSlices::Create(
                  TableOf(exchange, *group), static_cast<int>(group->size()),
                  {static_cast<int64_t>(operand.size()) / length,
                   static_cast<int64_t>(result.size()) / length,
                   length * static_cast<int64_t>(sizeof(int32_t))}));
          return device.communicator->RaggedAllToAll(
              At(device, 0, "ragged_all_to_all"), std::move(slices),
              In(operand), Out(result));
        });
    for (const absl::Status& status : statuses)
      ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(results, expected)
        << "on layout " << testing::PrintToString(layout);
  }
}

TEST(RaggedAllToAll, WritesRowsWhereTheirSendersSay_K21) {
  const Lists first = {{0, 1}, {1, 2}, {0, 0}, {1, 1}};
  const Lists second = {{0, 1}, {1, 1}, {1, 2}, {2, 1}};
  ExpectOnEveryLayout({{{0, 1}},
                       1,
                       {{1, 2, 2}, {3, 4, 0}},
                       {{0, 0, 0, 0}, {0, 0, 0, 0}},
                       {first, second}});
  ExpectOnEveryLayout({{{0, 1}, {2, 3}},
                       1,
                       {{1, 2, 2}, {3, 4, 0}, {10, 20, 20}, {30, 40, 0}},
                       {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
                       {first, second, first, second}});
}

TEST(RaggedAllToAll, OfOneMemberMovesItsOwnRows_K21) {
  ExpectOnEveryLayout({{{0}, {1}},
                       1,
                       {{1, 0, 0, 0}, {2, 3, 4, 0}},
                       {{0, 0, 0, 0}, {0, 0, 0, 0}},
                       {{{0}, {1}, {2}, {1}}, {{0}, {3}, {1}, {3}}}});
}

TEST(RaggedAllToAll, SendsARowAsOftenAsItIsNamed_K21) {
  ExpectOnEveryLayout(
      {{{0, 1}},
       1,
       {{5}, {6}},
       {{0, 0}, {0, 0}},
       {{{0, 0}, {1, 1}, {0, 0}, {1, 1}}, {{0, 0}, {1, 1}, {1, 1}, {1, 1}}}});
}

int64_t Below(std::mt19937& random, int64_t end) {
  return std::uniform_int_distribution<int64_t>(0, end - 1)(random);
}

// Slices that arrive at `receiver` in random order, with gaps between them.
void FillReceiver(std::mt19937& random, const std::vector<int>& group,
                  size_t receiver, size_t per_member, int64_t operand_rows,
                  int64_t output_rows, Exchange& exchange) {
  std::vector<size_t> arriving(group.size() * per_member);
  std::iota(arriving.begin(), arriving.end(), 0);
  std::shuffle(arriving.begin(), arriving.end(), random);
  int64_t next = 0;
  for (size_t place : arriving) {
    const size_t slice = receiver * per_member + place % per_member;
    Lists& lists = exchange.lists[group[place / per_member]];
    next += Below(random, 2);
    const int64_t most = std::min(operand_rows, output_rows - next);
    const int64_t size = most <= 0 ? 0 : Below(random, most + 1);
    lists.send[slice] = size;
    lists.in[slice] = Below(random, operand_rows - size + 1);
    lists.out[slice] = std::min(next, output_rows);
    next += size;
    exchange.lists[group[receiver]].recv[place] = size;
  }
}

Exchange RandomExchange(uint32_t seed) {
  std::mt19937 random(seed);
  const int64_t group_size = 1 + Below(random, 4);
  const int64_t group_count = 1 + Below(random, group_size > 2 ? 2 : 3);
  const auto devices = static_cast<size_t>(group_size * group_count);
  const auto per_member = static_cast<size_t>(1 + Below(random, 3));
  const int64_t operand_rows = Below(random, 40);
  const int64_t output_rows = Below(random, 60);
  Exchange exchange;
  exchange.row_elements = 1 + Below(random, 9);
  std::vector<int> ids(devices);
  std::iota(ids.begin(), ids.end(), 0);
  std::shuffle(ids.begin(), ids.end(), random);
  for (size_t begin = 0; begin < devices; begin += group_size) {
    exchange.groups.emplace_back(ids.begin() + begin,
                                 ids.begin() + begin + group_size);
  }
  const std::vector<int64_t> list(group_size * per_member);
  exchange.lists.assign(devices, {list, list, list, list});
  for (size_t device = 0; device < devices; ++device) {
    exchange.operands.emplace_back(operand_rows * exchange.row_elements);
    exchange.outputs.emplace_back(output_rows * exchange.row_elements);
    for (auto* values : {&exchange.operands.back(), &exchange.outputs.back()}) {
      for (int32_t& value : *values) value = static_cast<int32_t>(random());
    }
  }
  for (const auto& group : exchange.groups) {
    for (size_t receiver = 0; receiver < group.size(); ++receiver) {
      FillReceiver(random, group, receiver, per_member, operand_rows,
                   output_rows, exchange);
    }
  }
  return exchange;
}

TEST(RaggedAllToAll, OfRandomSlicesIsTheFormula_K21) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    ExpectOnEveryLayout(RandomExchange(seed));
  }
}

// K-25, #16.
TEST(RaggedAllToAll, OfEqualSizesIsAllToAll_K25) {
  constexpr int kMembers = 3;
  constexpr int64_t kRows = 4;
  TestWorld world({0, 1, 1});
  std::vector<std::vector<int32_t>> ragged(kMembers), plain(kMembers);
  const auto statuses = world.Launch([&](TestWorld::Device& device) {
    std::vector<int32_t> operand(kMembers * kRows);
    std::iota(operand.begin(), operand.end(), 100 * device.device);
    std::vector<int64_t> table;
    for (int member = 0; member < kMembers; ++member) {
      for (int k = 0; k < kMembers; ++k) table.push_back(k * kRows);
      table.insert(table.end(), kMembers, kRows);
      table.insert(table.end(), kMembers, member * kRows);
      table.insert(table.end(), kMembers, kRows);
    }
    const auto slices = RaggedSlices::Create(
        table, kMembers, {kMembers * kRows, kMembers * kRows, 4});
    if (!slices.ok()) return slices.status();
    ragged[device.device].resize(operand.size());
    plain[device.device].resize(operand.size());
    const absl::Status status = device.communicator->RaggedAllToAll(
        At(device, 0, "ragged_all_to_all"), *slices, In(operand),
        Out(ragged[device.device]));
    if (!status.ok()) return status;
    return device.communicator->AllToAll(
        At(device, 1, "all_to_all"), In(operand), Out(plain[device.device]));
  });
  for (const absl::Status& status : statuses)
    ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(ragged, plain);
}

}  // namespace
}  // namespace lockstep::internal
