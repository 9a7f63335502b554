#include "runtime/collectives/ucx/outbound_stream.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(OutboundStream, KeepsWhatIsNotConfirmed) {
  OutboundStream stream;
  for (uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(stream.Add({std::to_string(i), nullptr}), i);
  }
  stream.Confirm(2);
  stream.Confirm(1);  // an older one that came late
  EXPECT_EQ(stream.first(), 2u);
  ASSERT_EQ(stream.messages().size(), 2u);
  EXPECT_EQ(stream.messages()[0].header, "2");
  EXPECT_EQ(stream.Add({"4", nullptr}), 4u);
}

TEST(OutboundStream, ConfirmationOfWhatWasNotSentIsCut) {
  OutboundStream stream;
  stream.Add({"0", nullptr});
  stream.Confirm(1000);
  EXPECT_EQ(stream.first(), 1u);
  EXPECT_EQ(stream.Add({"1", nullptr}), 1u);
}

TEST(OutboundStream, HoldsPayloadsUntilTheyAreConfirmed) {
  OutboundStream stream;
  auto payload = MessageBufferPool().Get(8);
  stream.Add({"0", payload});
  EXPECT_EQ(payload.use_count(), 2);
  stream.Confirm(1);
  EXPECT_EQ(payload.use_count(), 1);
}

}  // namespace
}  // namespace lockstep::internal
