#include "runtime/base/thread_pool.h"

#include <atomic>
#include <vector>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(ThreadPool, OneThreadKeepsTheOrder) {
  std::vector<int> seen;
  {
    ThreadPool pool("queue", 1);
    for (int i = 0; i < 100; ++i)
      pool.Schedule([&seen, i] { seen.push_back(i); });
  }
  ASSERT_EQ(seen.size(), 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(seen[i], i);
}

TEST(ThreadPool, RunsEverythingBeforeItEnds) {
  std::atomic<int> count = 0;
  {
    ThreadPool pool("pool", 4);
    for (int i = 0; i < 1000; ++i) pool.Schedule([&] { ++count; });
  }
  EXPECT_EQ(count, 1000);
}

}  // namespace
}  // namespace lockstep::internal
