#include "client/data/file_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace lockstep {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Paths = std::vector<std::string>;

DataLayout Shard(int64_t id, int64_t count) {
  return {.shard_id = id, .num_shards = count};
}

// "f00", "f01", ..: descending, since the order must not matter.
Paths Files(int count) {
  Paths paths;
  for (int i = count; i-- > 0;) {
    paths.push_back(absl::StrCat("f", i / 10, i % 10));
  }
  return paths;
}

FileSet SetOf(Paths paths, const DataLayout& layout,
              const FileSetOptions& options = {}) {
  return *FileSet::Create(std::move(paths), layout, options);
}

TEST(FileSetTest, ShardsTakeTurns) {
  EXPECT_THAT(SetOf(Files(5), Shard(0, 2)).PathsOfEpoch(0),
              ElementsAre("f00", "f02", "f04"));
  EXPECT_THAT(SetOf(Files(5), Shard(1, 2)).PathsOfEpoch(0),
              ElementsAre("f01", "f03"));
  EXPECT_THAT(SetOf(Files(2), Shard(1, 2)).PathsOfEpoch(0), ElementsAre("f01"));
}

TEST(FileSetTest, WithoutASeedAllEpochsAreAscending) {
  const FileSet set = SetOf(Files(12), Shard(0, 1));
  EXPECT_EQ(set.PathsOfEpoch(0), set.paths());
  EXPECT_EQ(set.PathsOfEpoch(7), set.paths());
  EXPECT_TRUE(std::is_sorted(set.paths().begin(), set.paths().end()));
}

// For any number of shards they are the one order, dealt out in turn.
TEST(FileSetTest, ShardsMakeTheWholeInEveryEpoch) {
  const FileSetOptions options = {.shuffle_seed = 7};
  for (int files = 1; files <= 12; ++files) {
    for (int64_t epoch = 0; epoch < 3; ++epoch) {
      const Paths order =
          SetOf(Files(files), Shard(0, 1), options).PathsOfEpoch(epoch);
      EXPECT_EQ(std::set<std::string>(order.begin(), order.end()).size(),
                static_cast<size_t>(files));
      for (int64_t shards = 1; shards <= files; ++shards) {
        Paths dealt(order.size());
        for (int64_t shard = 0; shard < shards; ++shard) {
          int64_t place = shard;
          for (const std::string& path :
               SetOf(Files(files), Shard(shard, shards), options)
                   .PathsOfEpoch(epoch)) {
            dealt.at(place) = path;
            place += shards;
          }
        }
        EXPECT_EQ(dealt, order) << files << " files, " << shards << " shards";
      }
    }
  }
}

// Programs go on in the middle of an epoch with another version.
TEST(FileSetTest, OrdersAreTheSameForEver) {
  const FileSet set = SetOf(Files(6), Shard(0, 1), {.shuffle_seed = 1});
  EXPECT_THAT(set.PathsOfEpoch(0),
              ElementsAre("f03", "f04", "f05", "f00", "f01", "f02"));
  EXPECT_THAT(set.PathsOfEpoch(1),
              ElementsAre("f04", "f02", "f05", "f03", "f00", "f01"));
}

TEST(FileSetTest, EpochsAndSeedsHaveOrdersOfTheirOwn) {
  std::set<Paths> orders;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const FileSet set = SetOf(Files(30), Shard(0, 1), {.shuffle_seed = seed});
    for (int64_t epoch = 0; epoch < 8; ++epoch) {
      orders.insert(set.PathsOfEpoch(epoch));
      EXPECT_EQ(set.PathsOfEpoch(epoch), set.PathsOfEpoch(epoch));
    }
  }
  EXPECT_EQ(orders.size(), 64u);
}

TEST(FileSetTest, HostsCompareWhatTheyRead) {
  const FileSetOptions seed = {.shuffle_seed = 0};
  const uint64_t first = SetOf(Files(4), Shard(0, 2), seed).Fingerprint();
  Paths ascending = Files(4);
  std::reverse(ascending.begin(), ascending.end());
  EXPECT_EQ(SetOf(ascending, Shard(1, 2), seed).Fingerprint(), first);
  EXPECT_NE(SetOf(Files(5), Shard(0, 2), seed).Fingerprint(), first);
  EXPECT_NE(SetOf(Files(4), Shard(0, 4), seed).Fingerprint(), first);
  EXPECT_NE(SetOf(Files(4), Shard(0, 2)).Fingerprint(), first);
  EXPECT_NE(SetOf(Files(4), Shard(0, 2), {.shuffle_seed = 1}).Fingerprint(),
            first);
  EXPECT_NE(SetOf({"ab", "c"}, Shard(0, 1)).Fingerprint(),
            SetOf({"a", "bc"}, Shard(0, 1)).Fingerprint());
}

void ExpectInvalid(const absl::StatusOr<FileSet>& set,
                   const ::testing::Matcher<std::string>& message) {
  EXPECT_EQ(set.status().code(), absl::StatusCode::kInvalidArgument)
      << set.status();
  EXPECT_THAT(std::string(set.status().message()), message);
}

TEST(FileSetTest, WhatCannotBeReadByAllShardsIsRefused) {
  ExpectInvalid(FileSet::Create({}, Shard(0, 1)), HasSubstr("found none"));
  ExpectInvalid(FileSet::Create(Files(3), Shard(0, 4)),
                AllOf(HasSubstr("4 shards"), HasSubstr("found 3"),
                      HasSubstr("from f00 to f02")));
  ExpectInvalid(FileSet::Create({"b", "a", "b"}, Shard(0, 1)),
                HasSubstr("b is there twice"));
  ExpectInvalid(FileSet::Create(Files(3), Shard(2, 2)),
                HasSubstr("shard 2 of 2"));
  ExpectInvalid(FileSet::Create(Files(3), Shard(-1, 2)),
                HasSubstr("shard -1 of 2"));
  ExpectInvalid(FileSet::Create(Files(3), Shard(0, 0)),
                HasSubstr("shard 0 of 0"));
}

}  // namespace
}  // namespace lockstep
