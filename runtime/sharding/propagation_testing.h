#ifndef LOCKSTEP_RUNTIME_SHARDING_PROPAGATION_TESTING_H_
#define LOCKSTEP_RUNTIME_SHARDING_PROPAGATION_TESTING_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/attribute.h"
#include "runtime/ir/attribute_printer.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/function_shardings.h"
#include "runtime/sharding/op_sharding_testing.h"
#include "runtime/sharding/propagate_shardings.h"

namespace lockstep::internal {

// The text of an attribute, whatever it is read as; none if there is none.
inline std::optional<std::string> AttributeText(const AttributeMap& attributes,
                                                absl::string_view name) {
  const Attribute* const attribute = attributes.Find(name);
  if (attribute == nullptr) return std::nullopt;
  std::string text;
  AppendAttribute(*attribute, {}, &text);
  return text;
}

inline std::unique_ptr<Module> ModuleOfText(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<Module>> module = ParseModule(text, "test");
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *std::move(module) : std::make_unique<Module>();
}

// A function and the shardings in its text: sdy.sharding of arguments, results
// and ops, on @mesh. Its values have names: "arg0" of an argument; "add" of the
// result of the first stablehlo.add in program order, "add#1" of the second;
// "while:1" of the second result of an op, "while/arg0" of an argument of its
// last region; "result0" of a result of the function. Borrows the function,
// which is not verified.
class AnnotatedFunction {
 public:
  AnnotatedFunction(const Function& function, const ShardingMesh& mesh)
      : function(function) {
    EXPECT_TRUE(meshes.Add("mesh", mesh).ok());
    const auto& arguments = function.body().arguments();
    for (size_t i = 0; i < arguments.size(); ++i) {
      const Value* const argument = arguments[i].get();
      values[absl::StrCat("arg", i)] = argument;
      const auto text = AttributeText(
          function.argument_attributes(static_cast<int>(i)), "sdy.sharding");
      if (text.has_value()) {
        shardings.values.Set(argument, *ParseSdySharding(*text));
      }
    }
    ReadRegion(function.body());
    for (const AttributeMap& attributes : function.result_attributes()) {
      const auto text = AttributeText(attributes, "sdy.sharding");
      shardings.results.push_back(text.has_value()
                                      ? std::optional(*ParseSdySharding(*text))
                                      : std::nullopt);
    }
  }

  absl::Status Propagate() {
    return PropagateShardings(function, meshes, shardings, options);
  }

  // As TextOfSharding, of the value of that name.
  std::string Sharding(absl::string_view name) const {
    return Sharding(name, shardings);
  }
  std::string Sharding(absl::string_view name,
                       const FunctionShardings& at) const {
    constexpr absl::string_view kResult = "result";
    if (name.substr(0, kResult.size()) == kResult) {
      return TextOfSharding(
          at.results[std::stoi(std::string(name.substr(kResult.size())))]);
    }
    const auto found = values.find(name);
    if (found == values.end()) return absl::StrCat("no value ", name);
    const TensorSharding* const sharding = at.values.Find(found->second);
    return sharding == nullptr ? "none" : TextOfSharding(*sharding);
  }
  const Value* value(absl::string_view name) const {
    return values.find(name)->second;
  }

  const Function& function;
  MeshTable meshes;
  FunctionShardings shardings;
  PropagationOptions options;
  std::map<std::string, const Value*, std::less<>> values;

 private:
  void ReadRegion(const Region& region) {
    for (const auto& op : region.ops()) {
      std::string name = op->name().substr(op->name().find('.') + 1);
      const int place = op_counts_[name]++;
      if (place > 0) absl::StrAppend(&name, "#", place);
      std::vector<TensorSharding> results;
      const auto text = AttributeText(op->attributes(), "sdy.sharding");
      if (text.has_value()) results = *ParseSdyShardingPerValue(*text);
      for (int i = 0; i < op->result_count(); ++i) {
        values[i == 0 ? name : absl::StrCat(name, ":", i)] = op->result(i);
        if (!results.empty()) shardings.values.Set(op->result(i), results[i]);
      }
      for (const auto& inner : op->regions()) {
        for (size_t i = 0; i < inner->arguments().size(); ++i) {
          values[absl::StrCat(name, "/arg", i)] = inner->arguments()[i].get();
        }
        ReadRegion(*inner);
      }
    }
  }

  std::map<std::string, int> op_counts_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_PROPAGATION_TESTING_H_
