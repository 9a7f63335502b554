#include "runtime/worker/daemon/array_store.h"

#include <thread>

#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace lockstep {
namespace {

constexpr ArrayHandle kArray{ClientId(1), 7};
constexpr GlobalDeviceId kDevice{3};

std::shared_ptr<Buffer> MakeShard(float value, GlobalDeviceId device) {
  return std::make_shared<Buffer>(Literal::Scalar(value), device);
}

TEST(ArrayStore, FindsWhatWasPutAndNamesWhatIsMissing) {
  ArrayStore store;
  auto shard = MakeShard(1, kDevice);
  ASSERT_TRUE(store.Put(kArray, shard).ok());
  EXPECT_EQ(*store.Find(kArray, kDevice), shard);
  absl::Status missing = store.Find(kArray, GlobalDeviceId(4)).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(missing.message(), "array 7 of client 1 has no shard on device 4");
  EXPECT_EQ(store.Put(kArray, shard).code(), absl::StatusCode::kAlreadyExists);
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
  std::thread putter([&] { ASSERT_TRUE(store.Put(kArray, shard).ok()); });
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
  ASSERT_TRUE(store.Put({ClientId(1), 1}, MakeShard(1, kDevice)).ok());
  ASSERT_TRUE(store.Put({ClientId(1), 2}, MakeShard(2, kDevice)).ok());
  ASSERT_TRUE(store.Put({ClientId(2), 1}, MakeShard(3, kDevice)).ok());
  store.Delete({ClientId(1), 2});
  EXPECT_EQ(store.size(), 2);
  store.DeleteAll(ClientId(1));
  EXPECT_EQ(store.size(), 1);
  EXPECT_TRUE(store.Find({ClientId(2), 1}, kDevice).ok());
}

}  // namespace
}  // namespace lockstep
