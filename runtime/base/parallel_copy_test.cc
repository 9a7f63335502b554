#include "runtime/base/parallel_copy.h"

#include <numeric>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

std::vector<std::byte> Pattern(size_t size, unsigned seed) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::byte>((i * 2654435761u + seed) >> 13);
  }
  return bytes;
}

TEST(ParallelCopyTest, EveryByteArrivesAndNoneBeyond) {
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{524287}, size_t{524289}, size_t{1048575},
        size_t{1048576}, size_t{9999999}}) {
    const std::vector<std::byte> from = Pattern(size, 7);
    std::vector<std::byte> to(size + 1, std::byte{0x5A});
    ParallelCopy(to.data(), from.data(), size);
    EXPECT_EQ(to.back(), std::byte{0x5A});
    to.pop_back();
    EXPECT_TRUE(to == from) << size;
  }
}

TEST(ParallelRunTest, EveryPartRunsOnce) {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{7}, size_t{1000}}) {
    std::vector<int> runs(count);
    ParallelRun(count, [&](size_t i) { ++runs[i]; });
    EXPECT_EQ(runs, std::vector<int>(count, 1));
  }
}

TEST(ParallelCopyTest, SeveralThreadsCopyAtATime) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      const std::vector<std::byte> from = Pattern(3000001, i);
      for (int round = 0; round < 20; ++round) {
        std::vector<std::byte> to(from.size());
        ParallelCopy(to.data(), from.data(), from.size());
        ASSERT_TRUE(to == from);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace lockstep::internal
