// Y-16 and Y-17 of docs/behaviour/shardings.md: shardings of whole functions.
#include "runtime/sharding/propagate_shardings.h"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

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
    ASSERT_TRUE(
        annotated.meshes.Add("one", MeshOfText("<[], device_ids=[0]>")).ok());
    const Texts expected = Expected(annotated);
    ASSERT_EQ(annotated.Propagate(), absl::OkStatus());
    EXPECT_EQ(TextsOf(annotated), expected);

    ASSERT_EQ(annotated.Propagate(), absl::OkStatus());
    EXPECT_EQ(TextsOf(annotated), expected) << "at the second time";
  }
}

}  // namespace
}  // namespace lockstep::internal
