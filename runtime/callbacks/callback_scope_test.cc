#include "runtime/callbacks/callback_scope.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

TEST(CallbackScopeTest, OnlyItsOwnThreadIsWithin) {
  EXPECT_TRUE(CallbackScope::CheckOutside().ok());
  {
    const std::string callback = "a.cc:1: io_callback";
    const CallbackScope scope(callback);
    EXPECT_EQ(StatusLine(CallbackScope::CheckOutside()),
              "FAILED_PRECONDITION: a.cc:1: io_callback: a callback cannot "
              "launch programs, meet other hosts or leave the cluster: the "
              "launch that calls it would wait for itself");
    std::thread([] { EXPECT_TRUE(CallbackScope::CheckOutside().ok()); }).join();
  }
  EXPECT_TRUE(CallbackScope::CheckOutside().ok());
}

}  // namespace
}  // namespace lockstep::internal
