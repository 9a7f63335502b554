// M-13 of docs/behaviour/multihost.md, on one host: what several do is in
// tests/multihost/global_arrays_test.cc.
#include "client/global_arrays/ragged_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "client/host/recording_view.h"
#include "client/trees/tree_structs_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RaggedExchangeTest : public ::testing::Test {
 protected:
  RaggedExchangeTest() : view_(RecordingView::Create(2)) {}

  ExchangeOptions Here() const { return {.view = view_}; }
  // What the one host has after the exchange.
  Literal Gathered(const Array& value) const {
    const auto gathered = process_allgather_ragged(value, Here());
    EXPECT_TRUE(gathered.ok()) << gathered.status();
    if (!gathered.ok() || gathered->size() != 1) return Literal();
    return *(*gathered)[0].Fetch();
  }

  const std::shared_ptr<RecordingView> view_;
};

TEST_F(RaggedExchangeTest, TheOneHostHasItsValue_M13) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Literal& value :
       {Literal::FromValues<int32_t>({2, 2}, {1, 2, 3, 4}),
        Literal::FromValues<float>({3}, {nan, -0.0f, 1}),
        Literal::FromValues<bool>({2}, {true, false}), Literal::Scalar(7),
        Literal(Shape(ElementType::kF64, {0, 3})),
        Literal(Shape(ElementType::kBF16, {5000}))}) {
    EXPECT_EQ(Gathered(Array(value)), value);
  }
}

TEST_F(RaggedExchangeTest, LeavesOfATreeKeepTheirTypes_M13) {
  const auto tree = Tree<Array>::Map({{"a", Array({1.5f})},
                                      {"b", Array(Literal::Scalar<int64_t>(2))},
                                      {"text", bytes_to_array("h\xc3\xa9")}});
  const auto gathered = process_allgather_ragged(tree, Here());
  ASSERT_TRUE(gathered.ok()) << gathered.status();
  ASSERT_EQ(gathered->size(), 1);
  EXPECT_EQ(*(*gathered)[0]["a"].leaf().ToString(), "[1.5]");
  EXPECT_EQ((*gathered)[0]["b"].leaf().dtype(), ElementType::kS64);
  EXPECT_EQ(*array_to_bytes((*gathered)[0]["text"].leaf()), "h\xc3\xa9");
  const Layer<Array> layer{Array({1.5f}), {}};
  const auto layers = process_allgather_ragged(layer, Here());
  ASSERT_TRUE(layers.ok()) << layers.status();
  ASSERT_EQ(layers->size(), 1);
  EXPECT_EQ(*(*layers)[0].weight.ToString(), "[1.5]");
  EXPECT_FALSE((*layers)[0].bias.has_value());
  const auto nothing = process_allgather_ragged(Tree<Array>(), Here());
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_EQ(nothing->size(), 1);
}

TEST_F(RaggedExchangeTest, StringsAreValues_M13) {
  const std::string text("a\0b", 3);
  for (const std::string& each : {text, std::string()}) {
    const auto texts = process_allgather_ragged(each, Here());
    ASSERT_TRUE(texts.ok()) << texts.status();
    EXPECT_THAT(*texts, ElementsAre(each));
    const auto told = broadcast_one_to_all(each, {}, Here());
    ASSERT_TRUE(told.ok()) << told.status();
    EXPECT_EQ(*told, each);
  }
  EXPECT_EQ(broadcast_one_to_all(text, false, Here()).status(),
            absl::InvalidArgumentError(
                "broadcast_one_to_all: no host is the source"));
  EXPECT_EQ(array_to_bytes(Array({1})).status(),
            absl::InvalidArgumentError(
                "array_to_bytes: the array is int32, expected is uint8"));
}

TEST_F(RaggedExchangeTest, ValuesThatCannotBeReadAreNamed) {
  Array moved({1});
  const Array taken = std::move(moved);
  const auto tree = Tree<Array>::Map({{"a", taken}, {"b", moved}});  // NOLINT
  EXPECT_EQ(process_allgather_ragged(tree, Here()).status(),
            absl::FailedPreconditionError("b: the array was moved from"));
}

}  // namespace
}  // namespace lockstep::internal
