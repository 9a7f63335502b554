// pmap and StableHLO text in the global view: one client, all rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <csignal>
#include <string>
#include <vector>

#include "client/lockstep.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr auto kAddSum = [](Tensor x) { return x + psum(x, "i"); };

std::vector<int32_t> Ids(int count) {
  std::vector<int32_t> ids;
  for (int i = 0; i < count; ++i) ids.push_back(i);
  return ids;
}

std::string Text(const absl::StatusOr<Array>& array) {
  if (!array.ok()) return std::string(array.status().message());
  const auto text = array->ToString();
  return text.ok() ? *text : std::string(text.status().message());
}

ProcessCluster::Options TwoByFour() {
  ProcessCluster::Options options;
  options.hosts = 2;
  options.devices_per_host = 4;
  return options;
}

class GlobalViewTest : public ::testing::Test {
 protected:
  GlobalViewTest() : cluster_(TwoByFour()) {
    auto client = Client::Connect(cluster_.address());
    EXPECT_TRUE(client.ok()) << client.status();
    client_.emplace(*std::move(client));
  }

  ProcessCluster cluster_;
  std::optional<Client> client_;
};

// M-1, M-3.
TEST_F(GlobalViewTest, WholeArrayGoesInAndComesBack) {
  EXPECT_EQ(client_->host_count(), 2);
  EXPECT_EQ(client_->device_count(), 8);
  EXPECT_EQ(client_->local_devices(1).size(), 4u);
  auto add = client_->pmap(kAddSum, {.axis_name = "i"});
  const auto y = add(Ids(8));
  EXPECT_EQ(Text(y), "[28 29 30 31 32 33 34 35]");
  // Results stay on the devices: 28 .. 35 add up to 252.
  EXPECT_EQ(Text(add(*y)), "[280 281 282 283 284 285 286 287]");
}

TEST_F(GlobalViewTest, LaunchesDoNotWaitForEachOther) {
  auto add = client_->pmap([](Tensor x) { return x + pmax(x, "i"); },
                           {.axis_name = "i"});
  absl::StatusOr<Array> x = Array(std::vector<float>(8, 1.0f));
  for (int i = 0; i < 20 && x.ok(); ++i) x = add(*x);
  EXPECT_EQ((*x->ToVector<float>())[7], 1048576.0f);
}

// J-9.
TEST_F(GlobalViewTest, ListOfDevicesOrdersTheRows) {
  const std::vector<Device> all = client_->devices();
  PmapOptions options{.axis_name = "i"};
  options.devices = {all[7], all[0], all[5], all[2]};
  auto index = client_->pmap([](Tensor x) { return x + 100 * axis_index("i"); },
                             options);
  EXPECT_EQ(Text(index(Ids(4))), "[  0 101 202 303]");
  EXPECT_THAT(Text(index(Ids(3))), AllOf(HasSubstr("3"), HasSubstr("4")));
}

// J-8.
TEST_F(GlobalViewTest, MoreRowsThanDevicesAreRefused) {
  auto add = client_->pmap(kAddSum, {.axis_name = "i"});
  const auto y = add(Ids(9));
  EXPECT_EQ(y.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Text(y), AllOf(HasSubstr("9"), HasSubstr("8")));
}

TEST_F(GlobalViewTest, DonatedArrayCannotBeRead) {
  PmapOptions options{.axis_name = "i"};
  options.donate_argnums = {0};
  auto add = client_->pmap(kAddSum, options);
  const auto x = add(Ids(8));
  const auto y = add(*x);
  EXPECT_EQ(Text(y), "[280 281 282 283 284 285 286 287]");
  EXPECT_EQ(x->Fetch().status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(GlobalViewTest, RunsStablehloText) {
  const auto program = client_->LoadProgram(SumProgram(8));
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->device_count, 8);
  const auto results = client_->Run(*program, {Ramp(8)});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(Text(results->at(0)), "[28. 28. 28. 28. 28. 28. 28. 28.]");
}

TEST_F(GlobalViewTest, TextIsCheckedBeforeItIsSent) {
  const auto bad = client_->LoadProgram(
      "func.func @main() -> tensor<f32> {\n  return %x : tensor<f32>\n}\n",
      {.file_name = "m.mlir"});
  EXPECT_EQ(bad.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(bad.status().message()), HasSubstr("m.mlir:2:"));
  const auto large = client_->LoadProgram(SumProgram(9));
  EXPECT_THAT(std::string(large.status().message()),
              AllOf(HasSubstr("9"), HasSubstr("8")));
  const auto program = client_->LoadProgram(SumProgram(8));
  ASSERT_TRUE(program.ok());
  EXPECT_THAT(std::string(client_->Run(*program, {}).status().message()),
              HasSubstr("expected 1 arguments, found 0"));
  EXPECT_THAT(std::string(client_->Run(*program, {Ramp(4)}).status().message()),
              AllOf(HasSubstr("argument 0"), HasSubstr("tensor<8xf32>"),
                    HasSubstr("tensor<4xf32>")));
}

TEST_F(GlobalViewTest, SeveralClientsShareTheCluster) {
  const auto other = Client::Connect(cluster_.address());
  ASSERT_TRUE(other.ok()) << other.status();
  auto mine = client_->pmap(kAddSum, {.axis_name = "i"});
  auto theirs =
      other->pmap([](Tensor x) { return psum(x, "i"); }, {.axis_name = "i"});
  std::vector<absl::StatusOr<Array>> results;
  for (int i = 0; i < 5; ++i) {
    results.push_back(mine(Ids(8)));
    results.push_back(theirs(Ids(8)));
  }
  for (size_t i = 0; i < results.size(); i += 2) {
    EXPECT_EQ(Text(results[i]), "[28 29 30 31 32 33 34 35]");
    EXPECT_EQ(Text(results[i + 1]), "[28 28 28 28 28 28 28 28]");
  }
}

TEST_F(GlobalViewTest, KilledHostIsNamedAndNothingHangs) {
  const auto program = client_->LoadProgram(EndlessProgram(8));
  ASSERT_TRUE(program.ok()) << program.status();
  const auto results = client_->Run(*program, {Ramp(8)});
  ASSERT_TRUE(results.ok()) << results.status();
  cluster_.AwaitAllInCollective();
  cluster_.worker(1).Signal(SIGKILL);
  const absl::Status status = results->at(0).Fetch().status();
  EXPECT_THAT(status.code(),
              AnyOf(absl::StatusCode::kAborted, absl::StatusCode::kUnavailable))
      << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("host 1 (worker-1)"));
  client_.reset();
  cluster_.worker(1).AwaitExit(absl::InfiniteFuture());
}

TEST_F(GlobalViewTest, LostCoordinatorIsReported) {
  auto add = client_->pmap(kAddSum, {.axis_name = "i"});
  const auto x = add(Ids(8));
  ASSERT_EQ(Text(x), "[28 29 30 31 32 33 34 35]");
  cluster_.coordinator().Signal(SIGKILL);
  cluster_.coordinator().AwaitExit(absl::InfiniteFuture());
  const auto y = add(*x);
  ASSERT_TRUE(y.ok());
  EXPECT_EQ(y->Fetch().status().code(), absl::StatusCode::kUnavailable)
      << y->Fetch().status();
}

TEST(ClientTest, NobodyListens) {
  const auto client =
      Client::Connect("127.0.0.1:1", {.deadline = absl::Seconds(10)});
  EXPECT_EQ(client.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(client.status().message()), HasSubstr("127.0.0.1:1"));
}

TEST(EmbeddedTest, StartsAClusterThatEndsWithTheClient) {
  setenv("LOCKSTEP_BINARY", LockstepPath().c_str(), 1);
  {
    const auto client = Client::Embedded({.hosts = 3, .devices_per_host = 2});
    ASSERT_TRUE(client.ok()) << client.status();
    auto add = client->pmap(kAddSum, {.axis_name = "i"});
    EXPECT_EQ(Text(add(Ids(6))), "[15 16 17 18 19 20]");
    EXPECT_TRUE(IsListening(client->address()));
  }
  EXPECT_THAT(LeftProcesses(), testing::IsEmpty());
}

TEST(EmbeddedTest, NamesTheMissingProgram) {
  setenv("LOCKSTEP_BINARY", "/nowhere/lockstep", 1);
  const auto client = Client::Embedded({.hosts = 1});
  EXPECT_FALSE(client.ok());
  EXPECT_THAT(std::string(client.status().message()),
              HasSubstr("/nowhere/lockstep"));
}

// M-9: the client passes no bytes: it need not wait for the array either.
TEST_F(GlobalViewTest, ArraysGoToOtherDevicesFromHostToHost) {
  const std::vector<Device> all = client_->devices();
  const auto over = [&](std::vector<int> ids, PartitionSpec spec) {
    std::vector<Device> devices;
    for (int id : ids) devices.push_back(all[id]);
    const auto count = static_cast<int64_t>(devices.size());
    return *NamedSharding::Create(
        *Mesh::Create({{count}, std::move(devices)}, {"x"}), std::move(spec));
  };
  const Array values = *Array::FromValues<int32_t>({4, 2}, Ids(8));
  const Array left =
      *client_->device_put(values, over({0, 1, 2, 3}, PartitionSpec("x")));
  for (const NamedSharding& target :
       {over({4, 5, 6, 7}, PartitionSpec("x")),
        over({6, 1}, PartitionSpec(nullptr, "x")), over({7}, PartitionSpec()),
        over({3, 4, 5}, PartitionSpec())}) {
    const auto moved = client_->device_put(left, target);
    ASSERT_TRUE(moved.ok()) << moved.status();
    EXPECT_EQ(moved->sharding(), Sharding(target));
    EXPECT_EQ(Text(moved), Text(left));
  }
  // Where devices have no part before, the hosts make one.
  for (ElementType type : {ElementType::kPred, ElementType::kBF16,
                           ElementType::kS4, ElementType::kC64}) {
    const Array typed = astype(left, type);
    const auto moved =
        client_->device_put(typed, over({6, 1}, PartitionSpec(nullptr, "x")));
    EXPECT_EQ(Text(moved), Text(typed));
  }
  // A launch that runs until something happens, and what is to become of it.
  const auto program = client_->LoadProgram(EndlessProgram(4));
  ASSERT_TRUE(program.ok()) << program.status();
  const auto pending =
      client_->Run(*program, {Array(std::vector<float>(4, 1.0f))});
  ASSERT_TRUE(pending.ok()) << pending.status();
  const auto elsewhere = client_->device_put(
      pending->at(0), over({4, 5, 6, 7}, PartitionSpec("x")));
  ASSERT_TRUE(elsewhere.ok()) << elsewhere.status();
  EXPECT_FALSE(elsewhere->is_ready());
  cluster_.worker(0).Signal(SIGKILL);
  EXPECT_THAT(elsewhere->Await().message(), HasSubstr("host 0 (worker-0)"));
}

// M-6.
TEST_F(GlobalViewTest, ArraysOfSingleDevicesAreJoinedWhereTheyLie) {
  const std::vector<Device> all = client_->devices();
  std::vector<Array> parts;
  for (int i = 7; i >= 0; --i) {
    parts.push_back(*client_->device_put(Array({i, 10 * i}), all[i]));
  }
  const NamedSharding rows = *NamedSharding::Create(
      *Mesh::Create({{8}, all}, {"x"}), PartitionSpec("x"));
  const auto joined = make_array_from_single_device_arrays(
      {16}, rows, parts, {.view = client_->view()});
  ASSERT_TRUE(joined.ok()) << joined.status();
  EXPECT_EQ(Text(joined), "[ 0  0  1 10  2 20  3 30  4 40  5 50  6 60  7 70]");
  // Theirs is the memory, until the last one goes.
  parts.clear();
  EXPECT_EQ(Text(*joined + 0),
            "[ 0  0  1 10  2 20  3 30  4 40  5 50  6 60  7 70]");
}

}  // namespace
}  // namespace lockstep::internal
