#include "runtime/cluster/memory_file.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/cluster/process_memory_testing.h"

namespace lockstep::internal {
namespace {

TEST(MemoryFile, IsFilledByAnotherProcess) {
  const std::vector<std::byte> bytes = TestBytes((size_t{5} << 20) + 13);
  std::shared_ptr<std::byte> mapped;
  {
    auto file = MemoryFile::Create(static_cast<int64_t>(bytes.size()) + 64);
    ASSERT_TRUE(file.ok()) << file.status();
    const MemoryFileAccess access = file->access();
    EXPECT_EQ(InChild([&] {
                auto foreign = ForeignMemoryFile::Open(access);
                if (!foreign.ok()) return 1;
                const auto all = absl::MakeConstSpan(bytes);
                if (!foreign->Write(64 + 1000, all.subspan(1000)).ok()) {
                  return 2;
                }
                return foreign->Write(64, all.first(1000)).ok() ? 0 : 3;
              }),
              0);
    auto map = file->Map();
    ASSERT_TRUE(map.ok()) << map.status();
    mapped = *std::move(map);
  }
  EXPECT_EQ(std::memcmp(mapped.get() + 64, bytes.data(), bytes.size()), 0);
  EXPECT_EQ(mapped.get()[63], std::byte(0));
}

// The one who fills it may be slow, and we have given up.
TEST(MemoryFile, AWriterThatIsLateHurtsNobody) {
  auto file = MemoryFile::Create(1 << 20);
  ASSERT_TRUE(file.ok()) << file.status();
  auto foreign = ForeignMemoryFile::Open(file->access());
  ASSERT_TRUE(foreign.ok()) << foreign.status();
  {
    const MemoryFile ended = *std::move(file);
  }
  EXPECT_TRUE(foreign->Write(0, TestBytes(1 << 20)).ok());
}

TEST(MemoryFile, NobodyCutsOrGrowsIt) {
  auto file = MemoryFile::Create(100);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_NE(ftruncate(file->access().descriptor, 10), 0);
  auto foreign = ForeignMemoryFile::Open(file->access());
  ASSERT_TRUE(foreign.ok()) << foreign.status();
  EXPECT_EQ(foreign->Write(90, TestBytes(11)).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(foreign->Write(-1, TestBytes(1)).code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(MemoryFile, SizesThatCannotBeAreErrors) {
  EXPECT_EQ(MemoryFile::Create(-1).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(MemoryFile::Create(INT64_MAX).status().code(),
            absl::StatusCode::kResourceExhausted);
  auto huge = MemoryFile::Create(int64_t{1} << 60);
  if (huge.ok()) {
    EXPECT_EQ(huge->Map().status().code(),
              absl::StatusCode::kResourceExhausted);
  }
}

TEST(MemoryFile, AnotherFileIsNotOpened) {
  auto file = MemoryFile::Create(100);
  ASSERT_TRUE(file.ok()) << file.status();
  MemoryFileAccess access = file->access();
  access.token[3] ^= 1;
  EXPECT_EQ(ForeignMemoryFile::Open(access).status().code(),
            absl::StatusCode::kUnavailable);
  access = file->access();
  int ends[2] = {};
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  access.descriptor = ends[1];
  EXPECT_FALSE(ForeignMemoryFile::Open(access).ok());
  access.descriptor = 1 << 20;
  EXPECT_FALSE(ForeignMemoryFile::Open(access).ok());
  close(ends[0]);
  close(ends[1]);
  EXPECT_FALSE(ForeignMemoryFile::Open({}).ok());
}

}  // namespace
}  // namespace lockstep::internal
