#include "client/checkpoint/host_save.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "client/host/recording_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// Hosts that write nothing, and put manifests in place as they are told.
class FakeHosts : public CheckpointHosts {
 public:
  absl::StatusOr<bool> MayUse(const std::string&,
                              const std::set<HostId>&) override {
    return true;
  }
  absl::StatusOr<std::vector<std::string>> Write(
      const std::string&, const std::string& manifest, absl::Span<const Source>,
      const std::function<void()>&) override {
    return std::vector<std::string>{manifest};
  }
  absl::Status PutInPlace(const std::string&, const std::string&,
                          const std::set<HostId>&) override {
    return outcome;
  }
  void GiveUp(const std::string&, absl::Span<const std::string> manifests,
              const std::set<HostId>&) override {
    given_up.assign(manifests.begin(), manifests.end());
  }
  absl::StatusOr<std::string> Read(const std::string&,
                                   const std::set<HostId>&) override {
    return absl::UnimplementedError("read");
  }
  absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Restore(
      const std::string&, const std::string&,
      absl::Span<const Target>) override {
    return absl::UnimplementedError("restore");
  }

  absl::Status outcome;
  std::vector<std::string> given_up;
};

TEST(HostSave, OnlyFilesThatNoManifestCanNameAreGivenUp) {
  const auto given_up_after = [](absl::Status outcome) {
    FakeHosts hosts;
    hosts.outcome = outcome;
    HostSave save(&hosts, "/folder", {RecordingView::Create(8), {HostId(0)}});
    EXPECT_TRUE(save.Plan(Tree<Array>::Map({})).ok());
    EXPECT_TRUE(save.Write(nullptr).ok());
    EXPECT_EQ(save.PutInPlace(), outcome);
    save.GiveUp();
    return hosts.given_up;
  };
  EXPECT_THAT(given_up_after(absl::OkStatus()), IsEmpty());
  // The reply may be what was lost.
  EXPECT_THAT(given_up_after(absl::AbortedError("lost")), IsEmpty());
  EXPECT_THAT(given_up_after(absl::UnavailableError("lost")), IsEmpty());
  EXPECT_THAT(given_up_after(absl::UnknownError("disk")), IsEmpty());
  EXPECT_THAT(given_up_after(absl::FailedPreconditionError("files")),
              SizeIs(1));
  EXPECT_THAT(given_up_after(absl::DataLossError("files")), SizeIs(1));
}

}  // namespace
}  // namespace lockstep::internal
