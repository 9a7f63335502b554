#include "runtime/collectives/ucx/outbound_messages.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(OutboundMessages, KeepsWhatIsNotConfirmed) {
  OutboundMessages outbound;
  for (uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(outbound.Add({std::to_string(i), nullptr}), i);
  }
  outbound.Confirm(2);
  outbound.Confirm(1);  // an older one that came late
  EXPECT_EQ(outbound.first(), 2u);
  ASSERT_EQ(outbound.messages().size(), 2u);
  EXPECT_EQ(outbound.messages()[0].header, "2");
  EXPECT_EQ(outbound.Add({"4", nullptr}), 4u);
}

TEST(OutboundMessages, ConfirmationOfWhatWasNotSentIsCut) {
  OutboundMessages outbound;
  outbound.Add({"0", nullptr});
  outbound.Confirm(1000);
  EXPECT_EQ(outbound.first(), 1u);
  EXPECT_EQ(outbound.Add({"1", nullptr}), 1u);
}

TEST(OutboundMessages, HoldsPayloadsUntilTheyAreConfirmed) {
  OutboundMessages outbound;
  auto payload = MessageBufferPool().Get(8);
  outbound.Add({"0", payload});
  EXPECT_EQ(payload.use_count(), 2);
  outbound.Confirm(1);
  EXPECT_EQ(payload.use_count(), 1);
}

}  // namespace
}  // namespace lockstep::internal
