#include "client/profile/profile_json.h"

#include <map>
#include <set>

#include "client/profile/profile_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

LaunchLimits Limits() { return {1e9, 1e9, "copies", "products"}; }

nlohmann::json Parsed(const LaunchProfile& profile) {
  return nlohmann::json::parse(ProfileJson(profile, Limits()));
}

TEST(ProfileJsonTest, EveryDeviceHasATrackThatIsNamed) {
  const nlohmann::json json = Parsed(TwoDevices());
  std::map<std::string, int> names;
  for (const auto& event : json["traceEvents"]) {
    if (event["ph"] == "M") names[event["args"]["name"]] = event["tid"];
  }
  EXPECT_THAT(names, ElementsAre(Pair("device 0", 0), Pair("device 1", 2),
                                 Pair("host 0 (a)", 0), Pair("host 1 (b)", 0)));
}

TEST(ProfileJsonTest, EventsAreCompleteAndSayWhatTheyAre) {
  const nlohmann::json json = Parsed(TwoDevices());
  std::vector<nlohmann::json> events;
  for (const auto& event : json["traceEvents"]) {
    if (event["ph"] == "X" && event["pid"] == 0) events.push_back(event);
  }
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[1]["name"], "fusion of 2");
  EXPECT_EQ(events[1]["ts"], 10);
  EXPECT_EQ(events[1]["dur"], 10);
  EXPECT_EQ(events[1]["args"]["ops"], "add, tanh");
  EXPECT_EQ(events[1]["args"]["bytes"], 10'000);
  EXPECT_EQ(events[3]["args"]["iteration"], 1);
  EXPECT_EQ(events[2]["args"]["waiting_us"], 5);
  EXPECT_FALSE(events[0]["args"].contains("iteration"));
}

TEST(ProfileJsonTest, WhatRunsBesideHasATrackOfItsOwn) {
  LaunchProfile profile = TwoDevices();
  for (DeviceProfile& device : profile.devices) {
    device.thunks[2].is_beside = true;
  }
  std::set<int> tracks;
  std::set<std::string> names;
  const nlohmann::json json = Parsed(profile);
  for (const auto& event : json["traceEvents"]) {
    if (event["name"] == "all_reduce") tracks.insert(event["tid"].get<int>());
    if (event["ph"] == "M") names.insert(event["args"]["name"]);
  }
  EXPECT_THAT(tracks, ElementsAre(1, 3));
  EXPECT_TRUE(names.contains("device 1, collectives"));
}

TEST(ProfileJsonTest, TheTablesTimesAreTheSumsOfTheEvents) {
  const nlohmann::json json = Parsed(TwoDevices());
  std::map<int, double> sums;
  for (const auto& event : json["traceEvents"]) {
    if (event["ph"] == "X") {
      sums[event["args"]["thunk"]] += event["dur"].get<double>();
    }
  }
  for (const auto& row : json["lockstep"]["thunks"]) {
    EXPECT_DOUBLE_EQ(row["total_seconds"].get<double>() * 1e6,
                     sums[row["thunk"]]);
  }
}

TEST(ProfileJsonTest, SaysHowMuchWasLeftOut) {
  LaunchProfile profile = TwoDevices();
  profile.devices[1].events.clear();
  profile.devices[1].events_left_out = 5;
  const nlohmann::json json = Parsed(profile);
  EXPECT_EQ(json["lockstep"]["events_left_out"], 5);
  EXPECT_EQ(json["lockstep"]["devices"][1]["events_left_out"], 5);
  EXPECT_EQ(json["lockstep"]["limits"]["bytes_per_second_of"], "copies");
}

TEST(ProfileJsonTest, LocationsMayBeOfAnyBytes) {
  LaunchProfile profile = TwoDevices();
  profile.devices[0].thunks[0].location = "\xff\"\n";
  EXPECT_TRUE(Parsed(profile).is_object());
}

}  // namespace
}  // namespace lockstep::internal
