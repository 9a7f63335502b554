#include "runtime/worker/daemon/array_feed.h"

#include <memory>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/arrays/buffer_testing.h"
#include "runtime/devices/fake/fake_platform.h"
#include "runtime/worker/daemon/shard_assembler.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr ClientId kClient{1};

std::shared_ptr<Buffer> PendingShard() {
  return std::make_shared<Buffer>(Shape(ElementType::kF32, {}),
                                  GlobalDeviceId(0));
}

class TestSink : public ArrayFeed::Sink {
 public:
  void Send(proto::ArrayEvents events) override {
    absl::MutexLock lock(&mutex_);
    ++messages_;
    ready_.insert(ready_.end(), events.ready().begin(), events.ready().end());
    for (const auto& value : events.values()) values_.push_back(value.array());
    for (const auto& failed : events.failed()) {
      failed_.push_back(failed.array());
    }
    for (const auto& reply : events.replies()) replies_.push_back(reply.id());
  }
  std::vector<int64_t> AwaitReady(size_t count) {
    const auto has_come = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
      return ready_.size() >= count;
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&has_come));
    return ready_;
  }
  int messages() {
    absl::MutexLock lock(&mutex_);
    return messages_;
  }
  std::vector<int64_t> ready() { return AwaitReady(0); }
  std::vector<int64_t> failed() {
    absl::MutexLock lock(&mutex_);
    return failed_;
  }
  std::vector<int64_t> values() {
    absl::MutexLock lock(&mutex_);
    return values_;
  }
  std::vector<uint64_t> replies() {
    absl::MutexLock lock(&mutex_);
    return replies_;
  }

 private:
  absl::Mutex mutex_;
  int messages_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<int64_t> ready_ ABSL_GUARDED_BY(mutex_);
  std::vector<int64_t> values_ ABSL_GUARDED_BY(mutex_);
  std::vector<int64_t> failed_ ABSL_GUARDED_BY(mutex_);
  std::vector<uint64_t> replies_ ABSL_GUARDED_BY(mutex_);
};

class ArrayFeedTest : public ::testing::Test {
 protected:
  std::shared_ptr<Buffer> PutPending(int64_t number) {
    auto shard = PendingShard();
    EXPECT_TRUE(store_.Put({kClient, number}, {shard}).ok());
    return shard;
  }

  ArrayStore store_;
  ArrayFeed feed_{&store_};
  std::shared_ptr<TestSink> sink_ = std::make_shared<TestSink>();
};

TEST_F(ArrayFeedTest, TheLastArrayIsToldAtOnce) {
  feed_.Open(kClient, sink_);
  auto shard = PutPending(7);
  SetValue(*shard, Literal::Scalar(1.0f));
  EXPECT_THAT(sink_->ready(), ElementsAre(7));
  store_.PutError({kClient, 8}, absl::AbortedError("x"));
  EXPECT_THAT(sink_->failed(), ElementsAre(8));
}

TEST_F(ArrayFeedTest, SmallArraysComeWithTheNewsThatTheLastOneIsThere) {
  feed_.Open(kClient, sink_);
  auto first = PutPending(1);
  auto last = PutPending(2);
  const Shape large(ElementType::kF32, {kSmallArrayBytes / 4});
  auto too_large = std::make_shared<Buffer>(large, GlobalDeviceId(0));
  EXPECT_TRUE(store_.Put({kClient, 3}, {too_large}).ok());
  SetValue(*too_large, Literal(large));
  SetValue(*first, Literal::Scalar(1.0f));
  SetValue(*last, Literal::Scalar(1.0f));
  sink_->AwaitReady(3);
  // Unless the news of the first has gone before.
  EXPECT_THAT(sink_->values(), ::testing::Contains(2));
  EXPECT_THAT(sink_->values(), ::testing::Not(::testing::Contains(3)));
}

// The news come on the thread of the device's queue, which fetching the value
// would wait for.
TEST_F(ArrayFeedTest, WhatOnlyTheDeviceCanReadComesWithoutItsValue) {
  FakePlatform platform(1);
  platform.device(0).Hold();
  const auto shard = *PutLiteral(Literal::Scalar(1.0f), GlobalDeviceId(0),
                                 *platform.devices()[0]);
  feed_.Open(kClient, sink_);
  ASSERT_TRUE(store_.Put({kClient, 7}, {shard}).ok());
  EXPECT_TRUE(sink_->ready().empty());
  platform.device(0).Release();
  EXPECT_THAT(sink_->AwaitReady(1), ElementsAre(7));
  EXPECT_TRUE(sink_->values().empty());
}

TEST_F(ArrayFeedTest, OthersAreGatheredAndCome) {
  feed_.Open(kClient, sink_);
  std::vector<std::shared_ptr<Buffer>> shards;
  for (int i = 0; i < 100; ++i) shards.push_back(PutPending(i));
  for (int i = 0; i < 99; ++i) SetValue(*shards[i], Literal::Scalar(1.0f));
  // The last one never is: these come by time.
  EXPECT_EQ(sink_->AwaitReady(99).size(), 99u);
  EXPECT_LE(sink_->messages(), 99);
}

TEST_F(ArrayFeedTest, AClientThatComesLaterHearsOfAll) {
  SetValue(*PutPending(1), Literal::Scalar(1.0f));
  store_.PutError({kClient, 2}, absl::AbortedError("x"));
  auto pending = PutPending(3);
  feed_.Open(kClient, sink_);
  EXPECT_THAT(sink_->ready(), ElementsAre(1));
  EXPECT_THAT(sink_->failed(), ElementsAre(2));
  SetValue(*pending, Literal::Scalar(1.0f));
  EXPECT_THAT(sink_->ready(), ElementsAre(1, 3));
}

TEST_F(ArrayFeedTest, AReplyBringsTheNews) {
  feed_.Open(kClient, sink_);
  auto shard = PutPending(7);
  store_.WhenThere({kClient, 7}, [&](const absl::Status& status) {
    proto::ArrayEvents::ReadReply reply;
    reply.set_id(5);
    feed_.Reply(kClient, *sink_, reply);
  });
  SetValue(*shard, Literal::Scalar(1.0f));
  EXPECT_EQ(sink_->messages(), 1);
  EXPECT_THAT(sink_->ready(), ElementsAre(7));
  EXPECT_THAT(sink_->replies(), ElementsAre(5));
}

TEST_F(ArrayFeedTest, OnlyTheLatestSinkOfAClientHears) {
  auto other = std::make_shared<TestSink>();
  feed_.Open(kClient, other);
  feed_.Open(kClient, sink_);
  feed_.Close(kClient, other.get());
  SetValue(*PutPending(7), Literal::Scalar(1.0f));
  EXPECT_THAT(sink_->ready(), UnorderedElementsAre(7));
  EXPECT_EQ(other->messages(), 0);
  feed_.Close(kClient, sink_.get());
  SetValue(*PutPending(8), Literal::Scalar(1.0f));
  EXPECT_THAT(sink_->ready(), ElementsAre(7));
}

}  // namespace
}  // namespace lockstep::internal
