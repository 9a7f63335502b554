// M-13 of docs/behaviour/multihost.md, on one host: what several do is in
// tests/multihost/global_arrays_test.cc.
#include "client/global_arrays/one_host_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "client/host/recording_view.h"
#include "client/trees/tree_structs_testing.h"

namespace lockstep::internal {
namespace {

class OneHostExchangeTest : public ::testing::Test {
 protected:
  OneHostExchangeTest() : view_(RecordingView::Create(2)) {}

  ExchangeOptions Here() const { return {.view = view_}; }

  const std::shared_ptr<RecordingView> view_;
};

TEST_F(OneHostExchangeTest, TheOneHostGetsWhatItHas_M13) {
  const auto row = gather_to_host(Array({0, 1, 2, 3}), 0, Here());
  ASSERT_TRUE(row.ok()) << row.status();
  ASSERT_TRUE(row->has_value());
  EXPECT_EQ(*(*row)->ToString(), "[[0 1 2 3]]");
  const auto scalar = gather_to_host(Array(Literal::Scalar(5)), 0, Here());
  EXPECT_EQ(*scalar.value()->ToString(), "[5]");
  const Layer<Array> layer{Array({1.5f}), {}};
  const auto layers = gather_to_host(layer, 0, Here());
  ASSERT_TRUE(layers.ok()) << layers.status();
  ASSERT_TRUE(layers->has_value());
  EXPECT_EQ(*(*layers)->weight.ToString(), "[[1.5]]");
}

TEST_F(OneHostExchangeTest, TheOneHostGetsItsEntry_M13) {
  const auto value = scatter_from_host({Array({1, 2})}, 0, Here());
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(*value->ToString(), "[1 2]");
  const auto tree = Tree<Array>::Map(
      {{"a", Array({1.5f})},
       {"b",
        Tree<Array>::List({Array(Literal::Scalar(true)), Tree<Array>(),
                           Array(Literal(Shape(ElementType::kS8, {0, 2})))})}});
  const auto entry =
      scatter_from_host(std::vector<Tree<Array>>{tree}, 0, Here());
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_EQ(*(*entry)["a"].leaf().ToString(), "[1.5]");
  EXPECT_EQ(*(*entry)["b"][0].leaf().ToString(), "True");
  EXPECT_EQ((*entry)["b"][2].leaf().shape(), Shape(ElementType::kS8, {0, 2}));
  const auto nothing =
      scatter_from_host(std::vector<Tree<Array>>{{}}, 0, Here());
  EXPECT_TRUE(nothing.ok()) << nothing.status();
}

TEST_F(OneHostExchangeTest, WhatDoesNotFitIsNamed_M13) {
  EXPECT_EQ(scatter_from_host({Array({1}), Array({2})}, 0, Here()).status(),
            absl::InvalidArgumentError(
                "scatter_from_host: expected is an entry for each of the 1 "
                "hosts, found are 2"));
  EXPECT_EQ(gather_to_host(Array({1}), 3, Here()).status(),
            absl::InvalidArgumentError(
                "gather_to_host: host 3 is not among the hosts of the call, "
                "which are host 0 (host0)"));
  EXPECT_EQ(scatter_from_host({Array({1})}, -1, Here()).status().code(),
            absl::StatusCode::kInvalidArgument);
  Array moved({1});
  const Array taken = std::move(moved);
  EXPECT_EQ(scatter_from_host({moved}, 0, Here()).status(),  // NOLINT
            absl::FailedPreconditionError(
                "scatter_from_host: entry 0: the array was moved from"));
}

}  // namespace
}  // namespace lockstep::internal
