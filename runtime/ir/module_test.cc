#include "runtime/ir/module.h"

#include <gtest/gtest.h>

#include "runtime/ir/module_equality.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/verifier.h"

namespace lockstep::internal {
namespace {

REGISTER_OP(OpDef("func.return", OpKind::kTerminator));
REGISTER_OP(OpDef("test.end", OpKind::kTerminator));
REGISTER_OP(OpDef("test.region", OpKind::kControlFlow));
REGISTER_OP(OpDef("test.copy", OpKind::kIdentity)
                .Infer([](const Op& op) -> absl::StatusOr<std::vector<Type>> {
                  return std::vector<Type>{op.operand(0)->type()};
                }));

const Type kVector = Shape(ElementType::kF32, {2});

Op* Append(Region& region, std::string name, std::vector<Value*> operands,
           std::vector<Type> results) {
  OpState state;
  state.def = OpRegistry::Get().Find(name);
  state.name = std::move(name);
  state.operands = std::move(operands);
  state.result_types = std::move(results);
  return region.Append(std::make_unique<Op>(std::move(state)));
}

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

// func @main(%a) { %0 = copy %a; return %0 }
Function* AddMain(Module& module) {
  Function* main = module.AddFunction("main", Location());
  Value* argument = main->body().AddArgument(kVector);
  main->set_result_types({kVector});
  Op* copy = Append(main->body(), "test.copy", {argument}, {kVector});
  Append(main->body(), "func.return", {copy->result()}, {});
  return main;
}

TEST(Verify, AcceptsASimpleFunction) {
  Module module;
  AddMain(module);
  EXPECT_EQ(Verify(module), absl::OkStatus());
}

TEST(Verify, ResultTypesOtherThanTheInferredOnesAreAnError) {
  Module module;
  Function* main = AddMain(module);
  main->body().ops()[0]->result()->set_type(Shape(ElementType::kF32, {3}));
  EXPECT_EQ(Message(Verify(module)),
            "<unknown>: test.copy: result types: expected (tensor<2xf32>), "
            "found (tensor<3xf32>)");
}

TEST(Verify, AValueOfALaterOpIsNotDefined) {
  Module module;
  Function* main = AddMain(module);
  auto& ops = main->body().mutable_ops();
  Op* second =
      Append(main->body(), "test.copy", {ops[0]->operand(0)}, {kVector});
  ops[0]->set_operand(0, second->result());
  std::swap(ops[1], ops[2]);
  EXPECT_EQ(Message(Verify(module)),
            "<unknown>: test.copy: operand 0: expected a value that is defined "
            "before");
}

TEST(Verify, AValueOfARegionIsNotVisibleOutside) {
  Module module;
  Function* main = module.AddFunction("main", Location());
  OpState state;
  state.name = "test.region";
  state.def = OpRegistry::Get().Find(state.name);
  state.regions.push_back(std::make_unique<Region>());
  Value* inner = state.regions[0]->AddArgument(kVector);
  Append(*state.regions[0], "test.end", {}, {});
  main->body().Append(std::make_unique<Op>(std::move(state)));
  Append(main->body(), "test.copy", {inner}, {kVector});
  Append(main->body(), "func.return", {}, {});
  EXPECT_EQ(Message(Verify(module)),
            "<unknown>: test.copy: operand 0: expected a value that is defined "
            "before");
}

TEST(Verify, RegionsDeeperThanTheLimitAreAnError) {
  Module module;
  Function* main = module.AddFunction("main", Location());
  Region* region = &main->body();
  for (int i = 0; i < kMaxRegionDepth; ++i) {
    OpState state;
    state.name = "test.region";
    state.def = OpRegistry::Get().Find(state.name);
    state.regions.push_back(std::make_unique<Region>());
    Op* op = region->Append(std::make_unique<Op>(std::move(state)));
    Append(*region, i == 0 ? "func.return" : "test.end", {}, {});
    region = &op->region();
  }
  EXPECT_EQ(Message(Verify(module)),
            "<unknown>: expected at most 256 nested regions, found more");
}

TEST(Verify, TwoFunctionsOfOneNameAreAnError) {
  Module module;
  AddMain(module);
  AddMain(module);
  EXPECT_EQ(Message(Verify(module)),
            "<unknown>: function @main is defined twice");
}

TEST(Print, NumbersValuesAndSortsAttributes) {
  Module module;
  module.attributes().Set("z", Attribute::I64(1));
  module.attributes().Set("a", Attribute());
  AddMain(module);
  EXPECT_EQ(
      Print(module),
      "module attributes {a, z = 1 : i64} {\n"
      "  func.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {\n"
      "    %0 = \"test.copy\"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>\n"
      "    \"func.return\"(%0) : (tensor<2xf32>) -> ()\n"
      "  }\n"
      "}\n");
}

TEST(FirstDifference, NamesWhatDiffersAndWhere) {
  const auto difference = [](auto change) {
    Module a;
    Module b;
    AddMain(a);
    change(*AddMain(b));
    return FirstDifference(a, b).value_or("none");
  };
  EXPECT_EQ(difference([](Function&) {}), "none");
  EXPECT_EQ(difference([](Function& f) { f.set_is_private(true); }),
            "function @main: visibility: public, private");
  EXPECT_EQ(difference([](Function& f) {
              f.body().ops()[0]->mutable_attributes().Set("x", Attribute());
            }),
            "function @main: <unknown>, <unknown>: test.copy: attribute x: "
            "missing, present");
  EXPECT_EQ(difference([](Function& f) {
              f.body().ops()[1]->set_operand(0, f.body().arguments()[0].get());
            }),
            "function @main: <unknown>, <unknown>: func.return: operand 0: not "
            "the same value");
  EXPECT_EQ(
      difference([](Function& f) { Append(f.body(), "func.return", {}, {}); }),
      "function @main: number of ops: 2, 3");
  EXPECT_EQ(difference([](Function& f) {
              f.argument_attributes()[0].Set("x", Attribute::I64(1));
            }),
            "function @main: argument 0: attribute x: missing, present");
}

TEST(PassManager, RunsPassesInOrderAndShowsTheModuleAfterEach) {
  std::vector<std::string> log;
  PassManager::Options options;
  options.after_pass = [&](absl::string_view pass, const Module& module) {
    log.push_back(std::string(pass) + " " + module.name());
  };
  PassManager passes(options);
  for (const char* name : {"first", "second"}) {
    passes.Add({name, [name](Module& module) {
                  module.set_name(module.name() + name[0]);
                  return absl::OkStatus();
                }});
  }
  Module module;
  ASSERT_EQ(passes.Run(module), absl::OkStatus());
  EXPECT_EQ(log, (std::vector<std::string>{"first f", "second fs"}));
}

TEST(PassManager, APassThatFailsIsNamedAndEndsTheRun) {
  PassManager passes;
  passes.Add({"bad", [](Module&) { return absl::InternalError("why"); }});
  passes.Add({"never", [](Module&) -> absl::Status {
                ADD_FAILURE();
                return absl::OkStatus();
              }});
  Module module;
  EXPECT_EQ(passes.Run(module), absl::InternalError("bad: why"));
}

TEST(PassManager, AnErrorOfTheProgramBeginsWithItsPlace) {
  PassManager passes;
  passes.Add({"bad", [](Module&) {
                return absl::UnimplementedError("m.mlir:1:2: why");
              }});
  Module module;
  EXPECT_EQ(passes.Run(module), absl::UnimplementedError("m.mlir:1:2: why"));
}

TEST(PassManager, APassThatBreaksTheModuleIsNamed) {
  PassManager::Options options;
  options.verify_each = true;
  PassManager passes(options);
  passes.Add({"breaks", [](Module& module) {
                module.functions()[0]->body().mutable_ops().pop_back();
                return absl::OkStatus();
              }});
  Module module;
  AddMain(module);
  EXPECT_EQ(passes.Run(module).code(), absl::StatusCode::kInternal);
}

TEST(EntryFunction, IsMainOrTheOnlyPublicFunction) {
  Module module;
  module.AddFunction("helper", Location())->set_is_private(true);
  EXPECT_FALSE(module.EntryFunction().ok());
  Function* only = module.AddFunction("only", Location());
  EXPECT_EQ(module.EntryFunction().value(), only);
  module.AddFunction("second", Location());
  EXPECT_EQ(Message(module.EntryFunction().status()),
            "expected a function @main or one public function, found private "
            "@helper, @only, @second");
  Function* main = module.AddFunction("main", Location());
  EXPECT_EQ(module.EntryFunction().value(), main);
}

}  // namespace
}  // namespace lockstep::internal
