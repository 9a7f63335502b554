// What every KeyValueStore does (spec M-22).
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/conformance/key_value_store/test_store.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Longer than any step of a test takes; only a defect waits for it.
constexpr absl::Duration kLong = absl::Seconds(60);
constexpr absl::Duration kShort = absl::Milliseconds(20);

class KeyValueStoreSuite : public ::testing::Test {
 protected:
  const std::unique_ptr<TestStore> store_ = MakeTestStore();
  KeyValueStore& a_ = store_->first();
  KeyValueStore& b_ = store_->second();
};

std::vector<std::string> Pairs(const std::vector<KeyValue>& pairs) {
  std::vector<std::string> texts;
  for (const KeyValue& pair : pairs) {
    texts.push_back(absl::StrCat(pair.key, "=", pair.value));
  }
  return texts;
}

TEST_F(KeyValueStoreSuite, WhatOneHostPutsTheOtherGets) {
  ASSERT_TRUE(a_.Put("k", "v").ok());
  EXPECT_EQ(*b_.TryGet("k"), "v");
  EXPECT_EQ(*b_.Get("k", kLong), "v");
}

TEST_F(KeyValueStoreSuite, ValuesAreBytes) {
  const std::string bytes("\0\xff\n", 3);
  ASSERT_TRUE(a_.Put("k", bytes).ok());
  EXPECT_EQ(*b_.TryGet("k"), bytes);
  ASSERT_TRUE(a_.Put("empty", "").ok());
  EXPECT_EQ(*b_.TryGet("empty"), "");
}

TEST_F(KeyValueStoreSuite, KeysArePaths) {
  ASSERT_TRUE(a_.Put("/a//b/", "v").ok());
  EXPECT_EQ(*b_.TryGet("a/b"), "v");
  EXPECT_EQ(a_.Put("//", "v").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(b_.TryGet("").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(KeyValueStoreSuite, APresentKeyIsNotOverwrittenUnlessAsked) {
  ASSERT_TRUE(a_.Put("k", "1").ok());
  const absl::Status status = b_.Put("k", "2").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("'k'"), HasSubstr("host 0")));
  PutOptions overwrite;
  overwrite.overwrite = true;
  ASSERT_TRUE(b_.Put("k", "2", overwrite).ok());
  EXPECT_EQ(*a_.TryGet("k"), "2");
}

TEST_F(KeyValueStoreSuite, AnAbsentKeyIsNotFound) {
  const absl::Status status = a_.TryGet("k").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("'k'"));
}

TEST_F(KeyValueStoreSuite, GetWaitsForTheKey) {
  std::thread writer([this] { EXPECT_TRUE(b_.Put("k", "v").ok()); });
  EXPECT_EQ(*a_.Get("k", kLong), "v");
  writer.join();
}

TEST_F(KeyValueStoreSuite, GetEndsAtItsDeadline) {
  const absl::Status status = a_.Get("k", kShort).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(status.message()), HasSubstr("'k'"));
}

TEST_F(KeyValueStoreSuite, AValueAboveTheLimitIsRefused) {
  std::string value(kMaxValueBytes, 'x');
  ASSERT_TRUE(a_.Put("fits", value).ok());
  value.push_back('x');
  const absl::Status status = a_.Put("big", value).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("big"), HasSubstr("16777217"), HasSubstr("16777216")));
}

TEST_F(KeyValueStoreSuite, RevisionsGrow) {
  const int64_t first = *a_.Put("x", "1");
  const int64_t second = *b_.Put("y", "1");
  EXPECT_GT(second, first);
  const std::vector<KeyValue> pairs = *a_.List("");
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].revision, first);
  EXPECT_EQ(pairs[1].revision, second);
}

TEST_F(KeyValueStoreSuite, ListAndDeleteTakeWhatLiesBelow) {
  ASSERT_TRUE(a_.Put("a/b", "1").ok());
  ASSERT_TRUE(a_.Put("a/c/d", "2").ok());
  ASSERT_TRUE(a_.Put("ab", "3").ok());
  EXPECT_THAT(Pairs(*b_.List("a")), ElementsAre("a/b=1", "a/c/d=2"));
  EXPECT_TRUE(b_.List("nothing")->empty());
  ASSERT_TRUE(b_.Delete("a").ok());
  EXPECT_THAT(Pairs(*a_.List("")), ElementsAre("ab=3"));
  EXPECT_TRUE(b_.Delete("a").ok());
}

TEST_F(KeyValueStoreSuite, TenMebibytesAreListedInOneCall) {
  const std::string value(1 << 20, 'x');
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(a_.Put(absl::StrCat("big/", i), value).ok());
  }
  const absl::StatusOr<std::vector<KeyValue>> pairs = b_.List("big");
  ASSERT_TRUE(pairs.ok()) << pairs.status();
  ASSERT_EQ(pairs->size(), 10u);
  EXPECT_EQ((*pairs)[9].value, value);
}

TEST_F(KeyValueStoreSuite, IncrementsAreAtomic) {
  constexpr int kTimes = 50;
  const auto count = [](KeyValueStore& store) {
    for (int i = 0; i < kTimes; ++i) EXPECT_TRUE(store.Increment("n").ok());
  };
  std::thread other([&] { count(b_); });
  count(a_);
  other.join();
  EXPECT_EQ(*a_.Increment("n", -2 * kTimes - 5), -5);
  EXPECT_EQ(*b_.TryGet("n"), "-5");
}

TEST_F(KeyValueStoreSuite, OnlyNumbersAreIncremented) {
  ASSERT_TRUE(a_.Put("k", "one").ok());
  const absl::Status status = b_.Increment("k").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("'k'"), HasSubstr("one")));
}

TEST_F(KeyValueStoreSuite, WatchGivesChangesInOrder) {
  const int64_t start = *a_.Put("a/x", "1");
  ASSERT_TRUE(a_.Put("b", "2").ok());
  const int64_t written = *a_.Put("a/y", "3");
  ASSERT_TRUE(a_.Delete("a/x").ok());
  EXPECT_THAT(*b_.Watch("a", start, kLong),
              ElementsAre(KeyChange{"a/y", "3", false, written},
                          KeyChange{"a/x", "", true, written + 1}));
}

TEST_F(KeyValueStoreSuite, WatchWaitsForAChange) {
  const int64_t start = *a_.Put("a/x", "1");
  std::thread writer([this] { EXPECT_TRUE(b_.Put("a/y", "2").ok()); });
  const absl::StatusOr<std::vector<KeyChange>> changes =
      a_.Watch("a", start, kLong);
  writer.join();
  ASSERT_TRUE(changes.ok()) << changes.status();
  ASSERT_EQ(changes->size(), 1u);
  EXPECT_EQ(changes->front().key, "a/y");
}

TEST_F(KeyValueStoreSuite, WatchEndsAtItsDeadline) {
  EXPECT_EQ(a_.Watch("a", 0, kShort).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace lockstep::internal
