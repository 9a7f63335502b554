#include "runtime/base/scratch_memory.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

TEST(ScratchMemory, IsAlignedAndAsLargeAsAskedFor) {
  for (int64_t bytes : {0, 1, 63, 64, 65, 1 << 22}) {
    const auto memory = ScratchMemory::Allocate(bytes);
    ASSERT_TRUE(memory.ok()) << memory.status();
    ASSERT_NE(memory->data(), nullptr);
    EXPECT_EQ(
        reinterpret_cast<uintptr_t>(memory->data()) % ScratchMemory::kAlignment,
        0u);
    std::memset(memory->data(), 7, static_cast<size_t>(bytes));
  }
}

TEST(ScratchMemory, MovesWithItsBytes) {
  ScratchMemory memory;
  EXPECT_EQ(memory.data(), nullptr);
  memory = *ScratchMemory::Allocate(4);
  std::byte* const bytes = memory.data();
  *memory.as<int32_t>() = 5;
  const ScratchMemory moved = std::move(memory);
  EXPECT_EQ(moved.data(), bytes);
  EXPECT_EQ(*moved.as<int32_t>(), 5);
}

TEST(ScratchMemory, WhatThereIsNotIsAnError) {
  for (int64_t bytes :
       {int64_t{1} << 60, std::numeric_limits<int64_t>::max()}) {
    const absl::Status status = ScratchMemory::Allocate(bytes).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(status.message(), HasSubstr("no memory for "));
  }
}

}  // namespace
}  // namespace lockstep::internal
