#include "runtime/cluster/process_memory.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/cluster/process_memory_testing.h"

namespace lockstep::internal {
namespace {

uint64_t AddressOf(const void* p) { return reinterpret_cast<uintptr_t>(p); }

TEST(ProcessMemory, ReadsAnotherProcess) {
  const std::vector<std::byte> bytes = TestBytes((size_t{9} << 20) + 13);
  const MemoryAccess access = OfferMemory();
  EXPECT_EQ(InChild([&] {
              const auto memory = ProcessMemory::Open(access);
              if (!memory.has_value()) return 1;
              std::vector<std::byte> copy(bytes.size());
              const absl::Status status =
                  memory->Read(AddressOf(bytes.data()), absl::MakeSpan(copy));
              if (!status.ok()) return 2;
              return copy == bytes ? 0 : 3;
            }),
            0);
}

TEST(ProcessMemory, MemoryThatIsNotThereIsAnError) {
  const auto memory = ProcessMemory::Open(OfferMemory());
  ASSERT_TRUE(memory.has_value());
  std::vector<std::byte> copy(100);
  EXPECT_EQ(memory->Read(16, absl::MakeSpan(copy)).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(ProcessMemory, AnotherProcessOfTheSamePidIsNotRead) {
  MemoryAccess access = OfferMemory();
  access.token[3] ^= 1;
  EXPECT_FALSE(ProcessMemory::Open(access).has_value());
}

TEST(ProcessMemory, AProcessThatHasEndedIsNotRead) {
  MemoryAccess access = OfferMemory();
  access.pid = fork();
  if (access.pid == 0) _exit(0);
  waitpid(static_cast<pid_t>(access.pid), nullptr, 0);
  EXPECT_FALSE(ProcessMemory::Open(access).has_value());
  access.pid = 0;
  EXPECT_FALSE(ProcessMemory::Open(access).has_value());
}

TEST(ProcessMemory, WhatMalformedAccessGivesIsNone) {
  EXPECT_FALSE(ProcessMemory::Open({}).has_value());
  MemoryAccess access = OfferMemory();
  access.token_address = 8;
  EXPECT_FALSE(ProcessMemory::Open(access).has_value());
}

}  // namespace
}  // namespace lockstep::internal
