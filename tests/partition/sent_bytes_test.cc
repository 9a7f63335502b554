// The programs of sent_bytes_cases.mlir send no more than their first line
// says, each device in its collectives (row Y-3 of
// docs/behaviour/shardings.md).
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module.h"
#include "runtime/ir/printer.h"
#include "runtime/passes/op_cost.h"
#include "runtime/passes/partition/partition_module.h"

namespace lockstep::internal {
namespace {

constexpr char kFile[] = "tests/partition/sent_bytes_cases.mlir";

std::vector<std::string> Programs() {
  std::ifstream file(kFile);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  return absl::StrSplit(text, "// -----\n");
}

// "// At most N bytes: ...".
int64_t LimitOf(const std::string& program) {
  const std::vector<std::string> words = absl::StrSplit(program, ' ');
  int64_t limit = 0;
  EXPECT_TRUE(words.size() > 3 && absl::SimpleAtoi(words[3], &limit));
  return limit;
}

double SentBytes(const Module& partitioned) {
  double bytes = 0;
  for (const auto& op : (*partitioned.EntryFunction())->body().ops()) {
    bytes += EstimateCost(*op).bytes_sent;
  }
  return bytes;
}

TEST(SentBytesTest, CollectivesSendNoMoreThanIsNeeded) {
  const std::vector<std::string> programs = Programs();
  ASSERT_GT(programs.size(), 2u);
  for (const std::string& program : programs) {
    SCOPED_TRACE(program);
    const auto module = ParseAndVerify(program, kFile);
    ASSERT_TRUE(module.ok()) << module.status();
    ASSERT_TRUE(PartitionModule(**module).ok());
    EXPECT_LE(SentBytes(**module), static_cast<double>(LimitOf(program)))
        << Print(**module);
  }
}

}  // namespace
}  // namespace lockstep::internal
