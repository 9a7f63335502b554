// Y-16 and Y-17 of docs/behaviour/shardings.md: shardings of whole functions.
#include "runtime/sharding/propagate_shardings.h"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/ir/attribute.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/propagation_testing.h"

namespace lockstep::internal {
namespace {

using Texts = std::map<std::string, std::string, std::less<>>;

Texts TextsOf(const AnnotatedFunction& function) {
  Texts texts;
  for (const auto& [name, value] : function.values) {
    texts[name] = function.Sharding(name);
  }
  for (size_t i = 0; i < function.shardings.results.size(); ++i) {
    const std::string name = absl::StrCat("result", i);
    texts[name] = function.Sharding(name);
  }
  return texts;
}

std::string After(const AttributeMap& attributes, std::string before) {
  const auto after = AttributeText(attributes, "after");
  return after.has_value() ? TextOfSharding(*ParseSdySharding(*after)) : before;
}

// Of the case that the function is, before it is propagated through.
Texts Expected(const AnnotatedFunction& function) {
  Texts expected = TextsOf(function);
  for (auto& [name, text] : expected) {
    const auto found = function.values.find(name);
    if (found == function.values.end()) {
      const int result = std::stoi(name.substr(std::string("result").size()));
      text = After(function.function.result_attributes()[result], text);
    } else if (const Op* const op = found->second->defining_op();
               op != nullptr) {
      if (found->second->index() == 0) text = After(op->attributes(), text);
    } else if (found->second->region() == &function.function.body()) {
      text = After(
          function.function.argument_attributes(found->second->index()), text);
    } else {
      const Op& loop = *found->second->region()->parent_op();
      text =
          found->second->index() == 0 ? After(loop.attributes(), text) : text;
    }
  }
  return expected;
}

TEST(PropagateShardings, GivesWhatTheProgramsSay) {
  std::ifstream in("runtime/sharding/propagation_cases.mlir", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::unique_ptr<Module> module = ModuleOfText(text);
  EXPECT_GT(module->functions().size(), 20);
  for (const auto& function : module->functions()) {
    SCOPED_TRACE(function->name());
    AnnotatedFunction annotated(
        *function, MeshOfText(*AttributeText(function->attributes(), "mesh")));
    annotated.options.is_conservative =
        function->attributes().Find("conservative") != nullptr;
    if (function->attributes().Find("gspmd") != nullptr) {
      annotated.options.algorithm = PropagationAlgorithm::kGspmd;
    }
    ASSERT_TRUE(
        annotated.meshes.Add("one", MeshOfText("<[], device_ids=[0]>")).ok());
    const Texts expected = Expected(annotated);
    ASSERT_EQ(annotated.Propagate(), absl::OkStatus());
    EXPECT_EQ(TextsOf(annotated), expected);

    ASSERT_EQ(annotated.Propagate(), absl::OkStatus());
    EXPECT_EQ(TextsOf(annotated), expected) << "at the second time";
  }
}

TEST(PropagateShardings, DimsTakeTheirTurnByUserPriority) {
  const std::unique_ptr<Module> module = ModuleOfText(R"(func.func @predict(
      %x: tensor<16x128xf32>
          {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p0, {?}]>},
      %w1: tensor<128x256xf32>
          {sdy.sharding = #sdy.sharding<@mesh, [{"data", ?}p2,
               {"model", ?}p1]>},
      %w2: tensor<256x10xf32>) -> tensor<16x10xf32> {
    %t = stablehlo.tanh %x : tensor<16x128xf32>
    %z1 = stablehlo.dot %t, %w1
        : (tensor<16x128xf32>, tensor<128x256xf32>) -> tensor<16x256xf32>
    %z2 = stablehlo.dot %z1, %w2
        : (tensor<16x256xf32>, tensor<256x10xf32>) -> tensor<16x10xf32>
    %s = stablehlo.sine %z2 : tensor<16x10xf32>
    return %s : tensor<16x10xf32>
  })");
  AnnotatedFunction function(*module->functions()[0],
                             MeshOfText(R"(<["data"=4, "model"=2]>)"));
  std::map<std::string, FunctionShardings> stages;
  std::vector<std::string> names;
  function.options.observer = [&](absl::string_view stage,
                                  const FunctionShardings& shardings) {
    names.emplace_back(stage);
    stages[names.back()] = shardings;
  };
  ASSERT_EQ(function.Propagate(), absl::OkStatus());

  const auto at = [&](int priority, absl::string_view value) {
    return function.Sharding(
        value,
        stages[absl::StrCat("propagation_after_user_priority_", priority)]);
  };
  EXPECT_EQ(at(0, "dot"), R"([{"data", ?}, {?}])");
  EXPECT_EQ(at(0, "arg1"), R"([{}, {}], replicated={"data", "model"})");
  EXPECT_EQ(at(1, "dot"), R"([{"data", ?}, {"model", ?}])");
  EXPECT_EQ(at(1, "arg1"), R"([{}, {"model", ?}], replicated={"data"})");
  EXPECT_EQ(at(1, "arg2"), R"([{"model", ?}, {?}])");
  EXPECT_EQ(at(2, "arg1"), R"([{"data", ?}, {"model", ?}])");
  EXPECT_EQ(function.Sharding("arg1"), R"([{"data", ?}, {"model", ?}])");

  ASSERT_EQ(names.size(), 3 * 6);
  EXPECT_EQ(names[0], "propagation_after_user_priority_0_op_priority_0");
  EXPECT_EQ(names[4], "propagation_after_user_priority_0_op_priority_4");
  EXPECT_EQ(names[5], "propagation_after_user_priority_0");
  EXPECT_EQ(names[6], "propagation_after_user_priority_1_op_priority_0");
}

TEST(PropagateShardings, AMeshThatIsNotDeclaredIsAnError) {
  const std::unique_ptr<Module> module = ModuleOfText(R"(func.func @main(
      %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>},
      %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"a"}]>})
      -> (tensor<8xf32>, tensor<8xf32>) {
    %s = stablehlo.sine %x : tensor<8xf32>
    %t = stablehlo.sine %y : tensor<8xf32>
    return %s, %t : tensor<8xf32>, tensor<8xf32>
  })");
  AnnotatedFunction function(*module->functions()[0],
                             MeshOfText(R"(<["a"=2]>)"));
  const FunctionShardings before = function.shardings;
  EXPECT_NE(InvalidArgument(function.Propagate()).find("other"),
            std::string::npos);
  EXPECT_EQ(function.shardings, before);
}

}  // namespace
}  // namespace lockstep::internal
