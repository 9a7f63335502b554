#include "proto/convert_profile.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

DeviceProfile Profile() {
  DeviceProfile profile;
  profile.device = GlobalDeviceId(3);
  profile.flattened_id = 1;
  profile.threads = 2;
  profile.begin = absl::FromUnixNanos(1'700'000'000'123'456'789);
  profile.duration = absl::Microseconds(7);
  profile.thunks.resize(2);
  profile.thunks[0].kind = "while";
  profile.thunks[1].kind = "all_reduce";
  profile.thunks[1].ops = "add";
  profile.thunks[1].location = "m.mlir:3:4";
  profile.thunks[1].parent = 0;
  profile.thunks[1].bytes = 64;
  profile.thunks[1].flops = 1.5;
  profile.thunks[1].is_beside = true;
  profile.thunks[1].groups = {{0, 2}, {1, 3}};
  profile.times.resize(2);
  profile.times[1] = {3, absl::Nanoseconds(9), absl::Nanoseconds(1),
                      absl::Nanoseconds(2), absl::Nanoseconds(5)};
  profile.events = {{1, 2, absl::Nanoseconds(10), absl::Nanoseconds(5)}};
  profile.events_left_out = 2;
  return profile;
}

TEST(ConvertProfileTest, ComesBackAsItWas) {
  const DeviceProfile sent = Profile();
  const auto received = ProfileOf(ProfileBytes(sent));
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->device, sent.device);
  EXPECT_EQ(received->flattened_id, sent.flattened_id);
  EXPECT_EQ(received->threads, sent.threads);
  EXPECT_EQ(received->begin, sent.begin);
  EXPECT_EQ(received->duration, sent.duration);
  EXPECT_EQ(received->thunks, sent.thunks);
  EXPECT_EQ(received->times, sent.times);
  EXPECT_EQ(received->events, sent.events);
  EXPECT_EQ(received->events_left_out, sent.events_left_out);
}

TEST(ConvertProfileTest, NamesMayBeOfAnyBytes) {
  DeviceProfile sent = Profile();
  sent.thunks[1].location = "caf\xe9.py:3:4";
  const auto received = ProfileOf(ProfileBytes(sent));
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->thunks[1].location, "caf?.py:3:4");
}

TEST(ConvertProfileTest, WhatNamesAThunkThatIsNotThereIsRefused) {
  DeviceProfile event = Profile();
  event.events[0].thunk = 2;
  DeviceProfile parent = Profile();
  parent.thunks[1].parent = 1;
  for (const std::string& bytes :
       {ProfileBytes(event), ProfileBytes(parent), std::string("\xff\xff")}) {
    EXPECT_EQ(ProfileOf(bytes).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace lockstep::internal
