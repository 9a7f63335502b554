#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/types/npy.h"

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class NpyFileTest : public testing::Test {
 protected:
  NpyFileTest() {
    std::string pattern = testing::TempDir() + "/npy.XXXXXX";
    directory_ = mkdtemp(pattern.data());
  }
  ~NpyFileTest() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path directory_;
};

TEST_F(NpyFileTest, WrittenFilesReadBackAndNothingElseIsLeft) {
  const std::string path = directory_ / "0.npy";
  const Literal literal = Literal::FromValues<float>({2, 2}, {1, 2, 3, 4});
  ASSERT_TRUE(WriteNpyFile(path, Literal::Scalar(5)).ok());
  ASSERT_TRUE(WriteNpyFile(path, literal).ok());
  EXPECT_EQ(*ReadNpyFile(path), literal);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_),
                          std::filesystem::directory_iterator()),
            1);
}

TEST_F(NpyFileTest, MissingAndUnusableFilesAreErrorsThatStartWithThePath) {
  const std::string missing = directory_ / "missing.npy";
  const absl::Status status = ReadNpyFile(missing).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              StartsWith(missing + ": cannot open"));
  EXPECT_THAT(std::string(ReadNpyFile(directory_).status().message()),
              HasSubstr("expected a regular file"));
  EXPECT_EQ(WriteNpyFile(directory_ / "no" / "0.npy", Literal()).code(),
            absl::StatusCode::kNotFound);
  // A directory stands in the way of the file.
  EXPECT_FALSE(WriteNpyFile(directory_, Literal()).ok());
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
}

TEST_F(NpyFileTest, DamagedFilesAreErrorsThatStartWithThePath) {
  const std::string path = directory_ / "damaged.npy";
  for (absl::string_view content : {"", "x", "\x93NUMPY"}) {
    std::ofstream(path) << content;
    const absl::Status status = ReadNpyFile(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), StartsWith(path + ": npy: "));
  }
}

}  // namespace
}  // namespace lockstep
