// T-3, T-18, T-19 and T-22 of docs/behaviour/partitioning.md.
#include "runtime/mesh/partitioning/logical_axes.h"

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/builders/builders_testing.h"
#include "runtime/mesh/partitioning/logical_axis_rules_context.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

// "batch 'data', kv None".
std::string RulesText(const LogicalAxisRules& rules) {
  return absl::StrJoin(
      rules, ", ", [](std::string* out, const LogicalAxisRule& rule) {
        absl::StrAppend(out, rule.name, " ", rule.mesh_axes.ToString());
      });
}

LogicalAxisRules Standard(int64_t act, int64_t par) {
  return *StandardLogicalAxisRules(act, par);
}

PartitionSpec MeshAxesOf(const LogicalAxisNames& names,
                         const LogicalAxisRules& rules) {
  const auto spec = LogicalToMeshAxes(names, rules);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return spec.value_or(PartitionSpec());
}

TEST(LogicalAxisNames, ArePrintedAsATuple_T3) {
  EXPECT_EQ(LogicalAxisNames("embed", "mlp").ToString(),
            "AxisNames('embed', 'mlp')");
  EXPECT_EQ(LogicalAxisNames("embed").ToString(), "AxisNames('embed',)");
  EXPECT_EQ(LogicalAxisNames().ToString(), "AxisNames()");
  EXPECT_EQ(LogicalAxisNames("embed", nullptr, kUnconstrained).ToString(),
            "AxisNames('embed', None, UNCONSTRAINED)");
  EXPECT_EQ(LogicalAxisNames::FromEntries({"a", "b"}),
            LogicalAxisNames("a", "b"));
}

TEST(StandardLogicalAxisRules, DependOnTheDimensionsThatAreSharded_T18) {
  const std::string common =
      ", relpos_buckets None, abspos_buckets None, length None, layers None, "
      "stack None, mlp_activations None";
  EXPECT_EQ(RulesText(*StandardLogicalAxisRules()),
            "batch 'data', vocab 'model', embed None, mlp 'model', heads "
            "'model', kv None, joined_kv 'model'" +
                common);
  const std::string more =
      "batch 'data', vocab 'model', mlp 'model', heads 'model', kv None, "
      "joined_kv 'model'";
  EXPECT_EQ(RulesText(Standard(2, 1)), more + ", embed 'model'" + common);
  EXPECT_EQ(RulesText(Standard(1, 2)), more + ", embed 'data'" + common);
  EXPECT_EQ(RulesText(Standard(2, 2)),
            more + ", embed 'model', embed 'data'" + common);
}

TEST(StandardLogicalAxisRules, AdditionalOnesFollow_T18) {
  const LogicalAxisRules additional = {{"replica", "data"},
                                       {"mlp", AxisTuple{"data", "model"}}};
  const LogicalAxisRules standard = Standard(1, 2);
  const LogicalAxisRules rules = *StandardLogicalAxisRules(1, 2, additional);
  ASSERT_EQ(rules.size(), standard.size() + 2);
  EXPECT_EQ(LogicalAxisRules(rules.begin(), rules.end() - 2), standard);
  EXPECT_EQ(LogicalAxisRules(rules.end() - 2, rules.end()), additional);
}

TEST(StandardLogicalAxisRules, RefuseOtherDimensions_T18) {
  for (int64_t wrong : {0, 3}) {
    EXPECT_THAT(
        MessageOf(StandardLogicalAxisRules(2, wrong).status(), kInvalid),
        AllOf(HasSubstr("2 for activations"),
              HasSubstr(absl::StrCat(wrong, " for parameters"))));
    EXPECT_THAT(
        MessageOf(StandardLogicalAxisRules(wrong, 1).status(), kInvalid),
        AllOf(HasSubstr(absl::StrCat(wrong, " for activations")),
              HasSubstr("1 for parameters")));
  }
}

TEST(LogicalToMeshAxes, OfTheStandardRules_T19) {
  const SpecEntry no = nullptr;
  const SpecEntry data = "data";
  const SpecEntry model = "model";
  const struct {
    LogicalAxisNames names;
    PartitionSpec rules11, rules21, rules12, rules22;
  } cases[] = {
      {LogicalAxisNames("batch", "length", "embed"),
       PartitionSpec(data, no, no), PartitionSpec(data, no, model),
       PartitionSpec(data, no, no), PartitionSpec(data, no, model)},
      {LogicalAxisNames("embed", "mlp"), PartitionSpec(no, model),
       PartitionSpec(no, model), PartitionSpec(data, model),
       PartitionSpec(data, model)},
      {LogicalAxisNames("vocab", "embed"), PartitionSpec(model, no),
       PartitionSpec(model, no), PartitionSpec(model, data),
       PartitionSpec(model, data)},
      {LogicalAxisNames("embed", "heads", "kv"), PartitionSpec(no, model, no),
       PartitionSpec(no, model, no), PartitionSpec(data, model, no),
       PartitionSpec(data, model, no)},
      {LogicalAxisNames("embed"), PartitionSpec(no), PartitionSpec(model),
       PartitionSpec(data), PartitionSpec(model)},
      {LogicalAxisNames("layers", "embed", "mlp"), PartitionSpec(no, no, model),
       PartitionSpec(no, no, model), PartitionSpec(no, data, model),
       PartitionSpec(no, data, model)},
      {LogicalAxisNames("batch", "heads", "length", "kv"),
       PartitionSpec(data, model, no, no), PartitionSpec(data, model, no, no),
       PartitionSpec(data, model, no, no), PartitionSpec(data, model, no, no)},
      {LogicalAxisNames("unknown", "mlp"), PartitionSpec(no, model),
       PartitionSpec(no, model), PartitionSpec(no, model),
       PartitionSpec(no, model)},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.names.ToString());
    EXPECT_EQ(MeshAxesOf(c.names, Standard(1, 1)), c.rules11);
    EXPECT_EQ(MeshAxesOf(c.names, Standard(2, 1)), c.rules21);
    EXPECT_EQ(MeshAxesOf(c.names, Standard(1, 2)), c.rules12);
    EXPECT_EQ(MeshAxesOf(c.names, Standard(2, 2)), c.rules22);
  }
}

TEST(LogicalToMeshAxes, RulesAreTriedInOrder_T19) {
  const LogicalAxisRules foo = {
      {"foo", "model"}, {"bar", "model"}, {"baz", "data"}};
  const struct {
    LogicalAxisRules rules;
    LogicalAxisNames names;
    PartitionSpec spec;
  } cases[] = {
      {{{"batch", "X"}, {"features", "X"}, {"heads", "Y"}, {"batch", "Z"}},
       LogicalAxisNames("batch", "length", "heads", "features"),
       PartitionSpec("X", nullptr, "Y", nullptr)},
      {foo, LogicalAxisNames("bar", "foo", "baz"),
       PartitionSpec(nullptr, "model", "data")},
      {foo, LogicalAxisNames("baz", "bar", "foo", "unassigned"),
       PartitionSpec("data", nullptr, "model", nullptr)},
      {{{"a", AxisTuple{"model", "data"}}, {"b", "data"}},
       LogicalAxisNames("a", "b"),
       PartitionSpec(AxisTuple{"model", "data"}, nullptr)},
      {{{"a", AxisTuple{"model", "replica"}},
        {"b", AxisTuple{"data", "model"}}},
       LogicalAxisNames("a", "b"),
       PartitionSpec(AxisTuple{"model", "replica"}, nullptr)},
      {{{"a", nullptr}, {"a", "model"}},
       LogicalAxisNames("a", "b"),
       PartitionSpec(nullptr, nullptr)},
      {{{"baz", "data"}, {"bar", nullptr}, {"foo", "model"}, {"foo", "data"}},
       LogicalAxisNames("baz", "bar", "foo"),
       PartitionSpec("data", nullptr, "model")},
      {foo, LogicalAxisNames(), PartitionSpec()},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(MeshAxesOf(c.names, c.rules), c.spec) << RulesText(c.rules);
  }
}

TEST(LogicalToMeshAxes, WhatIsNoNameStays_T19) {
  EXPECT_EQ(
      MeshAxesOf(LogicalAxisNames(kUnconstrained, nullptr, "mlp", nullptr,
                                  kUnconstrained),
                 Standard(1, 1)),
      PartitionSpec(kUnconstrained, nullptr, "model", nullptr, kUnconstrained));
  EXPECT_EQ(LogicalToMeshAxes(std::nullopt, Standard(1, 1)).value(),
            std::nullopt);
  EXPECT_EQ(
      LogicalToMeshAxes(std::optional(LogicalAxisNames("mlp")), Standard(1, 1))
          .value(),
      PartitionSpec("model"));
}

TEST(LogicalToMeshAxes, RefusesANameTwice_T19) {
  EXPECT_THAT(
      MessageOf(LogicalToMeshAxes(
                    LogicalAxisNames("foo", "bar", "foo", "baz", "foo", "baz"),
                    Standard(1, 1))
                    .status(),
                kInvalid),
      AllOf(HasSubstr("twice: ('foo', 'baz')"), HasSubstr("AxisNames('foo'")));
}

TEST(LogicalConstraint, NamesWithoutARuleFallBack_T22) {
  const LogicalAxisRules rules = {{"a", "x"}, {"b", nullptr}};
  const LogicalAxisNames known("a", "b");
  const LogicalAxisNames unknown("a", "c");
  using enum LogicalConstraintFallback;
  for (auto fallback : {kAxisIsUnsharded, kRaiseError, kNoConstraint}) {
    EXPECT_EQ(LogicalConstraintSpec(known, rules, fallback).value(),
              PartitionSpec("x", nullptr));
    EXPECT_EQ(LogicalConstraintSpec(std::nullopt, rules, fallback).value(),
              std::nullopt);
    EXPECT_EQ(LogicalConstraintSpec(unknown, {}, fallback).value(),
              std::nullopt);
  }
  EXPECT_EQ(LogicalConstraintSpec(unknown, rules).value(),
            PartitionSpec("x", nullptr));
  EXPECT_EQ(LogicalConstraintSpec(unknown, rules, kNoConstraint).value(),
            std::nullopt);
  EXPECT_THAT(
      MessageOf(LogicalConstraintSpec(unknown, rules, kRaiseError).status(),
                kInvalid),
      HasSubstr("AxisNames('a', 'c')"));
}

TEST(LogicalConstraint, TakesTheRulesInScope_T22) {
  const LogicalAxisNames names("a", "c");
  EXPECT_EQ(LogicalConstraintSpec(names).value(), std::nullopt);
  const LogicalAxisRulesContext context(LogicalAxisRules{{"a", "x"}});
  EXPECT_EQ(LogicalConstraintSpec(names).value(), PartitionSpec("x", nullptr));
  EXPECT_THAT(MessageOf(LogicalConstraintSpec(
                            names, LogicalConstraintFallback::kRaiseError)
                            .status(),
                        kInvalid),
              HasSubstr("AxisNames('a', 'c')"));
  // Given ones win.
  EXPECT_EQ(LogicalConstraintSpec(names, LogicalAxisRules{{"c", "y"}}).value(),
            PartitionSpec(nullptr, "y"));
}

TEST(LogicalAxisRulesContext, TheInnermostOfTheThreadCounts_T22) {
  EXPECT_THAT(CurrentLogicalAxisRules(), IsEmpty());
  {
    const LogicalAxisRulesContext outer(LogicalAxisRules{{"a", "x"}});
    EXPECT_EQ(RulesText(CurrentLogicalAxisRules()), "a 'x'");
    {
      const LogicalAxisRulesContext inner(LogicalAxisRules{});
      EXPECT_THAT(CurrentLogicalAxisRules(), IsEmpty());
    }
    EXPECT_THAT(CurrentLogicalAxisRules(), Not(IsEmpty()));
    std::thread([] {
      EXPECT_THAT(CurrentLogicalAxisRules(), IsEmpty());
    }).join();
  }
  EXPECT_THAT(CurrentLogicalAxisRules(), IsEmpty());
}

}  // namespace
}  // namespace lockstep::internal
