// Y-16 and Y-17 of docs/behaviour/shardings.md: what holds for any function.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/base/logging.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_verifier.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/propagate_shardings.h"
#include "runtime/sharding/propagation_testing.h"

namespace lockstep::internal {
namespace {

// Ops on 8x8 matrices, some of them in loops; with a fixed seed.
class RandomPrograms {
 public:
  explicit RandomPrograms(uint32_t seed) : random_(seed) {}

  std::string Function(int op_count) {
    value_count_ = 0;
    std::string text = "func.func @main(%p: tensor<i1>, %0: ";
    absl::StrAppend(&text, kType, ", %1: ", kType, ", %2: ", kType, ") -> (",
                    kType, ", ", kType, ") {\n");
    value_count_ = 3;
    for (int i = 0; i < op_count; ++i) AppendOp(text);
    return absl::StrCat(text, "return ", Operand(), ", ", Operand(), " : ",
                        kType, ", ", kType, "\n}");
  }

  // Of one value in `rarity`, and of the results of the function; values that
  // are in one group.
  void Annotate(const ShardingMesh& mesh, int rarity,
                AnnotatedFunction& function) {
    std::vector<const Value*> matrices;
    for (const auto& [name, value] : function.values) {
      if (value->shape().rank() != 2) continue;
      matrices.push_back(value);
      // Arguments of loops have what their results have.
      if (name.find('/') == std::string::npos && random_.Below(rarity) == 0) {
        function.shardings.values.Set(value, random_.Sharding(mesh, 2));
      }
    }
    for (std::optional<TensorSharding>& result : function.shardings.results) {
      if (random_.Below(2) == 0) result = random_.Sharding(mesh, 2);
    }
    if (random_.Below(2) == 0) {
      const auto count = static_cast<int64_t>(matrices.size());
      function.options.groups = {
          {matrices[random_.Below(count)], matrices[random_.Below(count)]}};
    }
  }
  ShardingMesh Mesh() { return random_.Mesh(); }

 private:
  static constexpr absl::string_view kType = "tensor<8x8xf32>";

  std::string Operand() {
    return absl::StrCat("%", random_.Below(value_count_));
  }

  void AppendOp(std::string& text) {
    const std::string a = Operand();
    const std::string b = Operand();
    switch (random_.Below(6)) {
      case 0:
        absl::StrAppendFormat(&text, "%%%d = stablehlo.sine %s : %s\n",
                              value_count_, a, kType);
        break;
      case 1:
        absl::StrAppendFormat(&text, "%%%d = stablehlo.add %s, %s : %s\n",
                              value_count_, a, b, kType);
        break;
      case 2:
      case 3:
        absl::StrAppendFormat(&text,
                              "%%%d = stablehlo.dot %s, %s : (%s, %s) -> %s\n",
                              value_count_, a, b, kType, kType, kType);
        break;
      case 4:
        absl::StrAppendFormat(
            &text,
            "%%%d = stablehlo.transpose %s, dims = [1, 0] : (%s) -> %s\n",
            value_count_, a, kType, kType);
        break;
      default:
        absl::StrAppendFormat(&text,
                              "%%%d = stablehlo.while(%%v = %s) : %s cond {\n"
                              "stablehlo.return %%p : tensor<i1>\n} do {\n"
                              "%%w = stablehlo.dot %%v, %s : (%s, %s) -> %s\n"
                              "stablehlo.return %%w : %s\n}\n",
                              value_count_, a, kType, b, kType, kType, kType,
                              kType);
    }
    ++value_count_;
  }

  RandomShardings random_;
  int value_count_ = 0;
};

// Axes are only appended, and only to open dims; the sharding is valid.
void ExpectExtends(const std::optional<TensorSharding>& before,
                   const std::optional<TensorSharding>& after,
                   const ShardingMesh& mesh) {
  if (!after.has_value()) {
    EXPECT_FALSE(before.has_value());
    return;
  }
  EXPECT_TRUE(VerifySharding(*after, mesh).ok()) << TextOfSharding(after);
  TensorSharding expected =
      before.has_value() ? *before : UnshardedOn("mesh", after->rank(), false);
  for (int64_t i = 0; i < after->rank(); ++i) {
    DimSharding& dim = expected.dims[i];
    dim.priority.reset();
    if (!dim.is_closed && IsStrictPrefix(dim.axes, after->dims[i].axes)) {
      dim.axes = after->dims[i].axes;
    }
  }
  EXPECT_EQ(TextOfSharding(after), TextOfSharding(expected));
}

std::optional<TensorSharding> ShardingOf(const FunctionShardings& shardings,
                                         const Value* value) {
  const TensorSharding* const sharding = shardings.values.Find(value);
  return sharding == nullptr ? std::nullopt : std::optional(*sharding);
}

// What users of such a group see is no one's sharding, and open at every start.
bool HasOpenGroup(const AnnotatedFunction& function) {
  return std::ranges::any_of(
      function.options.groups, [&](const ShardingGroup& group) {
        return ShardingOf(function.shardings, group[0]) !=
               ShardingOf(function.shardings, group[1]);
      });
}

TEST(PropagateShardingsProperty, ExtendsOpenDimsAndEndsAtAFixedPoint) {
  RandomPrograms random(/*seed=*/7);
  SetLogSink([](LogSeverity, absl::string_view) {});  // of groups
  for (int round = 0; round < 300 && !testing::Test::HasFailure(); ++round) {
    const std::string text = random.Function(/*op_count=*/12);
    const std::unique_ptr<Module> module = ModuleOfText(text);
    const ShardingMesh mesh = random.Mesh();
    AnnotatedFunction function(*module->functions()[0], mesh);
    random.Annotate(mesh, /*rarity=*/8, function);
    if (round % 2 == 1) {
      function.options.algorithm = PropagationAlgorithm::kGspmd;
    }
    SCOPED_TRACE(absl::StrCat(round, " ", mesh.ToString(), "\n", text));

    const FunctionShardings before = function.shardings;
    ASSERT_EQ(function.Propagate(), absl::OkStatus());
    for (const auto& [name, value] : function.values) {
      SCOPED_TRACE(name);
      const auto given = ShardingOf(before, value);
      if (!given.has_value()) continue;
      ExpectExtends(given, ShardingOf(function.shardings, value), mesh);
    }
    for (size_t i = 0; i < before.results.size(); ++i) {
      ExpectExtends(before.results[i], function.shardings.results[i], mesh);
    }

    if (HasOpenGroup(function)) continue;
    const FunctionShardings after = function.shardings;
    ASSERT_EQ(function.Propagate(), absl::OkStatus());
    for (const auto& [name, value] : function.values) {
      EXPECT_EQ(function.Sharding(name), function.Sharding(name, after))
          << name;
    }
    EXPECT_EQ(function.shardings, after);
  }
  SetLogSink(nullptr);
}

// A list of devices of this length cannot be looked at for each op.
TEST(PropagateShardings, LongFunctionsAndLargeMeshesTakeNoLongTime) {
  constexpr int kOps = 3000;
  constexpr int kDevices = 1 << 20;
  std::string text = R"(func.func @main(
      %0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>})
      -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b"}]>}) {
  )";
  for (int i = 0; i < kOps; ++i) {
    absl::StrAppendFormat(&text, "%%%d = stablehlo.sine %%%d : %s\n", i + 1, i,
                          "tensor<8x8xf32>");
  }
  absl::StrAppendFormat(&text, "return %%%d : tensor<8x8xf32>\n}", kOps);
  const std::unique_ptr<Module> module = ModuleOfText(text);
  std::vector<int64_t> devices(kDevices);
  std::iota(devices.rbegin(), devices.rend(), 0);
  AnnotatedFunction function(
      *module->functions()[0],
      *ShardingMesh::Create(
          *AbstractMesh::Create({{"a", 1024}, {"b", kDevices / 1024}}),
          std::move(devices)));
  ASSERT_EQ(function.Propagate(), absl::OkStatus());
  EXPECT_EQ(function.Sharding("arg0"), R"([{"a"}, {"b", ?}])");
  EXPECT_EQ(function.Sharding("sine#1500"), R"([{"a", ?}, {"b", ?}])");
  EXPECT_EQ(function.Sharding("result0"), R"([{"a", ?}, {"b"}])");
}

}  // namespace
}  // namespace lockstep::internal
