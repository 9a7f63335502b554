#include "tests/generator/random_program.h"

#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

constexpr uint64_t kPrograms = 1000;

void Count(const Region& region, std::map<std::string, int>& ops,
           std::set<ElementType>& types) {
  for (const auto& op : region.ops()) {
    ++ops[op->name()];
    for (const auto& result : op->results()) {
      types.insert(result->shape().element_type());
    }
    for (const auto& nested : op->regions()) Count(*nested, ops, types);
  }
}

TEST(RandomProgramTest, ProgramsVerifyAndTogetherHaveEveryOpAndType) {
  std::map<std::string, int> ops;
  std::set<ElementType> types;
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    const RandomProgram program = MakeRandomProgram(Entropy(seed));
    const auto module = ParseAndVerify(program.text, "generated");
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << program.text;
    for (const auto& function : (*module)->functions()) {
      Count(function->body(), ops, types);
    }
  }
  for (const char* op : {"add",
                         "and",
                         "broadcast_in_dim",
                         "case",
                         "ceil",
                         "clamp",
                         "compare",
                         "complex",
                         "concatenate",
                         "convert",
                         "cosine",
                         "count_leading_zeros",
                         "divide",
                         "dot_general",
                         "dynamic_slice",
                         "dynamic_update_slice",
                         "exponential",
                         "exponential_minus_one",
                         "floor",
                         "gather",
                         "if",
                         "imag",
                         "iota",
                         "logistic",
                         "maximum",
                         "minimum",
                         "multiply",
                         "negate",
                         "not",
                         "or",
                         "pad",
                         "popcnt",
                         "power",
                         "real",
                         "reduce",
                         "reduce_window",
                         "remainder",
                         "reshape",
                         "reverse",
                         "round_nearest_afz",
                         "round_nearest_even",
                         "rsqrt",
                         "scatter",
                         "select",
                         "select_and_scatter",
                         "shift_left",
                         "shift_right_arithmetic",
                         "shift_right_logical",
                         "sign",
                         "sine",
                         "slice",
                         "sort",
                         "subtract",
                         "tanh",
                         "transpose",
                         "while",
                         "xor"}) {
    EXPECT_GE(ops[absl::StrCat("stablehlo.", op)], 10) << op;
  }
  EXPECT_GE(ops["func.call"], 10);
  for (ElementType type :
       {ElementType::kPred, ElementType::kS4, ElementType::kU4,
        ElementType::kS8, ElementType::kS16, ElementType::kS32,
        ElementType::kS64, ElementType::kU8, ElementType::kU16,
        ElementType::kU32, ElementType::kU64, ElementType::kF16,
        ElementType::kBF16, ElementType::kF32, ElementType::kF64,
        ElementType::kC64, ElementType::kC128, ElementType::kF8E4M3FN,
        ElementType::kF8E5M2}) {
    EXPECT_TRUE(types.contains(type)) << type;
  }
}

TEST(RandomProgramTest, TheSameDecisionsGiveTheSameProgram) {
  const RandomProgram a = MakeRandomProgram(Entropy(7));
  const RandomProgram b = MakeRandomProgram(Entropy(7));
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.arguments, b.arguments);
  EXPECT_NE(a.text, MakeRandomProgram(Entropy(8)).text);
}

}  // namespace
}  // namespace lockstep::internal
