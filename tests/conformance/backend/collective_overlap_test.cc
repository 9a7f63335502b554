// Which collectives of compiled programs run beside other work.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

// Two parameters of `size` elements, each with a gradient that is summed over
// two replicas.
std::string Update(int64_t size) {
  const std::string type = absl::StrCat("tensor<", size, "xf32>");
  const auto sum = [&](const char* name, const char* operand) {
    return absl::StrCat("  ", name, " = \"stablehlo.all_reduce\"(", operand,
                        R"() ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : ()",
                        type, ") -> ", type, "\n");
  };
  return absl::StrCat(R"(
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: )",
                      type, ", %y: ", type, ", %gx: ", type, ", %gy: ", type,
                      ") -> (", type, ", ", type, ") {\n", sum("%sx", "%gx"),
                      sum("%sy", "%gy"),
                      "  %p = stablehlo.subtract %x, %sx : ", type,
                      "\n  %q = stablehlo.subtract %y, %sy : ", type,
                      "\n  return %p, %q : ", type, ", ", type, "\n}\n}\n");
}

std::vector<std::string> KindsOf(const std::string& text,
                                 const CompileOptions& options = {}) {
  auto module = ParseAndVerify(text, "overlap");
  EXPECT_TRUE(module.ok()) << module.status();
  auto executable =
      (*FindBackend("cpu"))
          ->Compile(*std::move(module), DeviceAssignment::Iota(2, 1), options);
  EXPECT_TRUE(executable.ok()) << executable.status();
  std::vector<std::string> kinds;
  for (const auto& thunk : (*executable)->thunks().thunks()) {
    kinds.push_back(thunk->kind());
  }
  return kinds;
}

const auto kBeside =
    ElementsAre("all_reduce", "all_reduce_start", "stablehlo.subtract",
                "all_reduce_done", "stablehlo.subtract");
const auto kInPlace = ElementsAre("all_reduce", "all_reduce",
                                  "stablehlo.subtract", "stablehlo.subtract");

TEST(CollectiveOverlapTest, LargeSumsRunBesideTheUpdateOfOtherParameters) {
  EXPECT_THAT(KindsOf(Update(1 << 18)), kBeside);
}

TEST(CollectiveOverlapTest, SmallSumsRunWhereTheyStand) {
  EXPECT_THAT(KindsOf(Update(1 << 10)), kInPlace);
  CompileOptions never, always;
  never.overlap = OverlapPolicy::Never();
  always.overlap = OverlapPolicy::Always();
  EXPECT_THAT(KindsOf(Update(1 << 18), never), kInPlace);
  EXPECT_THAT(KindsOf(Update(1 << 10), always), kBeside);
}

// The result of the first update may not take over the memory of the gradient
// that the sum beside it still reads.
TEST(CollectiveOverlapTest, DonatedGradientsStayUntilTheirSumIsThere) {
  CompileOptions options;
  options.overlap = OverlapPolicy::Always();
  options.donated_arguments = {2, 3};
  EXPECT_THAT(KindsOf(Update(1 << 10), options), kBeside);
}

}  // namespace
}  // namespace lockstep::internal
