// The cases in two views, in processes of this test: the host view of a cluster
// of one with eight devices, and the global view of two hosts with four each.
// Hosts of several: tests/multihost/pmap_host_view_test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <tuple>

#include "client/client.h"
#include "client/host/recording_view.h"
#include "tests/pmap/pmap_setting.h"

namespace lockstep::internal {
namespace {

enum class In { kHostView, kGlobalView };

std::shared_ptr<View> ViewOf(In in) {
  if (in == In::kHostView) {
    const char* const platform = std::getenv("LOCKSTEP_PLATFORM");
    static const auto& view = *new auto(
        RecordingView::Create(8, platform == nullptr ? "" : platform));
    return view;
  }
  // Ends with the process, which its processes do as well.
  static const auto& client =
      *new auto(Client::Embedded({.hosts = 2, .devices_per_host = 4}));
  EXPECT_TRUE(client.ok()) << client.status();
  return client.ok() ? client->view() : nullptr;
}

class PmapCasesTest : public testing::TestWithParam<std::tuple<In, PmapCase>> {
};

TEST_P(PmapCasesTest, Holds) {
  const std::shared_ptr<View> view = ViewOf(std::get<In>(GetParam()));
  ASSERT_NE(view, nullptr);
  PmapSetting setting(view, 1, 0);
  std::get<PmapCase>(GetParam()).run(setting);
  EXPECT_THAT(setting.failures(), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, PmapCasesTest,
                         testing::Combine(testing::Values(In::kHostView,
                                                          In::kGlobalView),
                                          testing::ValuesIn(AllPmapCases())),
                         [](const auto& info) {
                           const bool is_host =
                               std::get<In>(info.param) == In::kHostView;
                           return (is_host ? "HostView" : "GlobalView") +
                                  std::get<PmapCase>(info.param).name;
                         });

}  // namespace
}  // namespace lockstep::internal
