// Arrays with names in the global view: two clients share what the workers
// have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <optional>
#include <string>
#include <vector>

#include "client/lockstep.h"
#include "nlohmann/json.hpp"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ProcessCluster::Options TwoByTwo() {
  ProcessCluster::Options options;
  options.hosts = 2;
  options.devices_per_host = 2;
  return options;
}

std::string Text(const absl::StatusOr<Array>& array) {
  if (!array.ok()) return std::string(array.status().message());
  const auto text = array->ToString();
  return text.ok() ? *text : std::string(text.status().message());
}

class NamedArraysTest : public ::testing::Test {
 protected:
  NamedArraysTest() : cluster_(TwoByTwo()) {
    trainer_.emplace(Connect("trainer"));
    server_.emplace(Connect("server"));
  }

  Client Connect(const std::string& name) {
    auto client = Client::Connect(cluster_.address(), {.name = name});
    EXPECT_TRUE(client.ok()) << client.status();
    return *std::move(client);
  }
  // 0 .. 7 as (4, 2), rows over all devices.
  Array Rows(const Client& client) {
    const auto mesh = Mesh::Create({{4}, client.devices()}, {"x"});
    const auto sharding = NamedSharding::Create(*mesh, PartitionSpec("x"));
    const auto array = client.device_put(
        *Array::FromValues<float>({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}), *sharding);
    return array.ok() ? *array : Array::Failed(array.status());
  }
  // Rows, when the client has heard which hosts there are.
  Array AwaitUsable(const Client& client) {
    const absl::Time deadline = absl::Now() + absl::Seconds(30);
    Array rows = Rows(client);
    while (!rows.Fetch().ok() && absl::Now() < deadline) rows = Rows(client);
    return rows;
  }
  nlohmann::json Listed() {
    const CommandResult result =
        RunLockstep({"arrays", "--json", "--coordinator", cluster_.address()});
    EXPECT_EQ(result.exit, ExitStatus()) << result.err;
    return nlohmann::json::parse(result.out);
  }
  // Deletions go out a little later.
  nlohmann::json AwaitListed(size_t arrays) {
    const absl::Time deadline = absl::Now() + absl::Seconds(30);
    nlohmann::json json = Listed();
    while (json["arrays"].size() != arrays && absl::Now() < deadline) {
      json = Listed();
    }
    EXPECT_EQ(json["arrays"].size(), arrays) << json.dump(2);
    return json;
  }

  ProcessCluster cluster_;
  std::optional<Client> trainer_;
  std::optional<Client> server_;
};

TEST_F(NamedArraysTest, ASecondClientHasTheSameArray) {
  const Array made = Rows(*trainer_);
  ASSERT_TRUE(trainer_->NameArray("weights", made).ok());
  const auto found = server_->FindArray("weights");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->sharding(), made.sharding());
  EXPECT_EQ(Text(found), Text(made));
  EXPECT_EQ(found->addressable_shards().size(), 4u);
  // As an argument of what that client does, without a copy by it.
  const auto sum = *found + *found;
  EXPECT_EQ(Text(sum), "[[ 0.  2.]\n [ 4.  6.]\n [ 8. 10.]\n [12. 14.]]");
  EXPECT_EQ(*server_->ArrayNames(), (std::vector<std::string>{"weights"}));
}

TEST_F(NamedArraysTest, RowsOfMappedFunctionsKeepTheirPlacement) {
  auto doubled = trainer_->pmap([](Tensor x) { return x + x; }, {});
  const auto rows = doubled(std::vector<int32_t>{1, 2, 3, 4});
  ASSERT_TRUE(trainer_->NameArray("rows", *rows).ok());
  auto summed =
      server_->pmap([](Tensor x) { return psum(x, "i"); }, {.axis_name = "i"});
  const auto found = server_->FindArray("rows");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->sharding(), rows->sharding());
  EXPECT_EQ(Text(summed(*found)), "[20 20 20 20]");
}

TEST_F(NamedArraysTest, ItLivesUntilItsNameIsRemovedAndNobodyHasIt) {
  {
    const Array made = Rows(*trainer_);
    ASSERT_TRUE(trainer_->NameArray("weights", made).ok());
  }
  trainer_.reset();
  std::optional<Array> found = *server_->FindArray("weights");
  ASSERT_TRUE(server_->RemoveArray("weights").ok());
  EXPECT_EQ(server_->RemoveArray("weights").code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(Text(*found), "[[0. 1.]\n [2. 3.]\n [4. 5.]\n [6. 7.]]");
  EXPECT_EQ(AwaitListed(1)["arrays"][0]["bytes"], 32);
  found.reset();
  const nlohmann::json json = AwaitListed(0);
  EXPECT_EQ(json["hosts"][0]["array_bytes"], 0);
}

TEST_F(NamedArraysTest, DonatedToALaunchItStaysForTheOthers) {
  const std::string text = R"(module @step {
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.add %x, %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
  })";
  const auto program = trainer_->LoadProgram(text, {.donated_arguments = {0}});
  ASSERT_TRUE(program.ok()) << program.status();
  const auto first = trainer_->Run(*program, {Array(std::vector<float>{})});
  EXPECT_FALSE(first.ok());  // a row per device
  auto id = trainer_->pmap([](Tensor x) { return x + 0.0f; }, {});
  const auto x = id(*Array::FromValues<float>({1, 2}, {1, 2}));
  ASSERT_TRUE(trainer_->NameArray("x", *x).ok());
  const auto other = server_->FindArray("x");
  const auto doubled = trainer_->Run(*program, {*x});
  ASSERT_TRUE(doubled.ok()) << doubled.status();
  EXPECT_EQ(Text(doubled->at(0)), "[[2. 4.]]");
  EXPECT_FALSE(x->Fetch().ok());
  EXPECT_EQ(Text(other), "[[1. 2.]]");
  EXPECT_EQ(Text(trainer_->FindArray("x")), "[[1. 2.]]");
}

TEST_F(NamedArraysTest, ReplacedItIsAnotherForThoseWhoFindItLater) {
  auto id = trainer_->pmap([](Tensor x) { return x + 0.0f; }, {});
  const auto one = id(std::vector<float>(4, 1.0f));
  const auto two = id(std::vector<float>(4, 2.0f));
  ASSERT_TRUE(trainer_->NameArray("x", *one).ok());
  const absl::Status taken = server_->NameArray("x", *one);
  EXPECT_THAT(taken.message(), HasSubstr("of another"));
  EXPECT_EQ(trainer_->NameArray("x", *two).code(),
            absl::StatusCode::kAlreadyExists);
  const auto before = server_->FindArray("x");
  ASSERT_TRUE(trainer_->NameArray("x", *two, /*replaces=*/true).ok());
  EXPECT_EQ(Text(before), "[1. 1. 1. 1.]");
  EXPECT_EQ(Text(server_->FindArray("x")), "[2. 2. 2. 2.]");
}

TEST_F(NamedArraysTest, WhatHasNoNameToBeFoundByIsRefused) {
  EXPECT_THAT(trainer_->NameArray("x", Array({1.f})).message(),
              AllOf(HasSubstr("'x'"), HasSubstr("device_put")));
  EXPECT_EQ(trainer_->NameArray("", Rows(*trainer_)).code(),
            absl::StatusCode::kInvalidArgument);
  const auto found = server_->FindArray("x");
  EXPECT_EQ(found.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(found.status().message(), HasSubstr("'x'"));
}

TEST_F(NamedArraysTest, AHostThatIsLostIsNamedAndTheRestIsUsable) {
  const Array made = Rows(*trainer_);
  ASSERT_TRUE(trainer_->NameArray("weights", made).ok());
  auto on_first = trainer_->device_put(*Array::FromValues<float>({2}, {1, 2}),
                                       trainer_->devices()[0]);
  ASSERT_TRUE(on_first.ok()) << on_first.status();
  ASSERT_TRUE(trainer_->NameArray("bias", *on_first).ok());
  cluster_.worker(1).Signal(SIGKILL);
  cluster_.AwaitStatus("host 1 exited", [](const StatusReport& report) {
    return report.hosts.size() == 2 && report.hosts[1].state == "exited";
  });
  const auto lost = server_->FindArray("weights");
  EXPECT_EQ(lost.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(lost.status().message(),
              AllOf(HasSubstr("'weights'"), HasSubstr("host 1 (worker-1)")));
  EXPECT_EQ(Text(server_->FindArray("bias")), "[1. 2.]");
  const nlohmann::json json = Listed();
  EXPECT_EQ(json["hosts"].size(), 1u);
  EXPECT_EQ(json["arrays"][1]["name"], "weights");
  EXPECT_EQ(json["arrays"][1]["state"], "lost");
}

TEST_F(NamedArraysTest, AHostThatComesBackHasNothingOfIt) {
  const Array made = Rows(*trainer_);
  ASSERT_TRUE(trainer_->NameArray("weights", made).ok());
  const auto found = server_->FindArray("weights");
  ASSERT_TRUE(found.ok()) << found.status();
  cluster_.worker(1).Signal(SIGKILL);
  const auto is = [](const std::string& state) {
    return [state](const StatusReport& report) {
      return report.hosts.size() == 2 && report.hosts[1].state == state;
    };
  };
  cluster_.AwaitStatus("host 1 exited", is("exited"));
  cluster_.StartWorker(1);
  cluster_.AwaitJoined(1);
  cluster_.AwaitStatus("host 1 alive", is("alive"));
  const auto lost = server_->FindArray("weights");
  EXPECT_THAT(lost.status().message(),
              AllOf(HasSubstr("'weights'"), HasSubstr("host 1 (worker-1)")));
  // Who has it waits for nothing either, once the client has heard and before.
  EXPECT_THAT(Text(found), HasSubstr("host 1 (worker-1)"));
  EXPECT_THAT(Text(AwaitUsable(*trainer_)), HasSubstr("[6. 7.]"));
  EXPECT_THAT(Text(found), HasSubstr("host 1 (worker-1)"));
  EXPECT_THAT(trainer_->NameArray("old", made).message(),
              AllOf(HasSubstr("'old'"), HasSubstr("host 1 (worker-1)")));
  // Nobody can use what has the name: it is given anew.
  const Array again = AwaitUsable(*trainer_);
  const absl::Status named = trainer_->NameArray("weights", again);
  EXPECT_TRUE(named.ok()) << named;
  // Also for a client that may not have heard of the host yet.
  EXPECT_EQ(Text(server_->FindArray("weights")), Text(again));
}

TEST_F(NamedArraysTest, TheCommandShowsAndRemovesThem) {
  const Array made = Rows(*trainer_);
  ASSERT_TRUE(trainer_->NameArray("weights", made).ok());
  const nlohmann::json json = Listed();
  ASSERT_EQ(json["arrays"].size(), 2u);
  EXPECT_EQ(json["arrays"][0]["name"], "weights");
  EXPECT_EQ(json["arrays"][0]["shape"], "float32[4,2]");
  EXPECT_EQ(json["arrays"][0]["layout"], "PartitionSpec('x',) over ('x': 4)");
  EXPECT_EQ(json["arrays"][0]["devices"], (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(json["arrays"][0]["bytes"], 32);
  EXPECT_TRUE(json["arrays"][1]["name"].is_null());
  EXPECT_THAT(json["arrays"][1]["client"].get<std::string>(),
              HasSubstr("(trainer)"));
  // The two are one memory.
  EXPECT_EQ(json["hosts"][0]["array_bytes"], 16);
  EXPECT_EQ(json["hosts"][0]["arrays"], 2);

  const std::vector<std::string> where = {"--coordinator", cluster_.address()};
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), where.begin(), where.end());
    return RunLockstep(std::move(arguments));
  };
  const CommandResult picture = run({"arrays", "weights"});
  EXPECT_EQ(picture.exit, ExitStatus()) << picture.err;
  EXPECT_THAT(picture.out, AllOf(HasSubstr("weights: float32[4,2]"),
                                 HasSubstr("│ CPU 3  │")));
  EXPECT_THAT(run({"arrays", "weights", "--svg"}).out, HasSubstr("<svg"));
  EXPECT_THAT(run({"arrays", "weights", "--json"}).err, HasSubstr("--json"));
  EXPECT_THAT(run({"arrays", "weights", "--svg", "--remove"}).err,
              AllOf(HasSubstr("--svg"), HasSubstr("--remove")));
  EXPECT_THAT(run({"arrays", "wieghts"}).err,
              AllOf(HasSubstr("'wieghts'"), HasSubstr("'weights'")));
  EXPECT_EQ(run({"arrays", "weights", "--remove"}).exit, ExitStatus());
  EXPECT_THAT(run({"arrays"}).out, HasSubstr("(trainer)"));
  EXPECT_THAT(*trainer_->ArrayNames(), ElementsAre());
}

}  // namespace
}  // namespace lockstep::internal
