#include "runtime/ir/op_builder.h"

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/status.h"
#include "runtime/ir/module.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

using testing::HasSubstr;

class OpBuilderTest : public testing::Test {
 protected:
  Value* Argument(const Shape& shape) {
    return function_->body().AddArgument(shape);
  }
  absl::StatusOr<Op*> Build(OpBuilder& builder, std::string name,
                            std::vector<Value*> operands,
                            AttributeMap attributes = {}) {
    OpState state;
    state.name = std::move(name);
    state.operands = std::move(operands);
    state.attributes = std::move(attributes);
    return builder.Build(std::move(state));
  }

  Module module_;
  Function* const function_ = module_.AddFunction("main", Location());
  OpBuilder builder_{&function_->body()};
};

TEST_F(OpBuilderTest, InfersTheTypesOfResults) {
  Value* x = Argument(Shape(ElementType::kF32, {2, 3}));
  AttributeMap attributes;
  attributes.Set("permutation", Attribute::I64Array({1, 0}));
  const auto op =
      Build(builder_, "stablehlo.transpose", {x}, std::move(attributes));
  ASSERT_TRUE(op.ok()) << op.status();
  EXPECT_EQ((*op)->result()->shape(), Shape(ElementType::kF32, {3, 2}));
  EXPECT_EQ((*op)->parent(), &function_->body());
}

TEST_F(OpBuilderTest, GivesOpsItsPlace) {
  Value* x = Argument(Shape(ElementType::kF32, {2}));
  builder_.set_location({std::make_shared<const std::string>("train.cc"), 7});
  const auto op = Build(builder_, "stablehlo.tanh", {x});
  ASSERT_TRUE(op.ok()) << op.status();
  EXPECT_EQ((*op)->location().ToString(), "train.cc:7");
}

TEST_F(OpBuilderTest, ARuleThatDoesNotHoldIsAnErrorAndAppendsNothing) {
  Value* x = Argument(Shape(ElementType::kF32, {2}));
  Value* y = Argument(Shape(ElementType::kF32, {3}));
  const auto op = Build(builder_, "stablehlo.add", {x, y});
  EXPECT_EQ(op.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(op.status().message(), HasSubstr("stablehlo.add: "));
  EXPECT_TRUE(function_->body().ops().empty());
}

TEST_F(OpBuilderTest, AnUnknownOpIsUnimplemented) {
  const auto op = Build(builder_, "stablehlo.frobnicate", {});
  EXPECT_EQ(StatusLine(op.status()),
            "UNIMPLEMENTED: stablehlo.frobnicate is not an op");
}

// Reshape leaves its result to whoever writes it, and checks it.
TEST_F(OpBuilderTest, DeclaredResultsAreVerified) {
  Value* x = Argument(Shape(ElementType::kF32, {2, 3}));
  OpState state;
  state.name = "stablehlo.reshape";
  state.operands = {x};
  state.result_types = {Shape(ElementType::kF32, {5})};
  EXPECT_EQ(builder_.Build(std::move(state)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// A collective in the body of a loop is checked against the module's replicas
// before the loop exists.
TEST_F(OpBuilderTest, OpsInARegionFindTheModuleBeforeItsOwnerIsBuilt) {
  module_.attributes().Set("mhlo.num_replicas", Attribute::I32(2));
  Value* x = Argument(Shape(ElementType::kF32, {}));
  const std::unique_ptr<Region> region = MakeRegionWithin(builder_);
  OpBuilder inner(region.get());
  AttributeMap pairs;
  pairs.Set("source_target_pairs",
            Attribute::FromLiteral(
                Literal::FromValues<int64_t>({2, 2}, {0, 1, 1, 0})));
  EXPECT_TRUE(Build(inner, "stablehlo.collective_permute", {x}, pairs).ok());
  pairs.Set(
      "source_target_pairs",
      Attribute::FromLiteral(Literal::FromValues<int64_t>({1, 2}, {0, 2})));
  EXPECT_THAT(Build(inner, "stablehlo.collective_permute", {x}, pairs)
                  .status()
                  .message(),
              HasSubstr("expected ids of 0 to 1, found 2"));
}

TEST_F(OpBuilderTest, TerminatesARegion) {
  Value* x = Argument(Shape(ElementType::kF32, {}));
  builder_.Terminate("func.return", {x});
  function_->set_result_types({x->type()});
  EXPECT_THAT(Print(module_), HasSubstr("return %arg0 : tensor<f32>"));
}

}  // namespace
}  // namespace lockstep::internal
