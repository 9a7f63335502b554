#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_TESTING_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_TESTING_H_

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/conformance/suite.h"

namespace lockstep::internal {

// The oracle, and what compiles.
inline constexpr const char* kTestedBackends[] = {"interpreter",
                                                  "interpreter-thunks", "cpu"};

// A suite of the developers' own, in a folder that goes with the test.
class SuiteTest : public ::testing::TestWithParam<const char*> {
 protected:
  SuiteTest()
      : folder_(::testing::TempDir() + "/suite_" +
                ::testing::UnitTest::GetInstance()
                    ->current_test_info()
                    ->test_suite_name()[0] +
                std::to_string(getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ + "/deep");
    options_.backend = GetParam();
  }
  ~SuiteTest() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, absl::string_view text) {
    std::ofstream(folder_ + "/" + name) << text;
  }

  std::map<std::string, CaseResult> Run() {
    const auto results = RunSuite(
        folder_, options_, [](const CaseResult&, const SuiteProgress&) {});
    EXPECT_EQ(results.status(), absl::OkStatus());
    std::map<std::string, CaseResult> by_name;
    if (!results.ok()) return by_name;
    for (const CaseResult& result : *results) by_name[result.name] = result;
    return by_name;
  }

  // The status and the reason of a suite of one file.
  CaseResult RunText(absl::string_view text) {
    Write("one.mlir", text);
    const auto results = Run();
    EXPECT_EQ(results.size(), 1);
    return results.empty() ? CaseResult() : results.begin()->second;
  }

  std::string folder_;
  SuiteOptions options_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_TESTING_H_
