// M-16: at which address Open MPI's mpirun is.
#include "client/host/launcher/contact_uri.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

TEST(ContactUriTest, HostIsTheFirstAddressThatOtherMachinesReach) {
  const struct {
    const char* uri;
    const char* host;
  } cases[] = {
      {"1531576320.0;tcp://10.96.0.1,10.148.0.1,10.108.0.1:34911", "10.96.0.1"},
      {"1314521088.0;tcp6://[fe80::b9b:ac5d:9cf0:b858,2620:10d:c083:150e::3000:"
       "2]:43370",
       "[2620:10d:c083:150e::3000:2]"},
      {"7.0;tcp://169.254.3.4,127.0.0.1,10.0.0.2:1", "10.0.0.2"},
      {"7.0;tcp://10.0.0.2:1;tcp6://[fd00::2]:2", "10.0.0.2"},
      {"7.0;tcp6://[FE80::1]:2;tcp4://10.0.0.2:1", "10.0.0.2"},
      {"7.0;usock;tcp://10.0.0.2:1", "10.0.0.2"},
      // A machine without a network.
      {"7.0;tcp://127.0.0.1:1", "127.0.0.1"},
      {"7.0;tcp6://[::1]:1", "[::1]"},
  };
  for (const auto& c : cases) {
    const auto contact = ContactUri::Parse(c.uri);
    ASSERT_TRUE(contact.ok()) << contact.status();
    EXPECT_EQ(contact->host, c.host) << c.uri;
  }
  EXPECT_EQ(ContactUri::Parse(cases[0].uri)->job, 1531576320);
}

TEST(ContactUriTest, MalformedContactsAreErrorsWithTheText) {
  for (const char* uri :
       {"", "7.0", "x.0;tcp://10.0.0.2:1", "-7.0;tcp://10.0.0.2:1",
        "4294967296.0;tcp://10.0.0.2:1", "7.0;udp://10.0.0.2:1",
        "7.0;tcp://10.0.0.2", "7.0;tcp://:1", "7.0;tcp://,10.0.0.2:1"}) {
    const absl::Status status = ContactUri::Parse(uri).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << uri;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("found '" + std::string(uri) + "'"));
  }
}

}  // namespace
}  // namespace lockstep::internal
