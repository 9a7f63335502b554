#include "runtime/worker/host_address.h"

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

TEST(HostAddress, LoopbackIsKnown) {
  EXPECT_TRUE(IsLoopback("lo"));
  EXPECT_FALSE(IsLoopback("nonesuch0"));
}

TEST(HostAddress, SomeHostsStandForAllAddressesOfAMachine) {
  for (const char* host : {"", "0.0.0.0", "[::]", "*"}) {
    EXPECT_TRUE(IsAnyAddress(host)) << host;
  }
  for (const char* host : {"10.0.0.5", "[::1]", "gpu01"}) {
    EXPECT_FALSE(IsAnyAddress(host)) << host;
  }
}

TEST(HostAddress, TowardsLoopbackIsLoopback) {
  for (const char* target : {"127.0.0.1:7070", "localhost:7070"}) {
    const auto address = AddressTowards(target);
    ASSERT_TRUE(address.ok()) << address.status();
    EXPECT_EQ(address->ip, "127.0.0.1");
    EXPECT_EQ(address->interface, "lo");
    EXPECT_EQ(address->WithPort(80), "127.0.0.1:80");
  }
}

TEST(HostAddress, OnAnInterfaceByNameAndByAddress) {
  for (const char* interface : {"lo", "127.0.0.1"}) {
    const auto address = AddressOn(interface);
    ASSERT_TRUE(address.ok()) << address.status();
    EXPECT_EQ(address->ip, "127.0.0.1");
    EXPECT_EQ(address->interface, "lo");
  }
}

TEST(HostAddress, V6IsInBrackets) {
  EXPECT_EQ((HostAddress{"fd00::5", "eth0"}).WithPort(80), "[fd00::5]:80");
}

TEST(HostAddress, UnknownInterfaceListsThoseThereAre) {
  const auto address = AddressOn("nonesuch0");
  EXPECT_EQ(address.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(address.status().message()),
              testing::AllOf(HasSubstr("nonesuch0"), HasSubstr("lo")));
}

TEST(HostAddress, TargetWithoutPortIsInvalid) {
  for (const char* target : {"gpu03", ":7070", ""}) {
    EXPECT_EQ(AddressTowards(target).status().code(),
              absl::StatusCode::kInvalidArgument)
        << target;
  }
}

TEST(HostAddress, UnknownNameIsUnavailableAfterTheDeadline) {
  const auto address =
      FindHostAddress("no-such-name.invalid:7070", "", absl::Now());
  EXPECT_EQ(address.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(address.status().message()),
              HasSubstr("no-such-name.invalid"));
}

}  // namespace
}  // namespace lockstep::internal
