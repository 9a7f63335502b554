#include "runtime/collectives/ucx/inbound_stream.h"

#include "gtest/gtest.h"

namespace lockstep {
namespace {

InboundStream::Message Message(const std::string& header, bool is_complete) {
  return {header, nullptr, is_complete, false};
}

TEST(InboundStream, SmallMessageWaitsForTheLargeOneBeforeIt) {
  InboundStream stream;
  EXPECT_TRUE(stream.Add(1, 0, Message("large", false)));
  EXPECT_TRUE(stream.Add(1, 1, Message("small", true)));
  EXPECT_FALSE(stream.Next().has_value());
  stream.Complete(1, 0);
  EXPECT_EQ(stream.Next()->header, "large");
  EXPECT_EQ(stream.Next()->header, "small");
  EXPECT_FALSE(stream.Next().has_value());
}

TEST(InboundStream, NewConnectionDropsWhatIsLeftOfTheOldOne) {
  InboundStream stream;
  EXPECT_TRUE(stream.Add(1, 0, Message("old", false)));
  EXPECT_TRUE(stream.Add(2, 0, Message("new", true)));
  EXPECT_EQ(stream.Next()->header, "new");
  stream.Complete(1, 0);
  EXPECT_FALSE(stream.Add(1, 1, Message("late", true)));
  EXPECT_FALSE(stream.Next().has_value());
}

TEST(InboundStream, RepetitionIsRefused) {
  InboundStream stream;
  EXPECT_TRUE(stream.Add(1, 0, Message("first", true)));
  EXPECT_FALSE(stream.Add(1, 0, Message("again", true)));
  EXPECT_EQ(stream.Next()->header, "first");
  EXPECT_FALSE(stream.Add(1, 0, Message("again", true)));
}

}  // namespace
}  // namespace lockstep
