#include "coordinator/launches/named_arrays.h"

#include <string>

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ArrayDescription Rows(std::vector<int> devices) {
  ArrayDescription array;
  array.shard_shape = Shape(ElementType::kF32, {3});
  array.shape =
      Shape(ElementType::kF32, {static_cast<int64_t>(devices.size()), 3});
  for (int id : devices) array.devices.push_back(GlobalDeviceId(id));
  array.layout = RowsDescription{.dim = 0, .copies = 1};
  return array;
}

TEST(NamedArrays, ANameIsGivenOnceUnlessItIsReplaced) {
  NamedArrays arrays;
  NamedArrays::Entry entry{.array = Rows({0, 1}), .client = "trainer"};
  const auto first = arrays.Add("w", entry, false);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->handle.client, kNoClient);
  const auto again = arrays.Add("w", entry, false);
  EXPECT_EQ(again.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(again.status().message(),
              AllOf(HasSubstr("'w'"), HasSubstr(entry.array.shape.ToString()),
                    HasSubstr("client 'trainer'")));
  const auto replacing = arrays.Add("w", entry, true);
  ASSERT_TRUE(replacing.ok()) << replacing.status();
  EXPECT_EQ(replacing->replaced, first->handle);
  EXPECT_NE(replacing->handle, first->handle);
  EXPECT_EQ((*arrays.Find("w"))->handle, replacing->handle);
}

TEST(NamedArrays, UnknownNamesAreToldTheKnownOnes) {
  NamedArrays arrays;
  EXPECT_THAT(arrays.Find("w").status().message(),
              HasSubstr("no array of the cluster has the name 'w'"));
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(arrays.Add("w" + std::to_string(i), {}, false).ok());
  }
  const auto found = arrays.Find("x");
  EXPECT_EQ(found.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(found.status().message(),
              AllOf(HasSubstr("'x'"), HasSubstr("'w0', 'w1'"),
                    HasSubstr("and 2 more")));
  EXPECT_EQ(arrays.Remove("x").status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(arrays.Remove("w3").ok());
  EXPECT_FALSE(arrays.Find("w3").ok());
}

TEST(NamedArrays, NamesAreText) {
  EXPECT_TRUE(NamedArrays::CheckName("params/layer 0/größe").ok());
  EXPECT_FALSE(NamedArrays::CheckName("").ok());
  EXPECT_FALSE(NamedArrays::CheckName(std::string(1025, 'x')).ok());
  EXPECT_THAT(NamedArrays::CheckName("a\nb").message(), HasSubstr("a\\nb"));
}

class NamedArraysOfClusterTest : public ::testing::Test {
 protected:
  absl::Status Name(const std::string& name, ArrayHandle handle,
                    bool replaces = false) {
    Answer<Nothing> answer;
    cluster_->coordinator.NameArray(name, handle, Rows({0, 3}), replaces,
                                    answer.done());
    return answer.status();
  }
  absl::StatusOr<NamedArray> Find(const std::string& name, ArrayHandle result) {
    Answer<NamedArray> answer;
    cluster_->coordinator.FindArray(name, result, answer.done());
    return answer.has_come() ? answer.get() : answer.status();
  }
  absl::Status Remove(const std::string& name) {
    Answer<Nothing> answer;
    cluster_->coordinator.RemoveArray(name, answer.done());
    return answer.status();
  }
  // "share 1.7 > 0.1", "delete 0.1", "close 1", of what host `i` was told.
  std::vector<std::string> Commands(int i) {
    const auto text = [](ArrayHandle handle) {
      return std::to_string(handle.client.value()) + "." +
             std::to_string(handle.number);
    };
    std::vector<std::string> texts;
    for (const Command& command : (*cluster_)[i].link->commands) {
      if (const auto* join = std::get_if<JoinArrays>(&command.action)) {
        texts.push_back("share " + text(join->parts[0].array) + " > " +
                        text(join->result));
      } else if (const auto* deleted =
                     std::get_if<DeleteArrays>(&command.action)) {
        texts.push_back("delete " + text(deleted->arrays[0]));
      } else {
        texts.push_back("other");
      }
    }
    return texts;
  }

  std::unique_ptr<SimulatedCluster> cluster_ = SimulatedCluster::Joined(2);
  std::shared_ptr<TestClientLink> link_ = std::make_shared<TestClientLink>();
  const ClientId a_ = cluster_->coordinator.OpenClient("a", link_);
  const ClientId b_ = cluster_->coordinator.OpenClient("b", link_);
};

TEST_F(NamedArraysOfClusterTest, HostsShareWhatIsNamedAndFound) {
  ASSERT_TRUE(Name("w", {a_, 7}).ok());
  const auto found = Find("w", {b_, 1});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->array, Rows({0, 3}));
  EXPECT_EQ(found->client, "a");
  ASSERT_TRUE(Name("w", {a_, 8}, /*replaces=*/true).ok());
  ASSERT_TRUE(Remove("w").ok());
  EXPECT_THAT(Commands(1),
              ElementsAre("share 1.7 > 0.1", "share 0.1 > 2.1",
                          "share 1.8 > 0.2", "delete 0.1", "delete 0.2"));
  EXPECT_EQ(Commands(0), Commands(1));
  EXPECT_EQ(Find("w", {b_, 2}).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(NamedArraysOfClusterTest, WhatCannotBeIsRefusedAndNoHostHears) {
  EXPECT_EQ(Name("w", {ClientId(9), 1}).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(Name("", {a_, 1}).code(), absl::StatusCode::kInvalidArgument);
  Answer<Nothing> answer;
  cluster_->coordinator.NameArray("w", {a_, 1}, Rows({0, 4}), false,
                                  answer.done());
  EXPECT_THAT(answer.message(), HasSubstr("no device 4"));
  // Clients share and end what is their own.
  EXPECT_EQ(
      cluster_->coordinator.Submit(b_, JoinArrays{{{{a_, 1}, {}}}, {b_, 1}})
          .code(),
      absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(cluster_->coordinator.Submit(b_, CloseClient{a_}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Commands(0), ElementsAre());
}

TEST_F(NamedArraysOfClusterTest, NamesOutliveTheirClients) {
  ASSERT_TRUE(Name("w", {a_, 7}).ok());
  cluster_->coordinator.CloseClient(a_);
  EXPECT_TRUE(Find("w", {b_, 1}).ok());
  const ArrayList list = cluster_->coordinator.ListArrays();
  ASSERT_EQ(list.names.size(), 1u);
  EXPECT_EQ(list.names[0].first, 1);
  EXPECT_EQ(list.names[0].second.name, "w");
  EXPECT_EQ(list.names[0].second.client, "a");
  ASSERT_EQ(list.clients.size(), 1u);
  EXPECT_EQ(list.clients[0].second, "b");
  ASSERT_EQ(list.hosts.size(), 2u);
  EXPECT_EQ(list.hosts[1].service_address, "b:1");
}

TEST_F(NamedArraysOfClusterTest, AClientThatEndsMeanwhileLeavesNothing) {
  CoordinatorOptions options;
  options.max_commands_in_flight = 1;
  cluster_ = SimulatedCluster::Joined(2, 2, options);
  const ClientId a = cluster_->coordinator.OpenClient("a", link_);
  const ClientId b = cluster_->coordinator.OpenClient("b", link_);
  const auto confirm = [&] {
    for (int i = 0; i < 2; ++i) {
      cluster_->coordinator.ReceivedCommands(
          (*cluster_)[i].incarnation(),
          (*cluster_)[i].link->commands.back().sequence);
    }
  };
  Answer<Nothing> named;
  cluster_->coordinator.NameArray("w", {a, 1}, Rows({0}), false, named.done());
  EXPECT_TRUE(named.status().ok());
  Answer<NamedArray> found;
  cluster_->coordinator.FindArray("w", {b, 1}, found.done());
  Answer<Nothing> other;
  cluster_->coordinator.NameArray("v", {b, 2}, Rows({0}), false, other.done());
  EXPECT_FALSE(found.has_come());
  cluster_->coordinator.CloseClient(b);
  for (int i = 0; i < 10; ++i) confirm();
  EXPECT_TRUE(found.status().ok());
  EXPECT_EQ(other.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(Find("v", {a, 9}).status().code(), absl::StatusCode::kNotFound);
  const std::vector<std::string> commands = Commands(0);
  EXPECT_THAT(commands, ::testing::IsSupersetOf(
                            {"share 0.1 > 2.1", "delete 2.1", "delete 0.2"}));
  // In an order in which nothing is left.
  const auto at = [&](const std::string& text) {
    return std::find(commands.begin(), commands.end(), text);
  };
  EXPECT_LT(at("share 0.1 > 2.1"), at("delete 2.1"));
  EXPECT_LT(at("share 2.2 > 0.2"), at("delete 0.2"));
}

TEST_F(NamedArraysOfClusterTest, AHostThatDiesTakesItsPartAlong) {
  ASSERT_TRUE(Name("w", {a_, 7}).ok());
  (*cluster_)[1].is_reporting = false;
  cluster_->Pass(absl::Seconds(10));
  const auto found = Find("w", {b_, 1});
  EXPECT_EQ(found.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(found.status().message(),
              AllOf(HasSubstr("'w'"), HasSubstr("host 1 (b)")));
  EXPECT_FALSE(cluster_->coordinator.ListArrays().names[0].second.status.ok());
  // Its name can be given again, without a word about the one that is lost.
  Answer<Nothing> answer;
  cluster_->coordinator.NameArray("w", {a_, 8}, Rows({0}), false,
                                  answer.done());
  EXPECT_TRUE(answer.status().ok()) << answer.status();
  EXPECT_TRUE(Find("w", {b_, 2}).ok());
}

}  // namespace
}  // namespace lockstep::internal
