// Collectives of whole programs, in the form with replicas and in the form with
// partitions (spec K-9), against values worked out by hand.

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// One collective of one operand on `inputs.size()` devices.
struct Golden {
  std::string name;
  std::string op;          // "all_reduce"
  std::string attributes;  // of its own: "all_gather_dim = 0 : i64"
  std::string groups;      // "dense<[[0, 1]]> : tensor<1x2xi64>"
  std::string body;        // "add"; of reductions
  std::string operand_type;
  std::string result_type;
  std::vector<std::string> inputs;   // as in dense<..>, per device
  std::vector<std::string> outputs;  // likewise
};

std::ostream& operator<<(std::ostream& os, const Golden& golden) {
  return os << golden.name;
}

enum class ProgramForm { kReplicas, kPartitions };

std::string ScalarType(absl::string_view tensor) {
  const size_t last = tensor.rfind('x');
  if (last == absl::string_view::npos) return std::string(tensor);
  return absl::StrCat("tensor<", tensor.substr(last + 1));
}

std::string AttributesOf(const Golden& golden, ProgramForm form) {
  std::vector<std::string> attributes;
  if (!golden.attributes.empty()) attributes.push_back(golden.attributes);
  if (!golden.groups.empty()) {
    attributes.push_back("replica_groups = " + golden.groups);
  }
  if (form == ProgramForm::kPartitions) {
    attributes.push_back(
        "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>");
    if (golden.op == "all_reduce" || golden.op == "all_gather" ||
        golden.op == "reduce_scatter") {
      attributes.push_back("use_global_device_ids");
    }
  }
  return absl::StrJoin(attributes, ", ");
}

std::string RegionOf(const Golden& golden) {
  if (golden.body.empty()) return "";
  const std::string scalar = ScalarType(golden.result_type);
  return absl::StrCat("({\n^bb0(%x: ", scalar, ", %y: ", scalar,
                      "):\n  %1 = stablehlo.", golden.body,
                      " %x, %y : ", scalar,
                      "\n  stablehlo.return %1 : ", scalar, "\n}) ");
}

std::string ProgramOf(const Golden& golden, ProgramForm form) {
  const size_t count = golden.inputs.size();
  const bool replicas = form == ProgramForm::kReplicas;
  return absl::StrCat(
      "module attributes {mhlo.num_replicas = ", replicas ? count : 1,
      " : i32, mhlo.num_partitions = ", replicas ? 1 : count,
      " : i32} {\nfunc.func @main(%a: ", golden.operand_type, ") -> ",
      golden.result_type, " {\n  %0 = \"stablehlo.", golden.op, "\"(%a) ",
      RegionOf(golden), "{", AttributesOf(golden, form), "} : (",
      golden.operand_type, ") -> ", golden.result_type,
      "\n  return %0 : ", golden.result_type, "\n}\n}\n");
}

Literal Dense(absl::string_view values, absl::string_view type) {
  auto module =
      ParseModule(absl::StrCat("func.func @main() -> ", type,
                               " {\n%0 = stablehlo.constant dense<", values,
                               "> : ", type, "\nreturn %0 : ", type, "\n}"),
                  "dense");
  EXPECT_TRUE(module.ok()) << module.status();
  auto results = Evaluate(**module, {});
  EXPECT_TRUE(results.ok()) << results.status();
  return std::move((*results)[0]);
}

void ExpectGolden(const Golden& golden, ProgramForm form) {
  const std::string text = ProgramOf(golden, form);
  auto module = ParseAndVerify(text, "t.mlir");
  ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
  const int count = static_cast<int>(golden.inputs.size());
  std::vector<std::vector<Literal>> arguments(count);
  for (int i = 0; i < count; ++i) {
    arguments[i].push_back(Dense(golden.inputs[i], golden.operand_type));
  }
  const DeviceAssignment assignment = form == ProgramForm::kReplicas
                                          ? DeviceAssignment::Iota(count, 1)
                                          : DeviceAssignment::Iota(1, count);
  const auto results = EvaluateSpmd(**module, assignment, std::move(arguments));
  ASSERT_TRUE(results.ok()) << results.status() << "\n" << text;
  for (int i = 0; i < count; ++i) {
    const Literal expected = Dense(golden.outputs[i], golden.result_type);
    EXPECT_TRUE((*results)[i][0] == expected)
        << "device " << i << ": found " << ToString((*results)[i][0])
        << ", expected " << ToString(expected);
  }
}

class SpmdTest : public testing::TestWithParam<Golden> {};

TEST_P(SpmdTest, WithReplicas) {
  ExpectGolden(GetParam(), ProgramForm::kReplicas);
}

TEST_P(SpmdTest, WithPartitions) {
  ExpectGolden(GetParam(), ProgramForm::kPartitions);
}

const char kFour[] = "dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>";
const char kPairs[] = "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>";
const char kCrossed[] = "dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>";
const char kTwo[] = "dense<[[0, 1]]> : tensor<1x2xi64>";
const char kUneven[] =
    "dense<[[0, 1, -1, -1, -1, -1], [2, 3, 4, 5, 6, 7]]> : tensor<2x6xi64>";
const std::vector<std::string> kRows = {"[0, 1, 2, 3]", "[4, 5, 6, 7]",
                                        "[8, 9, 10, 11]", "[12, 13, 14, 15]"};
const std::vector<std::string> kHalves = {"[[0, 1], [2, 3]]",
                                          "[[4, 5], [6, 7]]"};

std::vector<Golden> AllReduces() {
  const std::string s = "tensor<i32>";
  return {
      {"SumOfAll",
       "all_reduce",
       "",
       kFour,
       "add",
       s,
       s,
       {"0", "1", "2", "3"},
       {"6", "6", "6", "6"}},
      {"SumWithoutGroupsIsOfAll",
       "all_reduce",
       "",
       "dense<> : tensor<0x0xi64>",
       "add",
       s,
       s,
       {"0", "1", "2", "3"},
       {"6", "6", "6", "6"}},
      {"SumOfPairs",
       "all_reduce",
       "",
       kPairs,
       "add",
       s,
       s,
       {"0", "1", "2", "3"},
       {"1", "1", "5", "5"}},
      {"SumOfUnevenGroups",
       "all_reduce",
       "",
       kUneven,
       "add",
       s,
       s,
       {"0", "1", "2", "3", "4", "5", "6", "7"},
       {"1", "1", "27", "27", "27", "27", "27", "27"}},
      {"SumOfRows",
       "all_reduce",
       "",
       kPairs,
       "add",
       "tensor<4xi32>",
       "tensor<4xi32>",
       kRows,
       {"[4, 6, 8, 10]", "[4, 6, 8, 10]", "[20, 22, 24, 26]",
        "[20, 22, 24, 26]"}},
      {"Maximum",
       "all_reduce",
       "",
       kFour,
       "maximum",
       s,
       s,
       {"3", "7", "7", "1"},
       {"7", "7", "7", "7"}},
      {"MinimumOfPairs",
       "all_reduce",
       "",
       kPairs,
       "minimum",
       s,
       s,
       {"3", "7", "5", "1"},
       {"3", "3", "1", "1"}},
      {"MaximumWithNan",
       "all_reduce",
       "",
       "dense<[[0, 1, 2]]> : tensor<1x3xi64>",
       "maximum",
       "tensor<f32>",
       "tensor<f32>",
       {"1.0", "0x7FC00000", "2.0"},
       {"0x7FC00000", "0x7FC00000", "0x7FC00000"}},
      {"MaximumOfZeros",
       "all_reduce",
       "",
       kTwo,
       "maximum",
       "tensor<f32>",
       "tensor<f32>",
       {"-0.0", "0.0"},
       {"0.0", "0.0"}},
      {"AddOnBooleansIsOr",
       "all_reduce",
       "",
       kTwo,
       "add",
       "tensor<i1>",
       "tensor<i1>",
       {"true", "false"},
       {"true", "true"}},
      {"SumWraps",
       "all_reduce",
       "",
       kTwo,
       "add",
       "tensor<i8>",
       "tensor<i8>",
       {"100", "100"},
       {"-56", "-56"}},
      // The fixed tree: (1e8 + 1) + (-1e8 + 1), each pair rounded.
      {"SumFollowsTheTree",
       "all_reduce",
       "",
       kFour,
       "add",
       "tensor<f32>",
       "tensor<f32>",
       {"1.0e8", "1.0", "-1.0e8", "1.0"},
       {"0.0", "0.0", "0.0", "0.0"}},
      {"HalvesAccumulateInF32",
       "all_reduce",
       "",
       kFour,
       "add",
       "tensor<bf16>",
       "tensor<bf16>",
       {"256.0", "1.0", "1.0", "1.0"},
       {"260.0", "260.0", "260.0", "260.0"}},
      {"HalvesDoNotOverflowInBetween",
       "all_reduce",
       "",
       "dense<[[0, 1, 2]]> : tensor<1x3xi64>",
       "add",
       "tensor<f16>",
       "tensor<f16>",
       {"60000.0", "60000.0", "-60000.0"},
       {"60000.0", "60000.0", "60000.0"}},
      // ((0 - 1) - (2 - 3)) of a body that is no native reduction.
      {"AnyBodyFollowsTheTree",
       "all_reduce",
       "",
       kFour,
       "subtract",
       "tensor<2xi32>",
       "tensor<2xi32>",
       {"[0, 10]", "[1, 1]", "[2, 2]", "[3, 3]"},
       {"[0, 10]", "[0, 10]", "[0, 10]", "[0, 10]"}},
      {"TheBodyMayWiden",
       "all_reduce",
       "",
       kTwo,
       "add",
       "tensor<1xf16>",
       "tensor<1xf32>",
       {"60000.0", "60000.0"},
       {"120000.0", "120000.0"}},
      {"OneMemberKeepsItsBits",
       "all_reduce",
       "",
       "dense<[[0], [1]]> : tensor<2x1xi64>",
       "add",
       "tensor<f32>",
       "tensor<f32>",
       {"-0.0", "2.0"},
       {"-0.0", "2.0"}},
  };
}
INSTANTIATE_TEST_SUITE_P(AllReduce, SpmdTest, testing::ValuesIn(AllReduces()),
                         [](const auto& info) { return info.param.name; });

std::vector<Golden> Gathers() {
  return {
      {"InGroupOrder",
       "all_gather",
       "all_gather_dim = 0 : i64",
       kCrossed,
       "",
       "tensor<4xi32>",
       "tensor<8xi32>",
       kRows,
       {"[0, 1, 2, 3, 8, 9, 10, 11]", "[12, 13, 14, 15, 4, 5, 6, 7]",
        "[0, 1, 2, 3, 8, 9, 10, 11]", "[12, 13, 14, 15, 4, 5, 6, 7]"}},
      {"AlongTheFirstDim",
       "all_gather",
       "all_gather_dim = 0 : i64",
       kTwo,
       "",
       "tensor<2x2xi32>",
       "tensor<4x2xi32>",
       kHalves,
       {"[[0, 1], [2, 3], [4, 5], [6, 7]]",
        "[[0, 1], [2, 3], [4, 5], [6, 7]]"}},
      {"AlongTheLastDim",
       "all_gather",
       "all_gather_dim = 1 : i64",
       kTwo,
       "",
       "tensor<2x2xi32>",
       "tensor<2x4xi32>",
       kHalves,
       {"[[0, 1, 4, 5], [2, 3, 6, 7]]", "[[0, 1, 4, 5], [2, 3, 6, 7]]"}},
      {"OfBooleans",
       "all_gather",
       "all_gather_dim = 0 : i64",
       kTwo,
       "",
       "tensor<1xi1>",
       "tensor<2xi1>",
       {"true", "false"},
       {"[true, false]", "[true, false]"}},
  };
}
INSTANTIATE_TEST_SUITE_P(AllGather, SpmdTest, testing::ValuesIn(Gathers()),
                         [](const auto& info) { return info.param.name; });

std::vector<Golden> Scatters() {
  const std::string dim = "scatter_dimension = 0 : i64";
  return {
      {"EachMemberKeepsItsPart",
       "reduce_scatter",
       dim,
       kFour,
       "add",
       "tensor<4xi32>",
       "tensor<1xi32>",
       kRows,
       {"24", "28", "32", "36"}},
      {"PartsFollowTheGroupOrder",
       "reduce_scatter",
       dim,
       kCrossed,
       "add",
       "tensor<4xi32>",
       "tensor<2xi32>",
       kRows,
       {"[8, 10]", "[20, 22]", "[12, 14]", "[16, 18]"}},
      {"AlongTheLastDim",
       "reduce_scatter",
       "scatter_dimension = 1 : i64",
       kTwo,
       "add",
       "tensor<2x2xi32>",
       "tensor<2x1xi32>",
       kHalves,
       {"[[4], [8]]", "[[6], [10]]"}},
  };
}
INSTANTIATE_TEST_SUITE_P(ReduceScatter, SpmdTest, testing::ValuesIn(Scatters()),
                         [](const auto& info) { return info.param.name; });

std::string Split(int split, int concat, int count) {
  return absl::StrCat("split_dimension = ", split,
                      " : i64, concat_dimension = ", concat,
                      " : i64, split_count = ", count, " : i64");
}

std::vector<Golden> Exchanges() {
  const std::vector<std::string> pairs = {"[0, 1]", "[2, 3]", "[4, 5]",
                                          "[6, 7]"};
  return {
      {"Transposes",
       "all_to_all",
       Split(0, 0, 4),
       kFour,
       "",
       "tensor<4xi32>",
       "tensor<4xi32>",
       kRows,
       {"[0, 4, 8, 12]", "[1, 5, 9, 13]", "[2, 6, 10, 14]", "[3, 7, 11, 15]"}},
      {"SplitsTheLastDimAndJoinsTheFirst",
       "all_to_all",
       Split(1, 0, 2),
       kTwo,
       "",
       "tensor<2x4xi32>",
       "tensor<4x2xi32>",
       {"[[0, 1, 2, 3], [4, 5, 6, 7]]", "[[8, 9, 10, 11], [12, 13, 14, 15]]"},
       {"[[0, 1], [4, 5], [8, 9], [12, 13]]",
        "[[2, 3], [6, 7], [10, 11], [14, 15]]"}},
      {"InPairs",
       "all_to_all",
       Split(0, 0, 2),
       "dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>",
       "",
       "tensor<2xi32>",
       "tensor<2xi32>",
       pairs,
       {"[0, 4]", "[2, 6]", "[1, 5]", "[3, 7]"}},
      {"PositionsNotIdsDecide",
       "all_to_all",
       Split(0, 0, 2),
       kCrossed,
       "",
       "tensor<2xi32>",
       "tensor<2xi32>",
       pairs,
       {"[0, 4]", "[7, 3]", "[1, 5]", "[6, 2]"}},
  };
}
INSTANTIATE_TEST_SUITE_P(AllToAll, SpmdTest, testing::ValuesIn(Exchanges()),
                         [](const auto& info) { return info.param.name; });

std::vector<Golden> Moves() {
  const std::string s = "tensor<i32>";
  const std::vector<std::string> tens = {"10", "20", "30", "40"};
  return {
      {"PermuteInARing",
       "collective_permute",
       "source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : "
       "tensor<4x2xi64>",
       "",
       "",
       s,
       s,
       tens,
       {"40", "10", "20", "30"}},
      {"PermuteLeavesZerosWithoutASource",
       "collective_permute",
       "source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>",
       "",
       "",
       s,
       s,
       tens,
       {"0", "10", "20", "0"}},
      {"PermuteToItself",
       "collective_permute",
       "source_target_pairs = dense<[[2, 2]]> : tensor<1x2xi64>",
       "",
       "",
       s,
       s,
       tens,
       {"0", "0", "30", "0"}},
      {"BroadcastFromTheFirstMember",
       "collective_broadcast",
       "",
       "dense<[[2, 0, 1, 3]]> : tensor<1x4xi64>",
       "",
       s,
       s,
       tens,
       {"30", "30", "30", "30"}},
      {"BroadcastOutsideTheGroupsGivesZeros",
       "collective_broadcast",
       "",
       "dense<[[1, 0]]> : tensor<1x2xi64>",
       "",
       s,
       s,
       tens,
       {"20", "20", "0", "0"}},
  };
}
INSTANTIATE_TEST_SUITE_P(Movement, SpmdTest, testing::ValuesIn(Moves()),
                         [](const auto& info) { return info.param.name; });

// The values of `results[device][0]`.
std::vector<int32_t> FirstValues(
    const std::vector<std::vector<Literal>>& results) {
  std::vector<int32_t> values;
  for (const auto& result : results) {
    values.push_back(result[0].data<int32_t>()[0]);
  }
  return values;
}

// Sums replica * 10 + partition over the groups of four ids' kinds.
std::string SumOfPlaces(absl::string_view attributes) {
  return absl::StrCat(R"(
    module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 2 : i32} {
    func.func @main() -> tensor<i32> {
      %r = stablehlo.replica_id : tensor<ui32>
      %p = stablehlo.partition_id : tensor<ui32>
      %ten = stablehlo.constant dense<10> : tensor<ui32>
      %0 = stablehlo.multiply %r, %ten : tensor<ui32>
      %1 = stablehlo.add %0, %p : tensor<ui32>
      %2 = stablehlo.convert %1 : (tensor<ui32>) -> tensor<i32>
      %3 = "stablehlo.all_reduce"(%2) ({
      ^bb0(%x: tensor<i32>, %y: tensor<i32>):
        %4 = stablehlo.add %x, %y : tensor<i32>
        stablehlo.return %4 : tensor<i32>
      }) {)",
                      attributes, R"(} : (tensor<i32>) -> tensor<i32>
      return %3 : tensor<i32>
    }
    })");
}

TEST(GroupModeTest, ChannelAndGlobalIdsSelectTheProcesses) {
  const std::string channel =
      "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, ";
  const std::pair<std::string, std::vector<int32_t>> kCases[] = {
      // Replica ids, a group per partition: 0 + 10 and 1 + 11.
      {"replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>", {10, 12, 10, 12}},
      // Replica ids with all partitions: 0 + 1 and 10 + 11.
      {channel + "replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>",
       {1, 1, 21, 21}},
      // Flattened ids: 0 + 11 and 1 + 10.
      {channel + "replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, "
                 "use_global_device_ids",
       {11, 11, 11, 11}},
  };
  for (const auto& [attributes, expected] : kCases) {
    auto module = ParseAndVerify(SumOfPlaces(attributes), "t.mlir");
    ASSERT_TRUE(module.ok()) << module.status();
    const auto results = EvaluateSpmd(**module, DeviceAssignment::Iota(2, 2),
                                      std::vector<std::vector<Literal>>(4));
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(FirstValues(*results), expected) << attributes;
  }
}

TEST(EvaluateSpmdTest, RootsSendAndKeep) {
  auto module = ParseAndVerify(R"(
    module attributes {mhlo.num_replicas = 3 : i32} {
    func.func @main(%a: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
      %root = stablehlo.constant dense<[1]> : tensor<1xi64>
      %0 = "stablehlo.collective_broadcast"(%a, %root) {
        replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>, has_dynamic_root
      } : (tensor<i32>, tensor<1xi64>) -> tensor<i32>
      %1 = "stablehlo.collective_reduce"(%a) ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %3 = stablehlo.add %p, %q : tensor<i32>
        stablehlo.return %3 : tensor<i32>
      }) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<i32>) -> tensor<i32>
      %2 = "stablehlo.collective_reduce"(%a, %root) ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %3 = stablehlo.add %p, %q : tensor<i32>
        stablehlo.return %3 : tensor<i32>
      }) {replica_groups = dense<[[1, 0, 2]]> : tensor<1x3xi64>, has_dynamic_root
      } : (tensor<i32>, tensor<1xi64>) -> tensor<i32>
      return %0, %1, %2 : tensor<i32>, tensor<i32>, tensor<i32>
    }
    })",
                               "t.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  std::vector<std::vector<Literal>> arguments(3);
  for (int i = 0; i < 3; ++i) {
    arguments[i].push_back(Literal::Scalar<int32_t>(i + 1));
  }
  const auto results = EvaluateSpmd(**module, DeviceAssignment::Iota(3, 1),
                                    std::move(arguments));
  ASSERT_TRUE(results.ok()) << results.status();
  const int32_t expected[3][3] = {{3, 0, 6}, {0, 3, 0}, {3, 0, 0}};
  for (int device = 0; device < 3; ++device) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ((*results)[device][i].data<int32_t>()[0], expected[device][i])
          << "device " << device << ", result " << i;
    }
  }
}

// Two rows of lists for each device: input_offsets, send_sizes,
// output_offsets, recv_sizes.
struct RaggedCase {
  std::string groups;
  std::vector<std::vector<int32_t>> operands;
  int64_t output_rows;
  std::vector<std::vector<std::vector<int32_t>>> lists;
};

absl::StatusOr<std::vector<std::vector<int32_t>>> RunRagged(const RaggedCase& c,
                                                            ProgramForm form) {
  const size_t count = c.operands.size();
  const bool replicas = form == ProgramForm::kReplicas;
  const auto vector = [](size_t size) {
    return absl::StrCat("tensor<", size, "xi32>");
  };
  const std::string list = vector(c.lists[0][0].size());
  const std::string operand = vector(c.operands[0].size());
  const std::string output = vector(c.output_rows);
  const auto module = ParseAndVerify(
      absl::StrCat(
          "module attributes {mhlo.num_replicas = ", replicas ? count : 1,
          " : i32, mhlo.num_partitions = ", replicas ? 1 : count,
          " : i32} {\nfunc.func @main(%a: ", operand, ", %o: ", output,
          ", %0: ", list, ", %1: ", list, ", %2: ", list, ", %3: ", list,
          ") -> ", output,
          " {\n  %r = stablehlo.custom_call @ragged_all_to_all(%a, %o, %0, %1, "
          "%2, %3) {api_version = 4 : i32, backend_config = {",
          replicas ? "" : "channel_id = 1 : i64, ",
          "replica_groups = ", c.groups, "}} : (", operand, ", ", output, ", ",
          list, ", ", list, ", ", list, ", ", list, ") -> ", output,
          "\n  return %r : ", output, "\n}\n}"),
      "t.mlir");
  if (!module.ok()) return module.status();
  std::vector<std::vector<Literal>> arguments(count);
  for (size_t i = 0; i < count; ++i) {
    const auto add = [&](const std::vector<int32_t>& values) {
      arguments[i].push_back(Literal::FromValues<int32_t>(
          {static_cast<int64_t>(values.size())}, values));
    };
    add(c.operands[i]);
    add(std::vector<int32_t>(c.output_rows));
    for (const auto& values : c.lists[i]) add(values);
  }
  const int32_t n = static_cast<int32_t>(count);
  const auto results = EvaluateSpmd(
      **module, DeviceAssignment::Iota(replicas ? n : 1, replicas ? 1 : n),
      std::move(arguments));
  if (!results.ok()) return results.status();
  std::vector<std::vector<int32_t>> values;
  for (const auto& result : *results) {
    const auto data = result[0].data<int32_t>();
    values.emplace_back(data.begin(), data.end());
  }
  return values;
}

using Rows = std::vector<std::vector<int32_t>>;

Rows RaggedRows(const RaggedCase& c, ProgramForm form) {
  const auto rows = RunRagged(c, form);
  EXPECT_TRUE(rows.ok()) << rows.status();
  return rows.value_or(Rows());
}

// K-21: G1, G2, G3, G5.
TEST(RaggedAllToAllTest, WritesRowsWhereTheirSendersSay) {
  const std::vector<std::vector<int32_t>> first = {
      {0, 1}, {1, 2}, {0, 0}, {1, 1}};
  const std::vector<std::vector<int32_t>> second = {
      {0, 1}, {1, 1}, {1, 2}, {2, 1}};
  for (ProgramForm form : {ProgramForm::kReplicas, ProgramForm::kPartitions}) {
    EXPECT_EQ(RaggedRows({"dense<[[0, 1]]> : tensor<1x2xi64>",
                          {{1, 2, 2}, {3, 4, 0}},
                          4,
                          {first, second}},
                         form),
              (Rows{{1, 3, 0, 0}, {2, 2, 4, 0}}));
    EXPECT_EQ(
        RaggedRows({"dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>",
                    {{1, 2, 2}, {3, 4, 0}, {10, 20, 20}, {30, 40, 0}},
                    4,
                    {first, second, first, second}},
                   form),
        (Rows{{1, 3, 0, 0}, {2, 2, 4, 0}, {10, 30, 0, 0}, {20, 20, 40, 0}}));
    EXPECT_EQ(RaggedRows({"dense<[[0], [1]]> : tensor<2x1xi64>",
                          {{1, 0, 0, 0}, {2, 3, 4, 0}},
                          4,
                          {{{0}, {1}, {2}, {1}}, {{0}, {3}, {1}, {3}}}},
                         form),
              (Rows{{0, 0, 1, 0}, {0, 2, 3, 4}}));
    EXPECT_EQ(RaggedRows({"dense<> : tensor<0x0xi64>",
                          {{5}, {6}},
                          2,
                          {{{0, 0}, {1, 1}, {0, 0}, {1, 1}},
                           {{0, 0}, {1, 1}, {1, 1}, {1, 1}}}},
                         form),
              (Rows{{5, 6}, {5, 6}}));
  }
}

TEST(RaggedAllToAllTest, WhatMembersSayMustFit) {
  const auto results = RunRagged(
      {"dense<[[0, 1]]> : tensor<1x2xi64>",
       {{1, 2, 2}, {3, 4, 0}},
       4,
       {{{0, 1}, {1, 1}, {0, 0}, {1, 1}}, {{0, 1}, {1, 1}, {1, 2}, {2, 1}}}},
      ProgramForm::kReplicas);
  EXPECT_EQ(results.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(results.status().message()),
              AllOf(HasSubstr("t.mlir:3:8"),
                    HasSubstr("slice 1 from sender 0 to receiver 1: "
                              "send_sizes says 1 rows, recv_sizes[0] of the "
                              "receiver 2")));
}

TEST(EvaluateSpmdTest, ACollectiveInALoopRunsOncePerIteration) {
  auto module = ParseAndVerify(R"(
    module attributes {mhlo.num_replicas = 3 : i32} {
    func.func @main(%a: tensor<i32>) -> tensor<i32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<i32>
      cond {
        %1 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %1 = stablehlo.add %i, %one : tensor<i32>
        %2 = "stablehlo.all_reduce"(%x) ({
        ^bb0(%p: tensor<i32>, %q: tensor<i32>):
          %3 = stablehlo.add %p, %q : tensor<i32>
          stablehlo.return %3 : tensor<i32>
        }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<i32>) -> tensor<i32>
        stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
      }
      return %0#1 : tensor<i32>
    }
    })",
                               "t.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  std::vector<std::vector<Literal>> arguments(3);
  for (int i = 0; i < 3; ++i) {
    arguments[i].push_back(Literal::Scalar<int32_t>(i));
  }
  const auto results = EvaluateSpmd(**module, DeviceAssignment::Iota(3, 1),
                                    std::move(arguments));
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(FirstValues(*results), (std::vector<int32_t>{9, 9, 9}));
}

TEST(EvaluateSpmdTest, SeveralOperandsReduceEachOnItsOwn) {
  auto module = ParseAndVerify(R"(
    module attributes {mhlo.num_replicas = 2 : i32} {
    func.func @main(%a: tensor<i32>) -> (tensor<i32>, tensor<2xi32>) {
      %b = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<2xi32>
      %0:2 = "stablehlo.all_reduce"(%a, %b) ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %1 = stablehlo.add %p, %q : tensor<i32>
        stablehlo.return %1 : tensor<i32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i32>, tensor<2xi32>) -> (tensor<i32>, tensor<2xi32>)
      return %0#0, %0#1 : tensor<i32>, tensor<2xi32>
    }
    })",
                               "t.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  std::vector<std::vector<Literal>> arguments(2);
  for (int i = 0; i < 2; ++i) {
    arguments[i].push_back(Literal::Scalar<int32_t>(i + 1));
  }
  const auto results = EvaluateSpmd(**module, DeviceAssignment::Iota(2, 1),
                                    std::move(arguments));
  ASSERT_TRUE(results.ok()) << results.status();
  for (const auto& device : *results) {
    EXPECT_EQ(device[0].data<int32_t>()[0], 3);
    EXPECT_EQ(device[1].data<int32_t>()[1], 3);
  }
}

// K-3.
TEST(EvaluateSpmdTest, ReductionsOfSmallIntegersAreRefused_WithTheCollective) {
  for (const std::string op : {"all_reduce", "reduce_scatter"}) {
    for (const std::string type : {"i2", "i4", "ui2", "ui4"}) {
      const bool scatters = op == "reduce_scatter";
      const std::string two = absl::StrCat("tensor<2x", type, ">");
      const std::string one = absl::StrCat("tensor<1x", type, ">");
      const Golden golden = {"",
                             op,
                             scatters ? "scatter_dimension = 0 : i64" : "",
                             kTwo,
                             "add",
                             two,
                             scatters ? one : two,
                             {},
                             {}};
      const std::string text =
          absl::StrReplaceAll(ProgramOf(golden, ProgramForm::kReplicas),
                              {{"num_replicas = 0", "num_replicas = 2"}});
      const auto module = ParseAndVerify(text, "t.mlir");
      ASSERT_TRUE(module.ok()) << module.status();
      std::vector<std::vector<Literal>> arguments(2);
      for (auto& of_device : arguments) {
        of_device.push_back(Dense("[0, 1]", two));
      }
      const absl::Status status =
          EvaluateSpmd(**module, DeviceAssignment::Iota(2, 1),
                       std::move(arguments))
              .status();
      EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr(absl::StrCat(
                      "t.mlir:3:8: stablehlo.", op, ": a reduction of ", type,
                      ": convert the operand to ",
                      type[0] == 'u' ? "ui8" : "i8", ", and the result back")));
    }
  }
}

TEST(EvaluateSpmdTest, AnErrorOnOneDeviceEndsTheOthers) {
  auto module = ParseAndVerify(R"(
    module attributes {mhlo.num_replicas = 2 : i32} {
    func.func @main() -> tensor<i32> {
      %a = stablehlo.constant dense<1> : tensor<i32>
      %r = stablehlo.replica_id : tensor<ui32>
      %i = stablehlo.convert %r : (tensor<ui32>) -> tensor<i32>
      %0 = "stablehlo.case"(%i) ({
        %1 = "stablehlo.all_reduce"(%a) ({
        ^bb0(%p: tensor<i32>, %q: tensor<i32>):
          %2 = stablehlo.add %p, %q : tensor<i32>
          stablehlo.return %2 : tensor<i32>
        }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i32>) -> tensor<i32>
        stablehlo.return %1 : tensor<i32>
      }, {
        %1 = stablehlo.custom_call @nobody() : () -> tensor<i32>
        stablehlo.return %1 : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      return %0 : tensor<i32>
    }
    })",
                               "t.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const auto results = EvaluateSpmd(**module, DeviceAssignment::Iota(2, 1),
                                    std::vector<std::vector<Literal>>(2));
  EXPECT_EQ(results.status().code(), absl::StatusCode::kUnimplemented)
      << results.status();
}

TEST(EvaluateSpmdTest, AMemberThatNeverComesEndsWithTheDeadline) {
  auto module = ParseAndVerify(R"(
    module attributes {mhlo.num_replicas = 2 : i32} {
    func.func @main() -> tensor<i32> {
      %a = stablehlo.constant dense<1> : tensor<i32>
      %r = stablehlo.replica_id : tensor<ui32>
      %i = stablehlo.convert %r : (tensor<ui32>) -> tensor<i32>
      %0 = "stablehlo.case"(%i) ({
        %1 = "stablehlo.all_reduce"(%a) ({
        ^bb0(%p: tensor<i32>, %q: tensor<i32>):
          %2 = stablehlo.add %p, %q : tensor<i32>
          stablehlo.return %2 : tensor<i32>
        }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i32>) -> tensor<i32>
        stablehlo.return %1 : tensor<i32>
      }, {
        stablehlo.return %a : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      return %0 : tensor<i32>
    }
    })",
                               "t.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const auto results = EvaluateSpmd(**module, DeviceAssignment::Iota(2, 1),
                                    std::vector<std::vector<Literal>>(2),
                                    {.timeout = absl::Milliseconds(50)});
  EXPECT_EQ(results.status().code(), absl::StatusCode::kDeadlineExceeded)
      << results.status();
}

}  // namespace
}  // namespace lockstep::internal
