// What is known of an op stands in its file, in the slots of its definition.
// Here is what is missing there, and why. An op that is new without one of them
// is a failure, and so is one of these lists that has become too long.
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/ops/op_expansion.h"

namespace lockstep::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> OpsFor(
    const std::function<bool(const OpDef&)>& holds) {
  std::vector<std::string> names;
  for (const OpDef* def : OpRegistry::Get().All()) {
    if (holds(*def)) names.push_back(def->name());
  }
  return names;
}

std::vector<std::string> PlainOpsFor(
    const std::function<bool(const OpDef&)>& holds) {
  return OpsFor([&](const OpDef& def) {
    return !IsExpandedOp(def.name()) && !def.is_terminator() && holds(def);
  });
}

TEST(OpSlotsTest, EveryOpIsVerified) {
  EXPECT_THAT(OpsFor([](const OpDef& def) { return !def.verify(); }),
              IsEmpty());
}

// An op that becomes others is evaluated as those are. The body of a manual
// computation works on shards, which only a program that is partitioned has.
TEST(OpSlotsTest, EveryOpThatDoesNotBecomeOthersIsEvaluated) {
  EXPECT_THAT(PlainOpsFor([](const OpDef& def) { return !def.evaluate(); }),
              ElementsAre("sdy.manual_computation"));
}

// The results of these are what the program says, within rules that are
// verified: their shape (reshape), their type (convert), or those of a callee
// or of somebody else's function.
TEST(OpSlotsTest, ResultsAreInferredWhereTheyFollowFromTheOperands) {
  EXPECT_THAT(
      PlainOpsFor([](const OpDef& def) { return !def.infer(); }),
      ElementsAre("chlo.ragged_dot", "func.call", "sdy.manual_computation",
                  "stablehlo.bitcast_convert", "stablehlo.broadcast_in_dim",
                  "stablehlo.composite", "stablehlo.convert",
                  "stablehlo.convolution", "stablehlo.custom_call",
                  "stablehlo.iota", "stablehlo.recv", "stablehlo.reshape",
                  "stablehlo.rng_bit_generator"));
}

// A special function of two operands has no vector form; the oracle's function
// is called for each element.
TEST(OpSlotsTest, ElementwiseOpsAreEmittedIntoKernels) {
  EXPECT_THAT(PlainOpsFor([](const OpDef& def) {
                return def.kind() == OpKind::kElementwise && !def.emit();
              }),
              ElementsAre("chlo.polygamma", "chlo.zeta"));
}

// These run with operands and results unsharded, unless propagation knows them
// itself: values that pass through regions, calls and tuples. Those without
// operands or results have nothing to share. Ops that become others before
// propagation need none.
TEST(OpSlotsTest, OpsHaveRulesOfShardingUnlessTheyRunUnsharded) {
  EXPECT_THAT(
      PlainOpsFor([](const OpDef& def) { return !def.sharding(); }),
      ElementsAre("chlo.ragged_dot", "chlo.scan", "func.call",
                  "lockstep.fusion", "sdy.all_gather", "sdy.all_reduce",
                  "sdy.all_slice", "sdy.all_to_all", "sdy.collective_permute",
                  "sdy.manual_computation", "sdy.named_computation",
                  "sdy.reduce_scatter", "sdy.replicated_to_unreduced",
                  "sdy.reshard", "sdy.sharded_to_unreduced",
                  "sdy.sharding_group", "stablehlo.after_all", "stablehlo.case",
                  "stablehlo.collective_reduce", "stablehlo.composite",
                  "stablehlo.constant", "stablehlo.create_token",
                  "stablehlo.get_tuple_element", "stablehlo.if",
                  "stablehlo.iota", "stablehlo.map",
                  "stablehlo.optimization_barrier", "stablehlo.partition_id",
                  "stablehlo.recv", "stablehlo.replica_id", "stablehlo.send",
                  "stablehlo.tuple", "stablehlo.while"));
}

// Derivatives and batching are not built: a rule that nothing calls could not
// be tested.
TEST(OpSlotsTest, RulesForTransformationsAreToCome) {
  EXPECT_THAT(OpsFor([](const OpDef& def) {
                return def.jvp() || def.transpose() || def.batch();
              }),
              IsEmpty());
}

}  // namespace
}  // namespace lockstep::internal
