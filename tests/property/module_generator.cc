#include "tests/property/module_generator.h"

#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "tests/property/random_attribute.h"

namespace lockstep::internal {
namespace {

constexpr int kAttributeDepth = 2;

class Generator {
 public:
  explicit Generator(uint64_t seed) : values_(seed) {}

  std::unique_ptr<Module> Generate() {
    auto module = std::make_unique<Module>();
    module->set_name(values_.DrawName());
    module->attributes() = values_.DrawAttributes(kAttributeDepth);
    if (values_.Flip()) {
      module->meshes()
          .Add("mesh", *ParseSdyMesh("<[\"x\"=2, \"y\"=4]>"))
          .IgnoreError();
      module->opaque_ops().push_back("test.mesh @mesh = <[\"x\"=2]>");
    }
    const int function_count = 1 + values_.Below(3);
    for (int i = 0; i < function_count; ++i) AddFunction(*module, i);
    return module;
  }

 private:
  void AddFunction(Module& module, int index) {
    Function& function = *module.AddFunction(
        values_.DrawName() + std::to_string(index), Location());
    function.set_is_private(values_.Flip());
    function.attributes() = values_.DrawAttributes(kAttributeDepth);
    visible_.clear();
    AddArguments(function.body());
    for (AttributeMap& attributes : function.argument_attributes()) {
      attributes = values_.DrawAttributes(1);
    }
    AddOps(function.body(), 3);
    OpState end = NewOp("func.return");
    end.operands = DrawOperands();
    std::vector<Type> types;
    for (const Value* value : end.operands) types.push_back(value->type());
    function.body().Append(std::make_unique<Op>(std::move(end)));
    function.set_result_types(std::move(types));
    for (AttributeMap& attributes : function.result_attributes()) {
      attributes = values_.DrawAttributes(1);
    }
  }

  OpState NewOp(std::string name) {
    OpState state;
    state.def = OpRegistry::Get().Find(name);
    state.name = std::move(name);
    return state;
  }

  void AddArguments(Region& region) {
    for (int i = values_.Below(4); i > 0; --i) {
      visible_.push_back(region.AddArgument(values_.DrawType(2)));
    }
  }

  std::vector<Value*> DrawOperands() {
    std::vector<Value*> operands;
    if (visible_.empty()) return operands;
    for (int i = values_.Below(4); i > 0; --i) {
      operands.push_back(
          visible_[values_.Below(static_cast<int>(visible_.size()))]);
    }
    return operands;
  }

  void AddOps(Region& region, int depth) {
    for (int i = values_.Below(6); i > 0; --i) {
      const int kind = values_.Below(3);
      OpState state = kind == 0   ? Constant()
                      : kind == 1 ? Elementwise()
                                  : Unknown(depth);
      Op* op = region.Append(std::make_unique<Op>(std::move(state)));
      for (const auto& result : op->results()) visible_.push_back(result.get());
    }
  }

  OpState Constant() {
    OpState state = NewOp("stablehlo.constant");
    Attribute value = values_.DrawElements();
    state.result_types = {value.As<Attribute::Elements>()->shape};
    state.attributes = values_.DrawAttributes(1);
    state.attributes.Set("value", std::move(value));
    return state;
  }

  OpState Elementwise() {
    constexpr const char* kOps[] = {"stablehlo.add", "stablehlo.maximum",
                                    "stablehlo.multiply"};
    if (visible_.empty()) return Constant();
    Value* x = visible_[values_.Below(static_cast<int>(visible_.size()))];
    if (!x->type().is_tensor()) return Constant();
    OpState state = NewOp(kOps[values_.Below(3)]);
    state.operands = {x, x};
    state.result_types = {x->type()};
    state.attributes = values_.DrawAttributes(1);
    return state;
  }

  // An op of another dialect, with regions and any number of results.
  OpState Unknown(int depth) {
    OpState state = NewOp(values_.Flip() ? "test.op" : "test.\"odd\"");
    state.operands = DrawOperands();
    state.attributes = values_.DrawAttributes(kAttributeDepth);
    for (int i = values_.Below(3); i > 0; --i) {
      state.result_types.push_back(values_.DrawType(2));
    }
    for (int i = depth > 0 ? values_.Below(3) : 0; i > 0; --i) {
      auto region = std::make_unique<Region>();
      const size_t outside = visible_.size();
      AddArguments(*region);
      AddOps(*region, depth - 1);
      visible_.resize(outside);
      state.regions.push_back(std::move(region));
    }
    return state;
  }

  RandomValues values_;
  std::vector<Value*> visible_;
};

}  // namespace

std::unique_ptr<Module> GenerateModule(uint64_t seed) {
  return Generator(seed).Generate();
}

}  // namespace lockstep::internal
