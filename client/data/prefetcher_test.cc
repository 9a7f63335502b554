#include "client/data/prefetcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

using Item = absl::StatusOr<std::optional<int>>;

// 0, 1, .. below `count`, then the end.
Prefetcher<int>::Producer CountTo(int count) {
  return [next = 0, count]() mutable -> Item {
    if (next == count) return std::nullopt;
    return next++;
  };
}

// All items up to the end.
std::vector<int> Drain(Prefetcher<int>& prefetcher) {
  std::vector<int> items;
  for (;;) {
    const Item item = prefetcher.Next();
    EXPECT_TRUE(item.ok()) << item.status();
    if (!item.ok() || !item->has_value()) return items;
    items.push_back(**item);
  }
}

std::vector<int> Iota(int count) {
  std::vector<int> items(count);
  std::iota(items.begin(), items.end(), 0);
  return items;
}

TEST(PrefetcherTest, ItemsComeInOrderThenTheEndStays) {
  for (int64_t capacity : {0, 1, 2, 7, 5000}) {
    Prefetcher<int> prefetcher(CountTo(1000), {.capacity = capacity});
    EXPECT_EQ(Drain(prefetcher), Iota(1000));
    EXPECT_EQ(Drain(prefetcher), std::vector<int>());
  }
}

TEST(PrefetcherTest, NoData_TheEndComesAtOnce) {
  Prefetcher<int> prefetcher(CountTo(0));
  EXPECT_EQ(*prefetcher.Next(), std::nullopt);
}

TEST(PrefetcherTest, ItemsAreMadeBeforeTheyAreAskedFor) {
  absl::Notification is_full;
  int next = 0;
  Prefetcher<int> prefetcher(
      [&]() -> Item {
        if (++next == 3) is_full.Notify();
        return next;
      },
      {.capacity = 3});
  is_full.WaitForNotification();
  EXPECT_EQ(**prefetcher.Next(), 1);
}

// Before item k is begun, item k - capacity was asked for.
TEST(PrefetcherTest, NoMoreItemsAreMadeThanThereIsRoomFor) {
  constexpr int kItems = 2000;
  for (int capacity : {1, 2, 5}) {
    std::atomic<int> asked = 0;
    std::atomic<int> too_early = 0;
    int next = 0;
    Prefetcher<int> prefetcher(
        [&]() -> Item {
          if (next >= asked + capacity) ++too_early;
          if (next == kItems) return std::nullopt;
          return next++;
        },
        {.capacity = capacity});
    for (int i = 0; i < kItems; ++i) {
      ++asked;
      ASSERT_EQ(**prefetcher.Next(), i);
    }
    EXPECT_EQ(too_early, 0) << "capacity " << capacity;
  }
}

TEST(PrefetcherTest, AnErrorComesAfterTheItemsBeforeItAndStays) {
  int calls = 0;
  Prefetcher<int> prefetcher(
      [&]() -> Item {
        if (++calls == 3) return absl::DataLossError("shard-2.npy: damaged");
        return calls;
      },
      {.capacity = 10});
  EXPECT_EQ(**prefetcher.Next(), 1);
  EXPECT_EQ(**prefetcher.Next(), 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(prefetcher.Next().status(),
              absl::DataLossError("shard-2.npy: damaged"));
  }
  EXPECT_EQ(calls, 3);
}

TEST(PrefetcherTest, AnExceptionIsAnError) {
  Prefetcher<int> prefetcher(
      []() -> Item { throw std::runtime_error("bad header"); },
      {.name = "rows"});
  const absl::Status status = prefetcher.Next().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnknown);
  EXPECT_THAT(std::string(status.message()), HasSubstr("rows: the producer"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("bad header"));
}

TEST(PrefetcherTest, ItemsNeedOnlyMove) {
  bool is_made = false;
  Prefetcher<std::unique_ptr<int>> prefetcher(
      [&]() -> absl::StatusOr<std::optional<std::unique_ptr<int>>> {
        if (std::exchange(is_made, true)) return std::nullopt;
        return std::make_unique<int>(7);
      });
  absl::StatusOr<std::optional<std::unique_ptr<int>>> item = prefetcher.Next();
  EXPECT_EQ(***item, 7);
  EXPECT_FALSE(prefetcher.Next()->has_value());
}

TEST(PrefetcherTest, DeadlinePasses_TheItemIsNotLost) {
  absl::Notification may_go_on;
  Prefetcher<int> prefetcher(
      [&, producer = CountTo(2)]() mutable -> Item {
        may_go_on.WaitForNotification();
        return producer();
      },
      {.name = "rows"});
  const absl::Status late = prefetcher.Next(absl::InfinitePast()).status();
  EXPECT_EQ(late.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(late.message()), HasSubstr("rows: item 0"));
  may_go_on.Notify();
  EXPECT_EQ(**prefetcher.Next(), 0);
  EXPECT_EQ(**prefetcher.Next(), 1);
}

TEST(PrefetcherTest, Destruction_WithItemsThatNobodyTakes) {
  absl::Notification is_full;
  int calls = 0;
  {
    Prefetcher<int> prefetcher(
        [&]() -> Item {
          if (++calls == 2) is_full.Notify();
          return calls;
        },
        {.capacity = 2});
    is_full.WaitForNotification();
  }
  EXPECT_EQ(calls, 2);
}

TEST(PrefetcherTest, Cancellation_EndsAfterTheProducersPresentCall) {
  absl::Notification has_begun, may_go_on;
  int calls = 0;
  auto prefetcher = std::make_unique<Prefetcher<int>>(
      [&]() -> Item {
        if (++calls == 1) has_begun.Notify();
        may_go_on.WaitForNotification();
        return calls;
      },
      PrefetcherOptions{.capacity = 10});
  has_begun.WaitForNotification();
  prefetcher->Cancel();
  prefetcher->Cancel();
  may_go_on.Notify();
  prefetcher.reset();
  EXPECT_EQ(calls, 1);
}

// The consumer is let go while the producer is still at its item.
TEST(PrefetcherTest, Cancellation_WakesAConsumer) {
  absl::Notification may_go_on;
  Prefetcher<int> prefetcher(
      [&]() -> Item {
        may_go_on.WaitForNotification();
        return 1;
      },
      {.name = "rows"});
  absl::Status status;
  std::thread consumer([&] { status = prefetcher.Next().status(); });
  prefetcher.Cancel();
  consumer.join();
  EXPECT_EQ(status, absl::CancelledError("rows: cancelled"));
  may_go_on.Notify();
}

TEST(PrefetcherTest, OfSeveralConsumersEachItemGoesToOne) {
  Prefetcher<int> prefetcher(CountTo(3000), {.capacity = 4});
  std::vector<std::vector<int>> taken(3);
  std::vector<std::thread> consumers;
  for (std::vector<int>& items : taken) {
    consumers.emplace_back([&] { items = Drain(prefetcher); });
  }
  for (std::thread& consumer : consumers) consumer.join();
  std::set<int> all;
  size_t count = 0;
  for (const std::vector<int>& items : taken) {
    EXPECT_TRUE(std::is_sorted(items.begin(), items.end()));
    all.insert(items.begin(), items.end());
    count += items.size();
  }
  EXPECT_EQ(count, 3000u);
  EXPECT_EQ(all.size(), 3000u);
}

}  // namespace
}  // namespace lockstep
