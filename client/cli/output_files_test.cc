#include "client/cli/output_files.h"

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/types/npy.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

std::string FreshDirectory(const std::string& name) {
  std::string path = testing::TempDir() + "/" + name;
  fs::remove_all(path);
  return path;
}

TEST(OutputFilesTest, WritesOneFilePerResultAndNothingElse) {
  std::string directory = FreshDirectory("outputs") + "/deep/er";
  auto files = OutputFiles::Create(directory);
  ASSERT_TRUE(files.ok()) << files.status();
  std::vector<Literal> literals = {
      Literal::FromValues<float>({2}, {1.5f, 2.5f}),
      Literal::Scalar<int32_t>(7)};
  ASSERT_TRUE(files->Write(literals).ok());
  EXPECT_EQ(*ReadNpyFile(directory + "/0.npy"), literals[0]);
  EXPECT_EQ(*ReadNpyFile(directory + "/1.npy"), literals[1]);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory), {}), 2);
}

TEST(OutputFilesTest, FolderThatIsAFileIsRefused) {
  std::string path = FreshDirectory("file");
  std::ofstream(path) << "x";
  absl::Status status = OutputFiles::Create(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), testing::HasSubstr(path));
}

TEST(OutputFilesTest, EarlierResultsStayWhenAResultCannotBePlaced) {
  std::string directory = FreshDirectory("kept");
  auto files = OutputFiles::Create(directory);
  ASSERT_TRUE(files.ok());
  ASSERT_TRUE(files->Write({Literal::Scalar<int32_t>(1)}).ok());
  fs::remove_all(directory);
  EXPECT_FALSE(files->Write({Literal::Scalar<int32_t>(2)}).ok());
  EXPECT_FALSE(fs::exists(directory));
}

}  // namespace
}  // namespace lockstep::internal
