// M-13 and M-14 of docs/behaviour/multihost.md, on one host: what several do is
// in tests/multihost/global_arrays_test.cc.
#include "client/global_arrays/host_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "client/host/recording_view.h"
#include "client/trees/tree_structs_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

class HostExchangeTest : public ::testing::Test {
 protected:
  HostExchangeTest() : view_(RecordingView::Create(2)) {}

  ExchangeOptions Here() const { return {.view = view_}; }
  GatherHostsOptions Gather(bool tiled) const {
    return {.tiled = tiled, .exchange = Here()};
  }

  const std::shared_ptr<RecordingView> view_;
};

TEST_F(HostExchangeTest, ShapesAreThoseOfSeveralHosts_M13) {
  const Array values({0, 1, 2, 3});
  EXPECT_EQ(*process_allgather(values, Gather(false))->ToString(),
            "[[0 1 2 3]]");
  EXPECT_EQ(*process_allgather(values, Gather(true))->ToString(), "[0 1 2 3]");
  const Array scalar(Literal::Scalar(5));
  EXPECT_EQ(*process_allgather(scalar, Gather(false))->ToString(), "[5]");
  EXPECT_EQ(*process_allgather(scalar, Gather(true))->ToString(), "[5]");
}

TEST_F(HostExchangeTest, TheOneHostIsTheSource_M13) {
  const auto tree = Tree<Array>::Map({{"a", Array({1.5f})}, {"b", Array({2})}});
  const auto received = broadcast_one_to_all(tree, {}, Here());
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(*(*received)["a"].leaf().ToString(), "[1.5]");
  const absl::Status nobody =
      broadcast_one_to_all(Array({1}), false, Here()).status();
  EXPECT_EQ(nobody.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(nobody.message()), HasSubstr("no host"));
}

TEST_F(HostExchangeTest, HostsThatAreNamedMustBeThere_M13) {
  ExchangeOptions exchange = Here();
  exchange.hosts = {0};
  EXPECT_TRUE(assert_equal(Array({1, 2}), exchange).ok());
  exchange.hosts = {0, 3};
  EXPECT_EQ(assert_equal(Array({1, 2}), exchange),
            absl::InvalidArgumentError(
                "assert_equal: the cluster has no device of a host 3"));
}

TEST_F(HostExchangeTest, OneHostEqualsItself_M14) {
  EXPECT_TRUE(assert_equal(Array({1, 2}), Here()).ok());
  EXPECT_TRUE(assert_equal(Tree<Array>(), Here()).ok());
}

TEST_F(HostExchangeTest, StructsKeepTheirType_M13) {
  const Layer<Array> layer{Array({1.5f}), {}};
  const auto received = broadcast_one_to_all(layer, {}, Here());
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(*received->weight.ToString(), "[1.5]");
  EXPECT_FALSE(received->bias.has_value());
  const auto gathered = process_allgather(layer, Gather(false));
  ASSERT_TRUE(gathered.ok()) << gathered.status();
  EXPECT_EQ(*gathered->weight.ToString(), "[[1.5]]");
  EXPECT_TRUE(assert_equal(layer, Here()).ok());
}

TEST_F(HostExchangeTest, ValuesThatCannotBeReadAreNamed) {
  Array moved({1});
  const Array taken = std::move(moved);
  const auto tree = Tree<Array>::Map({{"a", taken}, {"b", moved}});  // NOLINT
  const absl::Status status = assert_equal(tree, Here());
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(), "b: the array was moved from");
}

}  // namespace
}  // namespace lockstep::internal
