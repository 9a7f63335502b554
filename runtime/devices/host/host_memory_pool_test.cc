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

TEST(HostMemoryPool, NoMoreIsMappedThanOnceWasInUse) {
  HostMemoryPool pool;
  constexpr size_t kSize = 32 * kMiB;  // none of it is touched
  std::vector<void*> blocks;
  for (int i = 0; i < 10; ++i) blocks.push_back(pool.Allocate(kSize));
  for (void* block : blocks) pool.Free(block, kSize);
  EXPECT_EQ(pool.kept(), 10 * kSize);
  // Those that were freed last are used first.
  EXPECT_EQ(pool.Allocate(kSize), blocks[9]);
  EXPECT_EQ(pool.kept(), 9 * kSize);
  // Of another size, so new: in its place some of the others go.
  void* other = pool.Allocate(10 * kSize);
  EXPECT_EQ(pool.kept(), HostMemoryPool::kLeastKept);
  pool.Free(blocks[9], kSize);
  pool.Free(other, 10 * kSize);
  EXPECT_EQ(pool.kept(), 11 * kSize);
}

TEST(HostMemoryPool, WhatNobodyWantsGoesBack) {
  HostMemoryPool pool;
  constexpr size_t kSize = 32 * kMiB;
  void* large = pool.Allocate(8 * kSize);
  pool.Free(pool.Allocate(kSize), kSize);
  pool.Free(large, 8 * kSize);
  for (int64_t i = 1; i < HostMemoryPool::kMostFrees; ++i) {
    pool.Free(pool.Allocate(kSize), kSize);
  }
  EXPECT_EQ(pool.kept(), 9 * kSize);
  pool.Free(pool.Allocate(kSize), kSize);
  EXPECT_EQ(pool.kept(), kSize);
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
