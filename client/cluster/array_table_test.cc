#include "client/cluster/array_table.h"

#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

constexpr Incarnation kA{1};
constexpr Incarnation kB{2};

TEST(ArrayTable, AnArrayIsReadyWhenItIsOnAllItsHosts) {
  ArrayTable table;
  auto state = table.Add(7, {kA, kB});
  table.SetReady(7, kA);
  table.SetReady(7, kA);
  EXPECT_FALSE(state->is_ready());
  EXPECT_THAT(state->pending(), testing::ElementsAre(kB));
  EXPECT_EQ(state->Await(absl::InfinitePast()).code(),
            absl::StatusCode::kDeadlineExceeded);
  std::thread other([&] { table.SetReady(7, kB); });
  EXPECT_TRUE(state->Await(absl::InfiniteFuture()).ok());
  other.join();
  EXPECT_TRUE(state->is_ready());
}

TEST(ArrayTable, WhatWasPutIsReady) {
  ArrayTable table;
  EXPECT_TRUE(table.Add(7, {})->is_ready());
}

TEST(ArrayTable, TheFirstFailureIsKept) {
  ArrayTable table;
  auto state = table.Add(7, {kA});
  std::thread other([&] { table.Fail(7, absl::AbortedError("first")); });
  EXPECT_EQ(state->Await(absl::InfiniteFuture()), absl::AbortedError("first"));
  other.join();
  table.Fail(7, absl::AbortedError("second"));
  table.SetReady(7, kA);
  EXPECT_EQ(state->Await(absl::InfiniteFuture()), absl::AbortedError("first"));
  EXPECT_TRUE(state->is_ready());
}

TEST(ArrayTable, ALostHostFailsWhatItHadYetToCompute) {
  ArrayTable table;
  auto computed = table.Add(1, {kA});
  auto pending = table.Add(2, {kA, kB});
  auto elsewhere = table.Add(3, {kB});
  table.SetReady(1, kA);
  table.LoseHost(kA, absl::UnavailableError("host 0"));
  EXPECT_TRUE(computed->Await(absl::InfinitePast()).ok());
  EXPECT_EQ(pending->Await(absl::InfinitePast()),
            absl::UnavailableError("host 0"));
  EXPECT_FALSE(elsewhere->is_ready());
  EXPECT_TRUE(table.Add(4, {kA})->failure().is_cancelled());
}

TEST(ArrayTable, ALostConnectionFailsAllArrays) {
  ArrayTable table;
  auto state = table.Add(1, {kA});
  table.FailAll(absl::UnavailableError("gone"));
  EXPECT_EQ(state->Await(absl::InfiniteFuture()),
            absl::UnavailableError("gone"));
  EXPECT_TRUE(table.Add(2, {})->failure().is_cancelled());
}

TEST(ArrayTable, ShardsThatCameWithTheNewsAreThereUntilTheirHostIsLost) {
  const std::vector<GlobalDeviceId> both = {GlobalDeviceId(3),
                                            GlobalDeviceId(1)};
  ArrayTable table;
  auto state = table.Add(1, {kA, kB});
  table.SetShards(1, kA, {{GlobalDeviceId(1), "one"}});
  EXPECT_TRUE(state->Shards(both).empty());
  table.SetShards(1, kB, {{GlobalDeviceId(3), "three"}});
  EXPECT_EQ(state->Shards(both), std::vector<std::string>({"three", "one"}));
  table.SetReady(1, kA);
  table.SetReady(1, kB);
  table.LoseHost(kB, absl::UnavailableError("host 1"));
  EXPECT_TRUE(state->Shards(both).empty());
  EXPECT_EQ(state->Shards({both[1]}), std::vector<std::string>({"one"}));
}

TEST(ArrayTable, NewsOfUnknownArraysIsIgnored) {
  ArrayTable table;
  table.SetReady(5, kA);
  auto state = table.Add(7, {kA});
  table.Remove(7);
  table.SetReady(7, kA);
  table.Fail(7, absl::AbortedError("x"));
  EXPECT_FALSE(state->is_ready());
}

}  // namespace
}  // namespace lockstep::internal
