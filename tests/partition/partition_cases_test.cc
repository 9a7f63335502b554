// Programs of the *_cases.mlir give the same on shards as whole (rows Y-3 and
// Y-21 of docs/behaviour/shardings.md). What cannot run whole stands before
// "// whole", and behind it a program that can.
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/module.h"
#include "runtime/ir/printer.h"
#include "tests/partition/partitioned_run.h"

namespace lockstep::internal {
namespace {

constexpr const char* kFiles[] = {
    "tests/partition/partition_cases.mlir", "tests/partition/halo_cases.mlir",
    "tests/partition/collective_cases.mlir", "tests/partition/mesh_cases.mlir"};

struct Case {
  std::string on_shards;
  std::string whole;
};

Case CaseOf(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, "// whole\n");
  return {parts.front(), parts.back()};
}

std::vector<std::string> Programs() {
  std::vector<std::string> programs;
  for (const char* name : kFiles) {
    std::ifstream file(name);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    for (absl::string_view program : absl::StrSplit(text, "// -----\n")) {
      programs.emplace_back(program);
    }
  }
  return programs;
}

std::vector<Literal> ArgumentsOf(const Module& module) {
  std::vector<Literal> arguments;
  for (const Type& type : (*module.EntryFunction())->argument_types()) {
    arguments.push_back(CountingLiteral(type.shape()));
  }
  return arguments;
}

TEST(PartitionCasesTest, ShardsGiveWhatWholeArraysDo) {
  const std::vector<std::string> programs = Programs();
  ASSERT_GT(programs.size(), 5u);
  for (const std::string& program : programs) {
    SCOPED_TRACE(program);
    const Case texts = CaseOf(program);
    const auto module = ParseAndVerify(texts.on_shards, "case.mlir");
    ASSERT_TRUE(module.ok()) << module.status();
    const auto whole = ParseAndVerify(texts.whole, "whole.mlir");
    ASSERT_TRUE(whole.ok()) << whole.status();
    const std::vector<Literal> arguments = ArgumentsOf(**module);
    const auto expected = RunWhole(**whole, arguments);
    ASSERT_TRUE(expected.ok()) << expected.status();
    const std::unique_ptr<Module> partitioned = CloneModule(**module);
    const auto found = RunPartitioned(*partitioned, arguments);
    ASSERT_TRUE(found.ok()) << found.status() << "\n" << Print(*partitioned);
    // Sums of integers in floats are exact.
    EXPECT_EQ(FirstDifference(*expected, *found, 0), "") << Print(*partitioned);
  }
}

}  // namespace
}  // namespace lockstep::internal
