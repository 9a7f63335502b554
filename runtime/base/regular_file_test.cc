#include "runtime/base/regular_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

std::string Write(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

TEST(RegularFileTest, SizesAroundTheLimit) {
  for (const size_t size : {0, 1, 65535, 65536, 65537, 200000}) {
    const std::string content(size, 'x');
    const std::string path = Write("file", content);
    const auto limit = static_cast<int64_t>(size);
    EXPECT_EQ(ReadRegularFile(path, limit).value(), content);
    EXPECT_EQ(ReadRegularFile(path, limit + 100000).value(), content);
    if (size == 0) continue;
    const absl::Status status = ReadRegularFile(path, limit - 1).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_EQ(status.message(),
              absl::StrCat(path, ": expected at most ", limit - 1,
                           " bytes, found ", limit));
  }
}

// Their size is 0, but not their content.
TEST(RegularFileTest, FilesThatTheKernelMakes) {
  EXPECT_THAT(ReadRegularFile("/proc/self/status", 1 << 20).value(),
              HasSubstr("Pid:"));
  EXPECT_EQ(ReadRegularFile("/proc/self/status", 10).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(RegularFileTest, DevicesPipesAndDirectoriesAreRefusedAtOnce) {
  const std::string pipe = testing::TempDir() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::pair<std::string, std::string> kCases[] = {
      {"/dev/zero", "a device"}, {pipe, "a pipe"}, {"/", "a directory"}};
  for (const auto& [path, kind] : kCases) {
    const absl::Status status = ReadRegularFile(path, 100).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(),
              absl::StrCat(path, ": expected a regular file, found ", kind));
  }
  unlink(pipe.c_str());
}

TEST(RegularFileTest, ReadInPieces) {
  absl::StatusOr<RegularFile> file = RegularFile::Open(Write("p", "abcdef"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->size(), 6);
  std::byte two[2];
  ASSERT_TRUE(file->Read(two, 2).ok());
  EXPECT_EQ(two[1], std::byte{'b'});
  EXPECT_THAT(std::string(file->Read(two, 0).message()), "");
  // Leaves what is next for Read.
  ASSERT_TRUE(file->ReadAt(4, two, 2).ok());
  EXPECT_EQ(two[1], std::byte{'f'});
  EXPECT_THAT(std::string(file->ReadAt(5, two, 2).message()),
              HasSubstr("expected 7 bytes, found 6"));
  EXPECT_FALSE(file->ReadAt(100, two, 1).ok());
  std::byte many[8];
  EXPECT_THAT(std::string(file->Read(many, 8).message()),
              HasSubstr("expected 10 bytes, found 6"));
}

}  // namespace
}  // namespace lockstep::internal
