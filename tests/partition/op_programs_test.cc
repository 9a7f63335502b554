// Programs of op_programs.mlir with random shardings give on shards what they
// give whole. What pads shards is not a number.
//
// By hand: LOCKSTEP_RANDOM_SHARDINGS=1000 tries more of each.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op_builder.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/verifier.h"
#include "tests/partition/partitioned_run.h"
#include "tests/partition/random_shardings.h"

namespace lockstep::internal {
namespace {

constexpr char kFile[] = "tests/partition/op_programs.mlir";
constexpr uint64_t kShardings = 60;
// Sums of what is no integer, of batches: another order of a few dozen.
constexpr double kTolerance = 1e-5;
constexpr int kMostFailures = 5;

std::vector<std::string> Programs() {
  std::ifstream file(kFile);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  return absl::StrSplit(text, "// -----\n");
}

Value* Built(absl::string_view name, std::vector<Value*> operands,
             Region& region) {
  OpState state;
  state.name = std::string(name);
  state.operands = std::move(operands);
  return (*OpBuilder(&region).Build(std::move(state)))->result();
}

// Arguments of floats become x * (x / x), which is x, as no element is 0, and
// NaN where shards of them are padded with zeros.
void SpoilPadding(Module& module) {
  Region& body = (*module.EntryFunction())->body();
  std::vector<std::unique_ptr<Op>> ops = std::move(body.mutable_ops());
  body.mutable_ops().clear();
  ValueMap map;
  for (const auto& argument : body.arguments()) {
    Value* const x = argument.get();
    if (!IsFloat(x->shape().element_type())) continue;
    Value* const one = Built("stablehlo.divide", {x, x}, body);
    map.Set(x, Built("stablehlo.multiply", {x, one}, body));
  }
  for (const auto& op : ops) body.Append(CloneOp(*op, map));
}

std::vector<Literal> ArgumentsOf(const Module& module) {
  std::vector<Literal> arguments;
  for (const Type& type : (*module.EntryFunction())->argument_types()) {
    arguments.push_back(CountingLiteral(type.shape()));
  }
  return arguments;
}

TEST(OpProgramsTest, ShardsGiveWhatWholeArraysDo) {
  const uint64_t count =
      NumberOfVariable("LOCKSTEP_RANDOM_SHARDINGS", kShardings);
  int failures = 0;
  for (const std::string& program : Programs()) {
    const auto parsed = ParseAndVerify(program, "program.mlir");
    ASSERT_TRUE(parsed.ok()) << parsed.status() << "\n" << program;
    SpoilPadding(**parsed);
    const std::vector<Literal> arguments = ArgumentsOf(**parsed);
    const auto expected = RunWhole(**parsed, arguments);
    ASSERT_TRUE(expected.ok()) << expected.status() << "\n" << program;
    for (uint64_t seed = 0; seed < count; ++seed) {
      const std::unique_ptr<Module> module = CloneModule(**parsed);
      RandomShardings random(static_cast<uint32_t>(seed));
      AddRandomShardings(random, *module);
      const absl::Status verified = Verify(*module);
      ASSERT_TRUE(verified.ok()) << verified << "\n" << Print(*module);
      const std::unique_ptr<Module> partitioned = CloneModule(*module);
      const auto found = RunPartitioned(*partitioned, arguments);
      const std::string problem =
          found.ok() ? FirstDifference(*expected, *found, kTolerance)
                     : found.status().ToString();
      if (problem.empty()) continue;
      ADD_FAILURE() << "shardings " << seed << ": " << problem << "\n"
                    << Print(*module) << "\n"
                    << Print(*partitioned);
      if (++failures == kMostFailures) return;
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
