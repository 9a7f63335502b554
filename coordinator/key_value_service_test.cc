// Spec M-22, the waiting part.
#include <string>
#include <vector>

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Answer<int64_t> Put(SimulatedCluster& cluster, int worker,
                    const std::string& key, const std::string& value,
                    PutOptions options = {}) {
  Answer<int64_t> answer;
  cluster.coordinator.Put(cluster[worker].incarnation(), key, value, options,
                          answer.done());
  return answer;
}

Answer<std::string> Get(SimulatedCluster& cluster, int worker,
                        const std::string& key,
                        absl::Duration timeout = absl::ZeroDuration()) {
  Answer<std::string> answer;
  cluster.coordinator.Get(cluster[worker].incarnation(), key, timeout,
                          answer.done());
  return answer;
}

TEST(KeyValueService, GetWaitsForTheKey) {
  auto cluster = SimulatedCluster::Joined(2);
  auto get = Get(*cluster, 0, "/a//b");
  EXPECT_FALSE(get.has_come());
  ASSERT_TRUE(Put(*cluster, 1, "a/b/", "v").status().ok());
  EXPECT_EQ(*get.get(), "v");
}

// M-29.
TEST(KeyValueService, GetEndsAtItsDeadline_OrTheDefault) {
  CoordinatorOptions options;
  options.key_wait = absl::Seconds(9);
  auto cluster = SimulatedCluster::Joined(1, 2, options);
  auto given = Get(*cluster, 0, "k", absl::Seconds(2));
  auto standard = Get(*cluster, 0, "k");
  cluster->Pass(absl::Seconds(2));
  EXPECT_EQ(given.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(given.message(), AllOf(HasSubstr("'k'"), HasSubstr("2s")));
  EXPECT_FALSE(standard.has_come());
  cluster->Pass(absl::Seconds(7));
  EXPECT_EQ(standard.status().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST(KeyValueService, AnEmptyKeyIsRefusedAtOnce) {
  auto cluster = SimulatedCluster::Joined(1);
  EXPECT_EQ(Get(*cluster, 0, "//").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(KeyValueService, ATakenKeyNamesItsWriter) {
  auto cluster = SimulatedCluster::Joined(2);
  Put(*cluster, 1, "k", "v");
  auto again = Put(*cluster, 0, "k", "w");
  EXPECT_EQ(again.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(again.message(), HasSubstr("host 1 (b)"));
}

TEST(KeyValueService, WatchWaitsForAChange) {
  auto cluster = SimulatedCluster::Joined(2);
  const int64_t revision = *Put(*cluster, 0, "a/x", "1").get();
  Answer<std::vector<KeyChange>> watch;
  cluster->coordinator.Watch((*cluster)[1].incarnation(), "a", revision,
                             absl::Seconds(5), watch.done());
  Put(*cluster, 0, "b", "2");
  EXPECT_FALSE(watch.has_come());
  Put(*cluster, 0, "a/y", "3");
  ASSERT_TRUE(watch.status().ok());
  EXPECT_THAT(*watch.get(),
              ElementsAre(KeyChange{"a/y", "3", false, revision + 2}));
  Answer<std::vector<KeyChange>> late;
  cluster->coordinator.Watch((*cluster)[1].incarnation(), "a", revision + 2,
                             absl::Seconds(5), late.done());
  cluster->Pass(absl::Seconds(5));
  EXPECT_EQ(late.status().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST(KeyValueService, ALeaseEndsWithItsHost) {
  auto cluster = SimulatedCluster::Joined(2);
  Put(*cluster, 0, "leased", "v",
      {.overwrite = false, .lease = (*cluster)[1].incarnation()});
  Put(*cluster, 1, "kept", "v");
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  Answer<std::vector<KeyValue>> list;
  cluster->coordinator.List((*cluster)[0].incarnation(), "", list.done());
  ASSERT_EQ(list.get()->size(), 1u);
  EXPECT_EQ(list.get()->front().key, "kept");
}

TEST(KeyValueService, ALeaseOnADeadIncarnationIsRefused) {
  auto cluster = SimulatedCluster::Joined(2);
  auto put = Put(*cluster, 0, "k", "v",
                 {.overwrite = false, .lease = Incarnation(555)});
  EXPECT_EQ(put.status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(KeyValueService, AFailureOfTheClusterEndsWaits) {
  auto cluster = SimulatedCluster::Joined(2);
  auto get = Get(*cluster, 0, "k", absl::Seconds(100));
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  EXPECT_EQ(get.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(OriginOf(get.status())->id, HostId(1));
}

}  // namespace
}  // namespace lockstep::internal
