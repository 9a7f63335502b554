#ifndef LOCKSTEP_RUNTIME_CHECKPOINT_FOLDER_TESTING_H_
#define LOCKSTEP_RUNTIME_CHECKPOINT_FOLDER_TESTING_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// An empty folder of the present test.
inline std::string NewFolder(absl::string_view name = "folder") {
  const auto* const test =
      ::testing::UnitTest::GetInstance()->current_test_info();
  std::string path =
      absl::StrCat(::testing::TempDir(), "/", test->test_suite_name(), "_",
                   test->name(), "_", name);
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

inline std::string ContentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

inline void WriteContent(const std::string& path, absl::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
}

inline std::set<std::string> NamesIn(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename());
  }
  return names;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CHECKPOINT_FOLDER_TESTING_H_
