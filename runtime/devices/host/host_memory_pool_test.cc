#include "runtime/devices/host/host_memory_pool.h"

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

TEST(HostMemoryPool, ABlockThatIsFreedIsTheNextOfAboutItsSize) {
  HostMemoryPool pool;
  void* first = pool.Allocate(40 * kMiB);
  ASSERT_NE(first, nullptr);
  pool.Free(first, 40 * kMiB);
  EXPECT_EQ(pool.kept(), 40 * kMiB);
  void* other = pool.Allocate(48 * kMiB);
  EXPECT_NE(other, first);
  void* second = pool.Allocate(40 * kMiB - 100);
  EXPECT_EQ(second, first);
  EXPECT_EQ(pool.kept(), 0u);
  pool.Free(second, 40 * kMiB - 100);
  pool.Free(other, 48 * kMiB);
}

TEST(HostMemoryPool, SmallBlocksAreNotKept) {
  HostMemoryPool pool;
  pool.Free(pool.Allocate(1), 1);
  pool.Free(pool.Allocate(32 * kMiB - 1), 32 * kMiB - 1);
  EXPECT_EQ(pool.kept(), 0u);
}

TEST(HostMemoryPool, NoMoreIsKeptThanIsInUse) {
  HostMemoryPool pool;
  constexpr size_t kSize = 32 * kMiB;  // none of it is touched
  std::vector<void*> blocks;
  for (int i = 0; i < 10; ++i) blocks.push_back(pool.Allocate(kSize));
  for (int i = 0; i < 5; ++i) pool.Free(blocks[i], kSize);
  EXPECT_EQ(pool.kept(), 5 * kSize);
  pool.Free(blocks[5], kSize);
  EXPECT_EQ(pool.kept(), 4 * kSize);
  // Those that were freed last are still there.
  EXPECT_EQ(pool.Allocate(kSize), blocks[5]);
  EXPECT_EQ(pool.kept(), 3 * kSize);
  for (int i = 5; i < 10; ++i) pool.Free(blocks[i], kSize);
  EXPECT_EQ(pool.kept(), HostMemoryPool::kLeastKept);
}

TEST(HostMemoryPool, ThereIsNoBlockThatNoMachineHas) {
  HostMemoryPool pool;
  void* block = pool.Allocate(32 * kMiB);
  pool.Free(block, 32 * kMiB);
  EXPECT_EQ(pool.Allocate(size_t{1} << 60), nullptr);
  EXPECT_EQ(pool.Allocate(SIZE_MAX - 10), nullptr);
  // What is kept went first.
  EXPECT_EQ(pool.kept(), 0u);
}

TEST(HostMemoryPool, ThreadsHaveDifferentBlocks) {
  HostMemoryPool pool;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 200; ++round) {
        const size_t size = (32 + 4 * (round % 3)) * kMiB;
        auto* bytes = static_cast<char*>(pool.Allocate(size));
        std::memset(bytes, i, 100);
        std::memset(bytes + size - 100, i, 100);
        EXPECT_EQ(bytes[0] + bytes[size - 1], 2 * i);
        pool.Free(bytes, size);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace lockstep::internal
