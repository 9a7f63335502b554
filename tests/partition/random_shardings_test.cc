// Random programs with random shardings give on shards what they give whole.
//
// By hand: LOCKSTEP_RANDOM_PROGRAMS=10000 runs more of them,
// LOCKSTEP_FIRST_PROGRAM=123 begins elsewhere.
#include "tests/partition/random_shardings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/module.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/verifier.h"
#include "runtime/ops/collectives/channel_handle.h"
#include "runtime/passes/partition/partition_module.h"
#include "tests/generator/random_program.h"
#include "tests/generator/result_comparison.h"
#include "tests/partition/partitioned_run.h"

namespace lockstep::internal {
namespace {

constexpr uint64_t kPrograms = 1000;
constexpr int kMostFailures = 5;

// The first channel that two collectives have, or that is none.
std::optional<std::string> ChannelProblem(const Region& region,
                                          std::set<int64_t>& seen) {
  for (const auto& op : region.ops()) {
    if (op->attribute("channel_handle") != nullptr) {
      const absl::StatusOr<ChannelHandle> channel = ChannelHandleOf(*op);
      if (!channel.ok()) return channel.status().ToString();
      if (channel->id <= 0 || !seen.insert(channel->id).second) {
        return absl::StrCat(op->name(), ": channel ", channel->id);
      }
    }
    for (const auto& inner : op->regions()) {
      std::optional<std::string> problem = ChannelProblem(*inner, seen);
      if (problem.has_value()) return problem;
    }
  }
  return std::nullopt;
}

// What is wrong with the program `module` on shards, which is to give
// `expected`;
// "" if nothing is.
// Approximate floats may deviate by what the program says, which is far more
// than another order of a sum makes; all other sums are exact in any order.
// `partitioned` is the same module, and behind it partitioned.
std::string ProblemOf(const RandomProgram& program,
                      const std::vector<Literal>& expected,
                      const Module& module, Module& partitioned) {
  const auto found = RunPartitioned(partitioned, program.arguments);
  if (!found.ok()) return found.status().ToString();
  const std::optional<std::string> mismatch =
      FirstMismatch(program, expected, *found);
  if (mismatch.has_value()) return *mismatch;
  std::set<int64_t> channels;
  for (const auto& function : partitioned.functions()) {
    const auto problem = ChannelProblem(function->body(), channels);
    if (problem.has_value()) return *problem;
  }
  const std::unique_ptr<Module> again = CloneModule(module);
  if (!PartitionModule(*again).ok() || Print(*again) != Print(partitioned)) {
    return "partitioned again, it is another program";
  }
  return "";
}

TEST(RandomShardingsTest, ShardsGiveWhatWholeArraysDo) {
  const uint64_t first = NumberOfVariable("LOCKSTEP_FIRST_PROGRAM", 0);
  const uint64_t count =
      NumberOfVariable("LOCKSTEP_RANDOM_PROGRAMS", kPrograms);
  int failures = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const RandomProgram program =
        MakeRandomProgram(Entropy(seed), {.max_ops = 20, .max_elements = 256});
    const auto module = ParseAndVerify(program.text, "generated");
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << program.text;
    const auto expected = RunWhole(**module, program.arguments);
    ASSERT_TRUE(expected.ok()) << expected.status() << "\n" << program.text;
    RandomShardings random(static_cast<uint32_t>(seed));
    AddRandomShardings(random, **module);
    const absl::Status verified = Verify(**module);
    ASSERT_TRUE(verified.ok()) << verified << "\n" << Print(**module);
    const std::unique_ptr<Module> partitioned = CloneModule(**module);
    const std::string problem =
        ProblemOf(program, *expected, **module, *partitioned);
    if (problem.empty()) continue;
    ADD_FAILURE() << "program " << seed << ": " << problem << "\n"
                  << Print(**module) << "\n"
                  << Print(*partitioned);
    if (++failures == kMostFailures) break;
  }
}

}  // namespace
}  // namespace lockstep::internal
