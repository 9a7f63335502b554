#include "runtime/base/directory.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::TempDir;

TEST(CreateWritableDirectory, MakesItWithItsParentsAndLeavesItEmpty) {
  const std::string path = TempDir() + "/directory_test/a/b";
  std::filesystem::remove_all(TempDir() + "/directory_test");
  ASSERT_TRUE(CreateWritableDirectory(path).ok());
  EXPECT_TRUE(std::filesystem::is_empty(path));
  EXPECT_TRUE(CreateWritableDirectory(path).ok());
}

TEST(CreateWritableDirectory, RefusesAFileInItsPlaceAndNamesIt) {
  const std::string path = TempDir() + "/directory_test_file";
  std::ofstream(path) << "x";
  for (const std::string& refused : {path, path + "/below"}) {
    const absl::Status status = CreateWritableDirectory(refused);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(refused + ": cannot be written: "));
  }
}

TEST(CreateWritableDirectory, RefusesAPlaceWhereNothingCanBeMade) {
  EXPECT_EQ(CreateWritableDirectory("/proc/self/lockstep").code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(CreateWritableDirectory("/proc/self").code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace lockstep::internal
