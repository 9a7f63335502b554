#include "proto/security/plain_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(PlainText, LoopbackNeedsNothing) {
  for (const char* address : {"127.0.0.1:0", "127.8.9.10:55527", "[::1]:55527",
                              "[::ffff:127.0.0.1]:1", "localhost:55527"}) {
    EXPECT_TRUE(CheckMayBePlain(address).ok()) << address;
  }
}

TEST(PlainText, OtherAddressesAreRefusedWithWhatToDo) {
  for (const char* address :
       {"10.0.0.1:55527", "0.0.0.0:0", "[::]:55527", "[2001:db8::1]:1",
        "[::ffff:10.0.0.1]:1", "128.0.0.1:1", "no-such-host.invalid:1"}) {
    const absl::Status status = CheckMayBePlain(address);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << address;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr(address), HasSubstr("--security-dir"),
                      HasSubstr("--insecure")));
  }
}

TEST(PlainText, WhatIsNoAddressIsInvalid) {
  for (const char* address : {"", "127.0.0.1", ":1", "127.0.0.1:"}) {
    EXPECT_EQ(CheckMayBePlain(address).code(),
              absl::StatusCode::kInvalidArgument)
        << address;
  }
}

}  // namespace
}  // namespace lockstep::internal
