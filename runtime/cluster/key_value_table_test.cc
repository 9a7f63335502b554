// Spec M-22, but for waiting.
#include "runtime/cluster/key_value_table.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Keys(const std::vector<KeyValue>& pairs) {
  std::vector<std::string> keys;
  for (const KeyValue& pair : pairs) keys.push_back(pair.key);
  return keys;
}

TEST(KeyValueTable, NormalizesKeys) {
  EXPECT_EQ(*NormalizedKey("/a//b/"), "a/b");
  EXPECT_EQ(*NormalizedKey("a"), "a");
  for (const char* empty : {"", "/", "///"}) {
    EXPECT_EQ(NormalizedKey(empty).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(KeyValueTable, PutRefusesAPresentKeyAndNamesItsWriter) {
  KeyValueTable table;
  ASSERT_TRUE(table.Put("a", "1", {}, "host 0 (x)").ok());
  const absl::Status status = table.Put("/a", "2", {}, "me").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(status.message(), "key 'a' was written by host 0 (x)");
  ASSERT_TRUE(table.Put("a", "3", {.overwrite = true}, "me").ok());
  EXPECT_EQ(*table.TryGet("a"), "3");
}

TEST(KeyValueTable, PutRefusesALargeValue) {
  KeyValueTable table({.max_value_bytes = 4});
  EXPECT_TRUE(table.Put("a", "1234", {}, "me").ok());
  const absl::Status status = table.Put("b", "12345", {}, "me").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "key 'b': the value has 5 bytes, the limit is 4");
}

TEST(KeyValueTable, ListAndDeleteTakeWhatLiesBelow) {
  KeyValueTable table;
  ASSERT_TRUE(table.Put("a/b", "1", {}, "me").ok());
  ASSERT_TRUE(table.Put("a/c/d", "2", {}, "me").ok());
  ASSERT_TRUE(table.Put("ab", "3", {}, "me").ok());
  ASSERT_TRUE(table.Put("a", "0", {}, "me").ok());
  EXPECT_THAT(Keys(table.List("a")), ElementsAre("a/b", "a/c/d"));
  EXPECT_THAT(Keys(table.List("")), ElementsAre("a", "a/b", "a/c/d", "ab"));
  EXPECT_TRUE(table.List("b").empty());
  EXPECT_TRUE(table.Delete("a").ok());
  EXPECT_THAT(Keys(table.List("")), ElementsAre("ab"));
  EXPECT_TRUE(table.Delete("a").ok());
}

TEST(KeyValueTable, IncrementIsDecimalAndSigned) {
  KeyValueTable table;
  EXPECT_EQ(*table.Increment("n", 1, "me"), 1);
  EXPECT_EQ(*table.Increment("n", -3, "me"), -2);
  EXPECT_EQ(*table.TryGet("n"), "-2");
  ASSERT_TRUE(table.Put("s", "x1", {}, "me").ok());
  const absl::Status text = table.Increment("s", 1, "me").status();
  EXPECT_EQ(text.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(text.message()), HasSubstr("'s' holds 'x1'"));
  ASSERT_TRUE(table
                  .Put("max", absl::StrCat(std::numeric_limits<int64_t>::max()),
                       {}, "me")
                  .ok());
  EXPECT_EQ(table.Increment("max", 1, "me").status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(KeyValueTable, ChangesComeInOrderOfTheirRevisions) {
  KeyValueTable table;
  const int64_t first = *table.Put("a/b", "1", {}, "me");
  ASSERT_TRUE(table.Put("c", "2", {}, "me").ok());
  ASSERT_TRUE(table.Put("a/b", "3", {.overwrite = true}, "me").ok());
  ASSERT_TRUE(table.Delete("a").ok());
  EXPECT_THAT(*table.ChangesAfter("a", first),
              ElementsAre(KeyChange{"a/b", "3", false, first + 2},
                          KeyChange{"a/b", "", true, first + 3}));
  EXPECT_EQ(table.ChangesAfter("a", 0)->size(), 3u);
  EXPECT_TRUE(table.ChangesAfter("a", table.revision())->empty());
  EXPECT_TRUE(table.ChangesAfter("a", 1000)->empty());
}

TEST(KeyValueTable, ForgottenChangesAreAnError) {
  KeyValueTable table({.max_changes = 2});
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(table.Put(absl::StrCat("k", i), "", {}, "me").ok());
  }
  EXPECT_EQ(table.ChangesAfter("", 1).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(table.ChangesAfter("", 2)->size(), 2u);
  EXPECT_EQ(table.ChangesAfter("", 3)->size(), 1u);
}

TEST(KeyValueTable, ALeaseEndsWithItsIncarnation) {
  KeyValueTable table;
  ASSERT_TRUE(table.Put("a", "1", {.lease = Incarnation(7)}, "me").ok());
  ASSERT_TRUE(table.Put("b", "1", {}, "me").ok());
  table.EndLease(Incarnation(8));
  EXPECT_EQ(table.List("").size(), 2u);
  table.EndLease(Incarnation(7));
  EXPECT_THAT(Keys(table.List("")), ElementsAre("b"));
}

}  // namespace
}  // namespace lockstep::internal
