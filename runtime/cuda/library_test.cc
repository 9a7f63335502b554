#include "runtime/cuda/library.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal::cuda {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(LibraryTest, AMissingLibraryIsNamedWithThePlaces) {
  const auto opened =
      Library::Open({"libabacus.so.2", "libabacus.so.1"},
                    {.has_loader_path = true, .directories = {"/a", "/b"}});
  EXPECT_EQ(opened.status(),
            absl::UnimplementedError(
                "no libabacus.so.2 or libabacus.so.1; looked for in the "
                "loader's path, /a, /b"));
}

TEST(LibraryTest, ALibraryOfTheLoaderHasItsPathAndItsSymbols) {
  const auto opened =
      Library::Open({"libabacus.so.1", "libm.so.6"}, {.has_loader_path = true});
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_THAT(opened->path(), HasSubstr("/libm.so.6"));
  EXPECT_NE(opened->Find("tanh"), nullptr);
  EXPECT_EQ(opened->Find("abacus"), nullptr);
}

TEST(LibraryTest, AFileThatIsNoLibraryIsNamed) {
  const std::string directory = ::testing::TempDir();
  std::ofstream(directory + "/libbroken.so.1") << "no library";
  const auto opened = Library::Open(
      {"libbroken.so.1"},
      {.has_loader_path = false, .directories = {"/a", directory}});
  EXPECT_EQ(opened.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(opened.status().message(),
              HasSubstr("libbroken.so.1 does not load: "));
}

TEST(LibraryTest, TheVariableStandsForAllOtherPlaces) {
  unsetenv("LOCKSTEP_CUDA_PATH");
  const LibraryPlaces usual = DefaultLibraryPlaces();
  EXPECT_TRUE(usual.has_loader_path);
  EXPECT_THAT(usual.directories, Contains(HasSubstr("/usr/local/cuda/")));
  EXPECT_THAT(usual.directories, Contains(HasSubstr("/nvidia/")));
  setenv("LOCKSTEP_CUDA_PATH", "/a::/b", 1);
  const LibraryPlaces told = DefaultLibraryPlaces();
  EXPECT_FALSE(told.has_loader_path);
  EXPECT_THAT(told.directories, ElementsAre("/a", "/b"));
}

TEST(LibraryTest, WheelsOfThePythonOnPathAreAPlace) {
  const std::string prefix = ::testing::TempDir() + "/venv";
  const std::string wheel =
      prefix + "/lib/python3.12/site-packages/nvidia/nccl";
  std::filesystem::create_directories(prefix + "/bin");
  std::filesystem::create_directories(wheel + "/lib");
  std::ofstream(prefix + "/bin/python3") << "#!/bin/sh\n";
  std::filesystem::permissions(prefix + "/bin/python3",
                               std::filesystem::perms::owner_all);
  const std::string path = getenv("PATH") == nullptr ? "" : getenv("PATH");
  unsetenv("LOCKSTEP_CUDA_PATH");
  setenv("PATH", (prefix + "/nothing:" + prefix + "/bin:" + path).c_str(), 1);
  EXPECT_THAT(DefaultLibraryPlaces().directories, Contains(wheel + "/lib"));
  setenv("PATH", path.c_str(), 1);
}

TEST(LibraryTest, AnOldLibraryIsNamedWithBothVersions) {
  EXPECT_EQ(WrongLibrary("/l/libnccl.so.2", "2.17.1", "NCCL 2.18 or later"),
            absl::FailedPreconditionError(
                "/l/libnccl.so.2: expected NCCL 2.18 or later, found 2.17.1"));
}

}  // namespace
}  // namespace lockstep::internal::cuda
