#include "runtime/files/durable_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string NewFolder(const std::string& name) {
  const std::string path = absl::StrCat(testing::TempDir(), "/durable_", name);
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

std::string ContentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

std::set<std::string> NamesIn(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename());
  }
  return names;
}

TEST(DurableFileTest, IsSeenWhenItIsCommitted) {
  const std::string folder = NewFolder("commit");
  const std::string path = folder + "/file";
  std::ofstream(path) << "before";
  auto file = DurableFile::Create(path);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->Write("abc").ok());
  ASSERT_TRUE(file->Write("def").ok());
  EXPECT_EQ(file->size(), 6);
  ASSERT_TRUE(file->Rewrite(1, "XY").ok());
  EXPECT_EQ(file->size(), 6);
  EXPECT_EQ(ContentOf(path), "before");
  EXPECT_EQ(NamesIn(folder).size(), 2);
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_EQ(ContentOf(path), "aXYdef");
  EXPECT_EQ(NamesIn(folder), std::set<std::string>{"file"});
}

TEST(DurableFileTest, LeavesNothingWhenItIsNot) {
  const std::string folder = NewFolder("abandon");
  const std::string path = folder + "/file";
  std::ofstream(path) << "before";
  {
    auto file = DurableFile::Create(path);
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE(file->Write("abc").ok());
    const DurableFile moved = *std::move(file);
    EXPECT_EQ(moved.size(), 3);
  }
  EXPECT_EQ(ContentOf(path), "before");
  EXPECT_EQ(NamesIn(folder), std::set<std::string>{"file"});
}

TEST(DurableFileTest, ErrorsNameThePath) {
  const auto missing = DurableFile::Create("/no/such/folder/file");
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.status().message()),
              StartsWith("/no/such/folder/file: cannot create"));
  const std::string folder = NewFolder("errors");
  std::filesystem::create_directories(folder + "/taken");
  auto file = DurableFile::Create(folder + "/taken");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT(std::string(file->Commit().message()),
              HasSubstr("/taken: cannot replace"));
  EXPECT_FALSE(SyncDirectory(folder + "/none").ok());
}

}  // namespace
}  // namespace lockstep::internal
