// Commands of the global view are streamed, and results stay where they are:
// what of that shows when hosts, the coordinator or clients end meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "client/process/child_process.h"
#include "runtime/types/canonical_elements.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr int kDevices = 4;

constexpr auto kAddOne = [](Tensor x) { return x + 1.0f; };
constexpr auto kAddMax = [](Tensor x) { return x + pmax(x, "i"); };

std::vector<float> Ones() { return std::vector<float>(kDevices, 1.0f); }

// Of so many floats per device that they do not travel in a message.
Array Large() {
  constexpr int64_t kColumns = 100003;
  std::vector<float> values(kDevices * kColumns);
  std::iota(values.begin(), values.end(), 0.0f);
  return *Array::FromValues({kDevices, kColumns}, values);
}

std::vector<ElementType> EveryElementType() {
  std::vector<ElementType> types;
  for (uint32_t i = 1; ElementTypeFromNumber(i).ok(); ++i) {
    types.push_back(*ElementTypeFromNumber(i));
  }
  return types;
}

ProcessCluster::Options FourDevices() {
  ProcessCluster::Options options;
  options.hosts = kDevices / options.devices_per_host;
  return options;
}

class GlobalViewStreamTest : public ::testing::Test {
 protected:
  GlobalViewStreamTest() : cluster_(FourDevices()) {
    client_.emplace(Connect({}));
  }

  Client Connect(const Client::ConnectOptions& options) {
    auto client = Client::Connect(cluster_.address(), options);
    EXPECT_TRUE(client.ok()) << client.status();
    return *std::move(client);
  }

  ProcessCluster cluster_;
  std::optional<Client> client_;
};

TEST_F(GlobalViewStreamTest, ThousandsOfLaunchesKeepTheirOrder) {
  auto add = client_->pmap(kAddOne);
  absl::StatusOr<Array> x = Array(Ones());
  std::vector<Array> kept;
  for (int i = 1; i <= 5000; ++i) {
    x = add(*x);
    ASSERT_TRUE(x.ok()) << x.status();
    if (i % 1000 == 0) kept.push_back(*x);
  }
  EXPECT_EQ((*x->ToVector<float>())[3], 5001.0f);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ((*kept[i].ToVector<float>())[0], 1000.0f * (i + 1) + 1);
  }
}

TEST_F(GlobalViewStreamTest, SeveralThreadsAndClientsLaunchAtOnce) {
  const Client other = Connect({});
  const auto run = [](const Client& client) {
    auto add = client.pmap(kAddMax, {.axis_name = "i"});
    for (int round = 0; round < 20; ++round) {
      absl::StatusOr<Array> x = Array(Ones());
      for (int i = 0; i < 10 && x.ok(); ++i) x = add(*x);
      ASSERT_TRUE(x.ok()) << x.status();
      EXPECT_EQ((*x->ToVector<float>())[1], 1024.0f);
    }
  };
  std::thread a([&] { run(other); });
  std::thread b([&] { run(*client_); });
  run(*client_);
  a.join();
  b.join();
}

TEST_F(GlobalViewStreamTest, AnArrayIsReadyWithoutBeingFetched) {
  auto add = client_->pmap(kAddOne);
  const auto x = add(Large());
  ASSERT_TRUE(x.ok()) << x.status();
  EXPECT_TRUE(x->Await().ok());
  EXPECT_TRUE(x->is_ready());
  // Nobody waits for this one.
  const auto y = add(*x);
  while (!y->is_ready()) std::this_thread::yield();
  EXPECT_TRUE(y->Await(absl::Now()).ok());
}

TEST_F(GlobalViewStreamTest, AwaitEndsAtItsDeadline) {
  const auto program = client_->LoadProgram(EndlessProgram(kDevices));
  ASSERT_TRUE(program.ok()) << program.status();
  const auto results = client_->Run(*program, {Ramp(kDevices)});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->at(0).Await(absl::Now() + absl::Milliseconds(20)).code(),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_FALSE(results->at(0).is_ready());
}

TEST_F(GlobalViewStreamTest, LargeArraysComeFromMemoryAndOverConnections) {
  const Array large = Large();
  const std::vector<float> expected = [&] {
    std::vector<float> values = *large.ToVector<float>();
    for (float& value : values) value += 1;
    return values;
  }();
  for (bool uses_memory : {true, false}) {
    const Client client = Connect({.uses_memory = uses_memory});
    auto add = client.pmap(kAddOne);
    const auto x = add(large);
    ASSERT_TRUE(x.ok()) << x.status();
    EXPECT_EQ(*x->ToVector<float>(), expected);
    EXPECT_EQ(x->Fetch()->data<float>()[100004], expected[100004]);
    // Another mapped dimension, and one value on all devices.
    for (const MappedAxis axis : {MappedAxis(1), MappedAxis(std::nullopt)}) {
      auto sum = client.pmap([](Tensor x) { return psum(x, "i"); },
                             {.axis_name = "i", .out_axes = {axis}});
      const auto total = sum(*x);
      ASSERT_TRUE(total.ok()) << total.status();
      EXPECT_EQ((*total->ToVector<float>())[0], 4 + 6 * 100003.0f);
    }
  }
}

// Small and large, from a message, a file, and a connection: what their type
// does not allow is made what it does.
TEST_F(GlobalViewStreamTest, ArraysOfEveryTypeArriveAsTheyAre) {
  for (bool uses_memory : {true, false}) {
    const Client client = Connect({.uses_memory = uses_memory});
    for (const ElementType type : EveryElementType()) {
      for (int64_t columns : {int64_t{3}, int64_t{70001}}) {
        Literal rows(Shape(type, {kDevices, columns}));
        const auto bytes = rows.mutable_bytes();
        for (int64_t i = 0; i < rows.shape().byte_size(); ++i) {
          bytes[i] = std::byte(i * 37 % 251);
        }
        Literal expected = rows;
        CanonicalizeElements(expected.mutable_view());
        auto same = client.pmap([](Tensor x) { return x; });
        const auto y = same(Array(rows));
        ASSERT_TRUE(y.ok()) << NumpyName(type) << ": " << y.status();
        const auto found = y->Fetch();
        ASSERT_TRUE(found.ok()) << NumpyName(type) << ": " << found.status();
        EXPECT_EQ(*found, expected) << NumpyName(type) << " x " << columns;
      }
    }
  }
}

// A file in memory is many devices' at once.
TEST_F(GlobalViewStreamTest, WhatIsDonatedAndUnmappedIsEveryDevicesOwn) {
  PmapOptions options;
  options.in_axes = {std::nullopt, 0};
  options.donate_argnums = {0};
  auto add = client_->pmap([](Tensor x, Tensor i) { return x + i; }, options);
  const std::vector<float> whole(100003, 1.0f);
  const Array mine(whole);
  const auto y = add(mine, Array({0.f, 1.f, 2.f, 3.f}));
  ASSERT_TRUE(y.ok()) << y.status();
  const auto found = *y->ToVector<float>();
  for (int i = 0; i < kDevices; ++i) {
    EXPECT_EQ(found[i * whole.size()], 1.0f + i);
    EXPECT_EQ(found[(i + 1) * whole.size() - 1], 1.0f + i);
  }
  EXPECT_EQ(*mine.ToVector<float>(), whole);
}

TEST_F(GlobalViewStreamTest, ErrorsReachTheArrays) {
  // Verified here, but not to be compiled.
  const auto program = client_->LoadProgram(
      "module @odd attributes {mhlo.num_replicas = 4 : i32} {\n"
      "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
      "  %y = stablehlo.custom_call @nowhere(%x) : (tensor<f32>) -> "
      "tensor<f32>\n"
      "  return %y : tensor<f32>\n}\n}\n");
  ASSERT_TRUE(program.ok()) << program.status();
  const auto results = client_->Run(*program, {Ramp(kDevices)});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT(std::string(results->at(0).Await().message()),
              HasSubstr("nowhere"));
  EXPECT_TRUE(results->at(0).is_ready());
  EXPECT_FALSE(results->at(0).Fetch().ok());
  // Others are not concerned.
  auto add = client_->pmap(kAddOne);
  EXPECT_EQ((*add(Ones())->ToVector<float>())[0], 2.0f);
}

TEST_F(GlobalViewStreamTest, ADonatedArrayIsNotWaitedFor) {
  PmapOptions options;
  options.donate_argnums = {0};
  auto add = client_->pmap(kAddOne, options);
  const auto x = add(Large());
  const auto y = add(*x);
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(x->Await().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(x->ToVector<float>().status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ((*y->ToVector<float>())[5], 7.0f);
}

TEST_F(GlobalViewStreamTest, ReadsWhileTheArrayIsDonatedAreRightOrRefused) {
  PmapOptions options;
  options.donate_argnums = {0};
  auto add = client_->pmap(kAddOne, options);
  for (int round = 0; round < 20; ++round) {
    const auto x = add(Large());
    ASSERT_TRUE(x.ok() && x->Await().ok());
    std::thread reader([&] {
      const auto values = x->ToVector<float>();
      if (values.ok()) {
        EXPECT_EQ((*values)[400000], 400001.0f);
      } else {
        EXPECT_EQ(values.status().code(), absl::StatusCode::kFailedPrecondition)
            << values.status();
      }
    });
    const auto y = add(*x);
    EXPECT_EQ((*y->ToVector<float>())[400000], 400002.0f);
    reader.join();
  }
}

TEST_F(GlobalViewStreamTest, AHostKilledWhileCommandsStreamIsNamed) {
  auto add = client_->pmap(kAddMax, {.axis_name = "i"});
  std::optional<Array> first;
  absl::StatusOr<Array> x = Array(Ones());
  for (int i = 0; i < 3000; ++i) {
    x = add(*x);
    ASSERT_TRUE(x.ok()) << x.status();
    if (i == 0) first = *x;
    if (i == 1000) cluster_.worker(1).Signal(SIGKILL);
  }
  const absl::Status status = x->Await();
  EXPECT_THAT(status.code(),
              AnyOf(absl::StatusCode::kAborted, absl::StatusCode::kUnavailable))
      << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("host 1 (worker-1)"));
  // A part of it is gone.
  const absl::Status lost = first->Fetch().status();
  EXPECT_THAT(std::string(lost.message()), HasSubstr("host 1 (worker-1)"));
  cluster_.worker(1).AwaitExit(absl::InfiniteFuture());
}

TEST_F(GlobalViewStreamTest, AHostThatStopsIsNamedToThoseWhoWait) {
  // What is launched while a process stops may still be computed: this is not.
  const auto program = client_->LoadProgram(EndlessProgram(kDevices));
  ASSERT_TRUE(program.ok()) << program.status();
  const auto results = client_->Run(*program, {Ramp(kDevices)});
  ASSERT_TRUE(results.ok()) << results.status();
  cluster_.AwaitAllInCollective();
  cluster_.worker(1).Signal(SIGSTOP);
  const absl::Status status = results->at(0).Await();
  EXPECT_THAT(std::string(status.message()), HasSubstr("host 1 (worker-1)"));
  cluster_.worker(1).Signal(SIGKILL);
  cluster_.worker(1).AwaitExit(absl::InfiniteFuture());
}

TEST_F(GlobalViewStreamTest, AHostThatStopsIsNamedToThoseWhoBringArrays) {
  auto add = client_->pmap(kAddOne);
  ASSERT_TRUE(add(Large()).ok() && add(Ones()).ok());
  cluster_.worker(1).Signal(SIGSTOP);
  std::vector<std::thread> threads;
  for (const Array& value : {Array(Ones()), Large()}) {
    threads.emplace_back([&add, value] {
      const auto y = add(value);
      const absl::Status status = y.ok() ? y->Await() : y.status();
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr("host 1 (worker-1)"));
    });
  }
  for (std::thread& thread : threads) thread.join();
  cluster_.worker(1).Signal(SIGKILL);
  cluster_.worker(1).AwaitExit(absl::InfiniteFuture());
}

TEST_F(GlobalViewStreamTest, ACoordinatorKilledWhileCommandsStreamIsReported) {
  auto add = client_->pmap(kAddMax, {.axis_name = "i"});
  absl::StatusOr<Array> x = Array(Ones());
  for (int i = 0; i < 3000; ++i) {
    x = add(*x);
    ASSERT_TRUE(x.ok()) << x.status();
    if (i == 1000) cluster_.coordinator().Signal(SIGKILL);
  }
  const absl::Status status = x->Await();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(cluster_.address()));
  cluster_.coordinator().AwaitExit(absl::InfiniteFuture());
}

TEST_F(GlobalViewStreamTest, AClientKilledWhileItStreamsLeavesNothing) {
  ChildProcess::Options options;
  options.name = "client";
  options.arguments = {"tests/multihost/global_view_program",
                       cluster_.address()};
  auto process = ChildProcess::Spawn(options);
  ASSERT_TRUE(process.ok()) << process.status();
  const auto ready = process->AwaitReady(absl::InfiniteFuture());
  ASSERT_TRUE(ready.ok()) << ready.status();
  process->Signal(SIGKILL);
  process->AwaitExit(absl::InfiniteFuture());
  cluster_.AwaitStatus("the client is gone", [](const StatusReport& report) {
    return report.clients == 1;
  });
  auto add = client_->pmap(kAddMax, {.axis_name = "i"});
  EXPECT_EQ((*add(Ones())->ToVector<float>())[0], 2.0f);
}

}  // namespace
}  // namespace lockstep::internal
