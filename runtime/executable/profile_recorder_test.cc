#include "runtime/executable/profile_recorder.h"

#include <memory>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/executable/copy_thunk.h"
#include "runtime/executable/host_while_thunk.h"
#include "runtime/executable/thunk_sequence.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

std::unique_ptr<Thunk> Copy(int64_t bytes) {
  return std::make_unique<CopyThunk>("m.mlir:1:1", BufferSlice{0, 0, bytes},
                                     BufferSlice{1, 0, bytes});
}

// A copy, and a loop whose condition and body are one thunk each.
struct Program {
  Program() {
    ThunkSequence condition, body;
    condition.Append(Copy(1));
    body.Append(Copy(8));
    body.thunks()[0]->SetWork({.flops = 3, .bytes = 5, .ops = "add"});
    thunks.Append(Copy(4));
    thunks.Append(std::make_unique<HostWhileThunk>(
        "m.mlir:2:1", std::move(condition), BufferSlice{2, 0, 1},
        std::move(body)));
    before = thunks.thunks()[0].get();
    loop = thunks.thunks()[1].get();
    this->condition = loop->nested()[0]->thunks()[0].get();
    this->body = loop->nested()[1]->thunks()[0].get();
  }

  ThunkSequence thunks;
  const Thunk* before;
  const Thunk* loop;
  const Thunk* condition;
  const Thunk* body;
};

// Every look at its clock is a nanosecond after the one before.
class Recording {
 public:
  explicit Recording(int64_t most_events)
      : recorder_(program_.thunks, {most_events, [this] { return ++now_; }}) {}

  void Execute(const Thunk& thunk) {
    recorder_.Begin(thunk);
    recorder_.End();
  }
  // The loop twice, of 2 and of 1 turns.
  DeviceProfile Run() {
    recorder_.BeginLaunch(absl::UnixEpoch());
    Execute(*program_.before);
    for (int turns : {2, 1}) {
      recorder_.Begin(*program_.loop);
      for (int i = 0; i < turns; ++i) {
        Execute(*program_.condition);
        Execute(*program_.body);
      }
      Execute(*program_.condition);
      recorder_.End();
    }
    recorder_.EndLaunch();
    return recorder_.Take();
  }

 private:
  Program program_;
  int64_t now_ = 0;
  ProfileRecorder recorder_;
};

TEST(ProfileRecorderTest, ThunksComeInOrderWithTheirOwnersAndWork) {
  const DeviceProfile profile = Recording(100).Run();
  ASSERT_EQ(profile.thunks.size(), 4u);
  std::vector<int32_t> parents;
  std::vector<int64_t> bytes;
  for (const ProfiledThunk& thunk : profile.thunks) {
    parents.push_back(thunk.parent);
    bytes.push_back(thunk.bytes);
  }
  EXPECT_THAT(parents, ElementsAre(-1, -1, 1, 1));
  EXPECT_THAT(bytes, ElementsAre(8, 0, 2, 5));
  EXPECT_EQ(profile.thunks[1].kind, "while");
  EXPECT_EQ(profile.thunks[3].flops, 3);
  EXPECT_EQ(profile.thunks[3].ops, "add");
}

TEST(ProfileRecorderTest, NestedTimeIsPartOfTheOwners) {
  const DeviceProfile profile = Recording(100).Run();
  std::vector<int64_t> counts;
  for (const ThunkTimes& times : profile.times) counts.push_back(times.count);
  EXPECT_THAT(counts, ElementsAre(1, 2, 5, 3));
  const ThunkTimes& loop = profile.times[1];
  // Two looks at the clock for each thunk in it, and one at its end.
  EXPECT_EQ(loop.total, absl::Nanoseconds(2 * 5 + 1 + 2 * 3 + 1));
  EXPECT_EQ(loop.nested, absl::Nanoseconds(5 + 3));
  EXPECT_EQ(loop.nested, profile.times[2].total + profile.times[3].total);
  EXPECT_EQ(loop.longest, absl::Nanoseconds(11));
  EXPECT_EQ(profile.times[0].total, absl::Nanoseconds(1));
}

TEST(ProfileRecorderTest, IterationsCountFromZeroInEveryRunOfTheLoop) {
  const DeviceProfile profile = Recording(100).Run();
  std::vector<int64_t> iterations;
  for (const ThunkEvent& event : profile.events) {
    if (event.thunk == 2) iterations.push_back(event.iteration);
  }
  EXPECT_THAT(iterations, ElementsAre(0, 1, 2, 0, 1));
}

TEST(ProfileRecorderTest, EventsLieInTheirOwners) {
  const DeviceProfile profile = Recording(100).Run();
  ASSERT_EQ(profile.events.size(), 11u);
  EXPECT_EQ(profile.events_left_out, 0);
  for (size_t i = 1; i < profile.events.size(); ++i) {
    EXPECT_GT(profile.events[i].start, profile.events[i - 1].start);
  }
  const ThunkEvent& loop = profile.events[1];
  ASSERT_EQ(loop.thunk, 1);
  for (size_t i = 2; i < 7; ++i) {
    const ThunkEvent& inner = profile.events[i];
    EXPECT_GT(inner.start, loop.start);
    EXPECT_LT(inner.start + inner.duration, loop.start + loop.duration);
  }
}

TEST(ProfileRecorderTest, WhatIsTooMuchIsInTheSumsAlone) {
  for (int64_t most : {0, 1, 2, 10, 11}) {
    const DeviceProfile profile = Recording(most).Run();
    EXPECT_EQ(static_cast<int64_t>(profile.events.size()), most);
    EXPECT_EQ(profile.events_left_out, 11 - most);
    EXPECT_EQ(profile.times[3].count, 3);
    for (const ThunkEvent& event : profile.events) {
      EXPECT_GT(event.duration, absl::ZeroDuration());
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
