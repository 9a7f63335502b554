#include "client/cli/profile_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string FreshDirectory(const std::string& name) {
  const std::string path = testing::TempDir() + "/" + name;
  fs::remove_all(path);
  fs::create_directory(path);
  return path;
}

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

TEST(ProfileFileTest, IsThereWhenItIsWrittenAndNothingElse) {
  const std::string directory = FreshDirectory("written");
  auto file = ProfileFile::Create(directory + "/p.json");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_FALSE(fs::exists(directory + "/p.json"));
  ASSERT_TRUE(file->Write("{}").ok());
  EXPECT_EQ(TextOf(directory + "/p.json"), "{}");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory), {}), 1);
}

TEST(ProfileFileTest, WithoutAWriteAllIsAsItWas) {
  const std::string directory = FreshDirectory("kept");
  std::ofstream(directory + "/p.json") << "before";
  {
    ASSERT_TRUE(ProfileFile::Create(directory + "/p.json").ok());
  }
  EXPECT_EQ(TextOf(directory + "/p.json"), "before");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory), {}), 1);
}

TEST(ProfileFileTest, WhatCannotBeWrittenIsRefused) {
  const std::string directory = FreshDirectory("refused");
  for (const std::string& path : {directory, directory + "/missing/p.json",
                                  std::string(), std::string("/dev/null")}) {
    const absl::Status status = ProfileFile::Create(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.message(), HasSubstr(path + ": cannot be written"));
  }
}

}  // namespace
}  // namespace lockstep::internal
