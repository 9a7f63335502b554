#include "runtime/worker/daemon/array_store.h"

#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/arrays/buffer_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr ArrayHandle kArray{ClientId(1), 7};
constexpr GlobalDeviceId kDevice{3};

std::shared_ptr<Buffer> MakeShard(float value, GlobalDeviceId device) {
  return ReadyBuffer(Literal::Scalar(value), device);
}

TEST(ArrayStore, FindsWhatWasPutAndNamesWhatIsMissing) {
  ArrayStore store;
  auto shard = MakeShard(1, kDevice);
  ASSERT_TRUE(store.Put(kArray, {shard}).ok());
  EXPECT_EQ(*store.Find(kArray, kDevice), shard);
  absl::Status missing = store.Find(kArray, GlobalDeviceId(4)).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(missing.message(), "array 7 of client 1 has no shard on device 4");
  EXPECT_EQ(store.Put(kArray, {shard}).code(),
            absl::StatusCode::kAlreadyExists);
}

TEST(ArrayStore, TheFirstErrorIsKept) {
  ArrayStore store;
  store.PutError(kArray, absl::AbortedError("first"));
  store.PutError(kArray, absl::AbortedError("second"));
  EXPECT_EQ(store.Find(kArray, kDevice).status(), absl::AbortedError("first"));
}

TEST(ArrayStore, Await_ShardComesLater_ReturnsIt) {
  ArrayStore store;
  CancellationToken token;
  auto shard = MakeShard(1, kDevice);
  std::thread putter([&] { ASSERT_TRUE(store.Put(kArray, {shard}).ok()); });
  auto found = store.Await(kArray, kDevice, absl::InfiniteFuture(), &token);
  putter.join();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(*found, shard);
}

TEST(ArrayStore, Await_EndsByDeadlineCancellationErrorAndClose) {
  ArrayStore store;
  CancellationToken token;
  EXPECT_EQ(store.Await(kArray, kDevice, absl::InfinitePast(), &token)
                .status()
                .code(),
            absl::StatusCode::kDeadlineExceeded);
  std::thread canceller([&] { token.Cancel(absl::CancelledError("stop")); });
  EXPECT_EQ(
      store.Await(kArray, kDevice, absl::InfiniteFuture(), &token).status(),
      absl::CancelledError("stop"));
  canceller.join();

  CancellationToken other;
  std::thread failer([&] { store.PutError(kArray, absl::AbortedError("x")); });
  EXPECT_EQ(
      store.Await(kArray, kDevice, absl::InfiniteFuture(), &other).status(),
      absl::AbortedError("x"));
  failer.join();
  std::thread closer([&] { store.Close(absl::UnavailableError("gone")); });
  EXPECT_EQ(
      store.Await({ClientId(1), 8}, kDevice, absl::InfiniteFuture(), &other)
          .status(),
      absl::UnavailableError("gone"));
  closer.join();
}

TEST(ArrayStore, DeleteAllTakesOneClientsArraysOnly) {
  ArrayStore store;
  ASSERT_TRUE(store.Put({ClientId(1), 1}, {MakeShard(1, kDevice)}).ok());
  ASSERT_TRUE(store.Put({ClientId(1), 2}, {MakeShard(2, kDevice)}).ok());
  ASSERT_TRUE(store.Put({ClientId(2), 1}, {MakeShard(3, kDevice)}).ok());
  store.Delete({ClientId(1), 2});
  EXPECT_EQ(store.size(), 2);
  store.DeleteAll(ClientId(1));
  EXPECT_EQ(store.size(), 1);
  EXPECT_TRUE(store.Find({ClientId(2), 1}, kDevice).ok());
}

TEST(ArrayStore, WhatIsExpectedIsThereWhenItIsPut) {
  ArrayStore store;
  store.Expect(kArray);
  EXPECT_TRUE(store.HasPending(kArray.client));
  EXPECT_EQ(store.Find(kArray, kDevice).status().code(),
            absl::StatusCode::kNotFound);
  auto shard = MakeShard(1, kDevice);
  store.PutExpected(kArray, std::vector<std::shared_ptr<Buffer>>{shard});
  EXPECT_FALSE(store.HasPending(kArray.client));
  EXPECT_EQ(*store.Find(kArray, kDevice), shard);
}

TEST(ArrayStore, AnExpectedArrayCanFail) {
  ArrayStore store;
  store.Expect(kArray);
  absl::Status there;
  store.WhenThere(kArray, [&](const absl::Status& s) { there = s; });
  store.PutExpected(kArray, absl::AbortedError("x"));
  EXPECT_EQ(there, absl::AbortedError("x"));
}

TEST(ArrayStore, WhatWasExpectedAndIsDeletedStaysAway) {
  ArrayStore store;
  store.Expect(kArray);
  store.DeleteAll(kArray.client);
  store.PutExpected(
      kArray, std::vector<std::shared_ptr<Buffer>>{MakeShard(1, kDevice)});
  store.PutExpected(kArray, absl::AbortedError("x"));
  EXPECT_EQ(store.size(), 0);
}

// What the observer heard: "7 ok awaited".
struct Heard {
  explicit Heard(ArrayStore* store) {
    store->SetObserver([this](ArrayHandle array, const absl::Status& status,
                              bool is_awaited) {
      lines.push_back(absl::StrCat(array.number, status.ok() ? " ok" : " error",
                                   is_awaited ? " awaited" : ""));
    });
  }
  std::vector<std::string> lines;
};

std::shared_ptr<Buffer> PendingShard(GlobalDeviceId device) {
  return std::make_shared<Buffer>(Shape(ElementType::kF32, {}), device);
}

TEST(ArrayStore, AnArrayIsThereWhenAllItsShardsAre) {
  ArrayStore store;
  Heard heard(&store);
  auto first = PendingShard(GlobalDeviceId(0));
  auto second = PendingShard(GlobalDeviceId(1));
  ASSERT_TRUE(store.Put(kArray, {first, second}).ok());
  EXPECT_TRUE(store.HasPending(kArray.client));
  std::vector<absl::Status> waited;
  store.WhenThere(kArray, [&](const absl::Status& s) { waited.push_back(s); });
  SetValue(*second, Literal::Scalar(2.0f));
  EXPECT_THAT(heard.lines, IsEmpty());
  EXPECT_THAT(store.AllThere(kArray.client), IsEmpty());
  SetValue(*first, Literal::Scalar(1.0f));
  EXPECT_THAT(heard.lines, ElementsAre("7 ok awaited"));
  EXPECT_THAT(waited, ElementsAre(absl::OkStatus()));
  EXPECT_FALSE(store.HasPending(kArray.client));
  EXPECT_EQ(store.AllThere(kArray.client).size(), 1u);
  store.WhenThere(kArray, [&](const absl::Status& s) { waited.push_back(s); });
  EXPECT_EQ(waited.size(), 2u);
}

TEST(ArrayStore, AnArrayIsThereWithTheErrorOfAShard) {
  ArrayStore store;
  Heard heard(&store);
  auto first = PendingShard(GlobalDeviceId(0));
  auto second = PendingShard(GlobalDeviceId(1));
  ASSERT_TRUE(store.Put(kArray, {first, second}).ok());
  first->SetError(absl::AbortedError("host 1"));
  SetValue(*second, Literal::Scalar(1.0f));
  EXPECT_THAT(heard.lines, ElementsAre("7 error"));
  ASSERT_EQ(store.AllThere(kArray.client).size(), 1u);
  EXPECT_EQ(store.AllThere(kArray.client)[0].second,
            absl::AbortedError("host 1"));
}

TEST(ArrayStore, PutErrorMakesAnArrayThere) {
  ArrayStore store;
  Heard heard(&store);
  absl::Status waited;
  store.WhenThere(kArray, [&](const absl::Status& s) { waited = s; });
  store.PutError(kArray, absl::AbortedError("x"));
  EXPECT_EQ(waited, absl::AbortedError("x"));
  EXPECT_THAT(heard.lines, ElementsAre("7 error awaited"));
  EXPECT_FALSE(store.HasPending(kArray.client));
}

TEST(ArrayStore, DeletingAnArrayEndsItsWaits) {
  ArrayStore store;
  Heard heard(&store);
  auto shard = PendingShard(kDevice);
  ASSERT_TRUE(store.Put(kArray, {shard}).ok());
  absl::Status waited;
  store.WhenThere(kArray, [&](const absl::Status& s) { waited = s; });
  store.Delete(kArray);
  EXPECT_EQ(waited.code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(store.HasPending(kArray.client));
  SetValue(*shard, Literal::Scalar(1.0f));
  EXPECT_THAT(heard.lines, IsEmpty());
}

TEST(ArrayStore, CloseEndsWaitsForWhatIsNotThere) {
  ArrayStore store;
  absl::Status waited;
  store.WhenThere(kArray, [&](const absl::Status& s) { waited = s; });
  store.Close(absl::UnavailableError("gone"));
  EXPECT_EQ(waited, absl::UnavailableError("gone"));
  store.WhenThere(kArray, [&](const absl::Status& s) { waited = s; });
  EXPECT_EQ(waited, absl::UnavailableError("gone"));
}

}  // namespace
}  // namespace lockstep::internal
