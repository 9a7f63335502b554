#include "runtime/collectives/ucx/inbound_messages.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

InboundMessages::Message Message(const std::string& header, bool is_complete,
                                 uint64_t connection = 1) {
  return {header, nullptr, is_complete, connection};
}

TEST(InboundMessages, SmallMessageWaitsForTheLargeOneBeforeIt) {
  InboundMessages inbound;
  EXPECT_TRUE(inbound.Add(0, Message("large", false)));
  EXPECT_TRUE(inbound.Add(1, Message("small", true)));
  EXPECT_FALSE(inbound.Next().has_value());
  EXPECT_EQ(inbound.received(), 0u);
  inbound.Complete(1, 0);
  EXPECT_EQ(inbound.Next()->header, "large");
  EXPECT_EQ(inbound.Next()->header, "small");
  EXPECT_FALSE(inbound.Next().has_value());
  EXPECT_EQ(inbound.received(), 2u);
}

TEST(InboundMessages, NewConnectionBringsWhatTheOldOneDidNotComplete) {
  InboundMessages inbound;
  EXPECT_TRUE(inbound.Add(0, Message("first", false, 1)));
  EXPECT_TRUE(inbound.Add(1, Message("second", true, 1)));
  EXPECT_TRUE(inbound.Add(0, Message("first again", true, 2)));
  inbound.Complete(1, 0);  // of the one that was replaced
  EXPECT_EQ(inbound.Next()->header, "first again");
  EXPECT_FALSE(inbound.Add(1, Message("second again", true, 2)));
  EXPECT_EQ(inbound.Next()->header, "second");
}

TEST(InboundMessages, BytesOfAFormerConnectionDoNotCompleteTheRepetition) {
  InboundMessages inbound;
  EXPECT_TRUE(inbound.Add(0, Message("first", false, 1)));
  EXPECT_TRUE(inbound.Add(0, Message("first again", false, 2)));
  inbound.Complete(1, 0);
  EXPECT_FALSE(inbound.Next().has_value());
  inbound.Complete(2, 0);
  EXPECT_EQ(inbound.Next()->header, "first again");
}

TEST(InboundMessages, RepetitionIsRefused) {
  InboundMessages inbound;
  EXPECT_TRUE(inbound.Add(0, Message("first", true)));
  EXPECT_FALSE(inbound.Add(0, Message("again", true)));
  EXPECT_FALSE(inbound.Add(0, Message("again", true, 2)));
  EXPECT_EQ(inbound.Next()->header, "first");
  EXPECT_FALSE(inbound.Add(0, Message("again", true, 3)));
}

}  // namespace
}  // namespace lockstep::internal
