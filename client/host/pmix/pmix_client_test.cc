// M-16: what is said where there is no PMIx. With a launcher,
// deploy/checks/mpirun.sh.
#include "client/host/pmix/pmix_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

TEST(PmixClientTest, WithoutALibraryItSaysWhichWereLookedFor) {
  const auto client = PmixClient::Connect({"libnowhere.so.2", "libnone.so"});
  EXPECT_EQ(client.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(client.status().message()),
              HasSubstr("libnowhere.so.2"));
  EXPECT_THAT(std::string(client.status().message()), HasSubstr("libnone.so"));
}

TEST(PmixClientTest, AnotherLibraryIsNone) {
  const auto client = PmixClient::Connect({"libm.so.6"});
  EXPECT_EQ(client.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(client.status().message()), HasSubstr("PMIx_Init"));
}

}  // namespace
}  // namespace lockstep::internal
