#include "runtime/collectives/ucx/inbound_stream.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

InboundStream::Message Message(const std::string& header, bool is_complete,
                               uint64_t connection = 1) {
  return {header, nullptr, is_complete, connection};
}

TEST(InboundStream, SmallMessageWaitsForTheLargeOneBeforeIt) {
  InboundStream stream;
  EXPECT_TRUE(stream.Add(0, Message("large", false)));
  EXPECT_TRUE(stream.Add(1, Message("small", true)));
  EXPECT_FALSE(stream.Next().has_value());
  EXPECT_EQ(stream.received(), 0u);
  stream.Complete(1, 0);
  EXPECT_EQ(stream.Next()->header, "large");
  EXPECT_EQ(stream.Next()->header, "small");
  EXPECT_FALSE(stream.Next().has_value());
  EXPECT_EQ(stream.received(), 2u);
}

TEST(InboundStream, NewConnectionBringsWhatTheOldOneDidNotComplete) {
  InboundStream stream;
  EXPECT_TRUE(stream.Add(0, Message("first", false, 1)));
  EXPECT_TRUE(stream.Add(1, Message("second", true, 1)));
  EXPECT_TRUE(stream.Add(0, Message("first again", true, 2)));
  stream.Complete(1, 0);  // of the one that was replaced
  EXPECT_EQ(stream.Next()->header, "first again");
  EXPECT_FALSE(stream.Add(1, Message("second again", true, 2)));
  EXPECT_EQ(stream.Next()->header, "second");
}

TEST(InboundStream, BytesOfAFormerConnectionDoNotCompleteTheRepetition) {
  InboundStream stream;
  EXPECT_TRUE(stream.Add(0, Message("first", false, 1)));
  EXPECT_TRUE(stream.Add(0, Message("first again", false, 2)));
  stream.Complete(1, 0);
  EXPECT_FALSE(stream.Next().has_value());
  stream.Complete(2, 0);
  EXPECT_EQ(stream.Next()->header, "first again");
}

TEST(InboundStream, RepetitionIsRefused) {
  InboundStream stream;
  EXPECT_TRUE(stream.Add(0, Message("first", true)));
  EXPECT_FALSE(stream.Add(0, Message("again", true)));
  EXPECT_FALSE(stream.Add(0, Message("again", true, 2)));
  EXPECT_EQ(stream.Next()->header, "first");
  EXPECT_FALSE(stream.Add(0, Message("again", true, 3)));
}

}  // namespace
}  // namespace lockstep::internal
