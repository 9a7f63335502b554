#include "runtime/interpreter/tensor_collectives.h"

#include <functional>
#include <numeric>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

using RankFn = std::function<absl::Status(HostCommunicator&,
                                          const CollectiveCall&, int rank)>;

// Runs `f` once per rank of a clique of `size`, each on a thread of its own.
void OnEveryRank(int size, const RankFn& f) {
  std::vector<CliqueMember> members;
  for (int k = 0; k < size; ++k) {
    members.push_back({GlobalDeviceId(k), HostId(0), Incarnation(1)});
  }
  const CliqueKey key(members);
  InProcessCliqueProvider provider;
  CancellationToken token;
  std::vector<absl::Status> statuses(size);
  std::vector<std::thread> threads;
  for (int k = 0; k < size; ++k) {
    threads.emplace_back([&, k] {
      auto communicator = *provider.Acquire(key, GlobalDeviceId(k));
      CollectiveCall call;
      call.launch = LaunchNumber(1);
      call.cancellation = &token;
      statuses[k] = f(*communicator->on_host(), call, k);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& status : statuses)
    EXPECT_EQ(status, absl::OkStatus());
}

Literal IotaFrom(int32_t start, std::initializer_list<int64_t> dims) {
  Literal literal(Shape(ElementType::kS32, dims));
  auto data = literal.mutable_data<int32_t>();
  std::iota(data.begin(), data.end(), start);
  return literal;
}

TEST(TensorCollectivesTest, AllGatherJoinsAlongAnyDimension) {
  OnEveryRank(3, [](HostCommunicator& c, const CollectiveCall& call, int rank) {
    const Literal operand = IotaFrom(10 * rank, {2, 1});
    Literal rows(Shape(ElementType::kS32, {6, 1}));
    Literal columns(Shape(ElementType::kS32, {2, 3}));
    absl::Status first =
        AllGatherTensor(c, call, 0, operand, rows.mutable_view());
    EXPECT_THAT(rows.data<int32_t>(), ElementsAre(0, 1, 10, 11, 20, 21));
    if (!first.ok()) return first;
    CollectiveCall next = call;
    next.number = 1;
    absl::Status second =
        AllGatherTensor(c, next, 1, operand, columns.mutable_view());
    EXPECT_THAT(columns.data<int32_t>(), ElementsAre(0, 10, 20, 1, 11, 21));
    return second;
  });
}

TEST(TensorCollectivesTest, ReduceScatterCutsAlongAnInnerDimension) {
  const auto add = *MakeReduction(ReductionKind::kAdd, ElementType::kS32);
  OnEveryRank(
      2, [&](HostCommunicator& c, const CollectiveCall& call, int rank) {
        const Literal operand = IotaFrom(0, {2, 4});
        Literal result(Shape(ElementType::kS32, {2, 2}));
        absl::Status status = ReduceScatterTensor(c, call, *add, 1, operand,
                                                  result.mutable_view());
        if (rank == 0) {
          EXPECT_THAT(result.data<int32_t>(), ElementsAre(0, 2, 8, 10));
        } else {
          EXPECT_THAT(result.data<int32_t>(), ElementsAre(4, 6, 12, 14));
        }
        return status;
      });
}

TEST(TensorCollectivesTest, AllToAllSplitsOneDimensionAndJoinsAnother) {
  OnEveryRank(2, [](HostCommunicator& c, const CollectiveCall& call, int rank) {
    const Literal operand = IotaFrom(10 * rank, {2, 4});
    Literal result(Shape(ElementType::kS32, {4, 2}));
    absl::Status status =
        AllToAllTensor(c, call, 1, 0, operand, result.mutable_view());
    if (rank == 0) {
      EXPECT_THAT(result.data<int32_t>(),
                  ElementsAre(0, 1, 4, 5, 10, 11, 14, 15));
    } else {
      EXPECT_THAT(result.data<int32_t>(),
                  ElementsAre(2, 3, 6, 7, 12, 13, 16, 17));
    }
    return status;
  });
}

TEST(TensorCollectivesTest, AllToAllBackAndForthIsTheIdentity) {
  OnEveryRank(3, [](HostCommunicator& c, const CollectiveCall& call, int rank) {
    const Literal operand = IotaFrom(100 * rank, {2, 3, 6});
    Literal there(Shape(ElementType::kS32, {2, 9, 2}));
    Literal back(Shape(ElementType::kS32, {2, 3, 6}));
    absl::Status first =
        AllToAllTensor(c, call, 2, 1, operand, there.mutable_view());
    if (!first.ok()) return first;
    CollectiveCall next = call;
    next.number = 1;
    absl::Status second =
        AllToAllTensor(c, next, 1, 2, there, back.mutable_view());
    EXPECT_EQ(back, operand);
    return second;
  });
}

TEST(TensorCollectivesTest, EmptyTensorsPass) {
  const auto add = *MakeReduction(ReductionKind::kAdd, ElementType::kS32);
  OnEveryRank(2, [&](HostCommunicator& c, const CollectiveCall& call, int) {
    const Literal operand = IotaFrom(0, {0, 2});
    Literal result(Shape(ElementType::kS32, {0, 1}));
    return ReduceScatterTensor(c, call, *add, 1, operand,
                               result.mutable_view());
  });
}

}  // namespace
}  // namespace lockstep::internal
