#include "runtime/conformance/worker_pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The words of a module's text are its cases: what each of them does.
void RunWords(const SuiteModule& module, int skip, CaseObserver& observer) {
  std::vector<std::string> words =
      absl::StrSplit(module.text, ' ', absl::SkipEmpty());
  if (!words.empty() && words[0] == "parse-crash") abort();
  observer.Cases(words);
  for (size_t i = skip; i < words.size(); ++i) {
    if (words[i] == "abort") {
      fputs("first line\nlast words\n", stderr);
      abort();
    }
    if (words[i] == "exit") _exit(7);
    while (words[i] == "hang") pause();
    CaseResult result;
    result.file = module.file;
    result.name = words[i];
    if (words[i] == "pid") result.reason = absl::StrCat(getpid());
    observer.Finished(std::move(result));
  }
}

std::vector<CaseResult> RunAll(std::vector<std::string> texts, int jobs,
                               absl::Duration timeout = absl::Minutes(5)) {
  WorkerPool::Options options;
  options.jobs = jobs;
  options.timeout = timeout;
  WorkerPool pool(options, [] { return RunWords; });
  size_t next = 0;
  std::vector<CaseResult> results;
  const absl::Status status = pool.Run(
      [&](SuiteModule& module) {
        if (next == texts.size()) return false;
        module.file = absl::StrCat("f", next);
        module.text = texts[next++];
        return true;
      },
      [&](std::vector<CaseResult> of_module) {
        for (CaseResult& result : of_module) results.push_back(result);
      });
  EXPECT_EQ(status, absl::OkStatus());
  return results;
}

std::vector<std::string> Summary(const std::vector<CaseResult>& results) {
  std::vector<std::string> lines;
  for (const CaseResult& result : results) {
    lines.push_back(absl::StrCat(result.file, ":", result.name, " ",
                                 CaseStatusName(result.status)));
  }
  return lines;
}

TEST(WorkerPoolTest, CrashCostsOneCaseAndTheOthersOfTheModuleStillRun) {
  const std::vector<CaseResult> results =
      RunAll({"a abort b exit c", "d"}, /*jobs=*/1);
  EXPECT_THAT(Summary(results),
              ElementsAre("f0:a pass", "f0:abort crash", "f0:b pass",
                          "f0:exit crash", "f0:c pass", "f1:d pass"));
  EXPECT_THAT(results[1].reason,
              AllOf(HasSubstr("signal 6"), HasSubstr("last words")));
  EXPECT_THAT(results[3].reason, HasSubstr("exit code 7"));
}

TEST(WorkerPoolTest, CrashBeforeTheCasesAreKnownIsOneCaseOfTheModulesName) {
  EXPECT_THAT(Summary(RunAll({"parse-crash a", "b"}, /*jobs=*/2)),
              ElementsAre("f0:f0 crash", "f1:b pass"));
}

TEST(WorkerPoolTest, HangCostsOneCase) {
  const std::vector<CaseResult> results =
      RunAll({"a hang b", "c"}, /*jobs=*/1, absl::Milliseconds(200));
  EXPECT_THAT(Summary(results), ElementsAre("f0:a pass", "f0:hang timeout",
                                            "f0:b pass", "f1:c pass"));
  EXPECT_EQ(results[1].reason, "over 200ms");
}

TEST(WorkerPoolTest, ResultsComeInOrderWhateverTheNumberOfJobs) {
  std::vector<std::string> texts;
  for (int i = 0; i < 40; ++i) {
    texts.push_back(i % 7 == 3 ? absl::StrCat("x", i, " abort y", i)
                               : absl::StrCat("x", i));
  }
  const std::vector<std::string> alone = Summary(RunAll(texts, 1));
  EXPECT_EQ(alone.size(), 40 + 2 * 6);
  EXPECT_EQ(Summary(RunAll(texts, 5)), alone);
  EXPECT_EQ(Summary(RunAll(texts, 64)), alone);
}

TEST(WorkerPoolTest, WorkerServesManyModules) {
  const std::vector<CaseResult> results =
      RunAll({"pid", "pid", "pid"}, /*jobs=*/1);
  EXPECT_EQ(results[0].reason, results[2].reason);
}

TEST(WorkerPoolTest, ModuleWithoutCasesIsNothing) {
  EXPECT_THAT(Summary(RunAll({"", "a", ""}, /*jobs=*/2)),
              ElementsAre("f1:a pass"));
}

TEST(WorkerPoolTest, MemoryLimitHoldsForTheWorkerOnly) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve more than any limit";
#endif
  WorkerPool::Options options;
  options.memory_limit = int64_t{1} << 30;
  WorkerPool pool(options, [] {
    return [](const SuiteModule&, int, CaseObserver& observer) {
      observer.Cases({"allocate"});
      CaseResult result;
      void* memory = malloc(size_t{2} << 30);
      result.reason = memory == nullptr ? "refused" : "granted";
      free(memory);
      observer.Finished(result);
    };
  });
  int left = 1;
  std::string reason;
  ASSERT_EQ(pool.Run([&](SuiteModule&) { return left-- > 0; },
                     [&](std::vector<CaseResult> results) {
                       reason = results[0].reason;
                     }),
            absl::OkStatus());
  EXPECT_EQ(reason, "refused");
}

}  // namespace
}  // namespace lockstep::internal
