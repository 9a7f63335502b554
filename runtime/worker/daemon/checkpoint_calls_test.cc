#include "runtime/worker/daemon/checkpoint_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "absl/types/span.h"
#include "runtime/arrays/buffer_testing.h"
#include "runtime/checkpoint/block_checksums.h"
#include "runtime/checkpoint/manifest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Of a client that is there all the time.
constexpr auto kStays = [] { return false; };

class CheckpointCallsTest : public ::testing::Test {
 protected:
  CheckpointCallsTest() : folder_(::testing::TempDir() + "/calls.XXXXXX") {
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    std::filesystem::create_directories(Permitted());
  }
  ~CheckpointCallsTest() override { std::filesystem::remove_all(folder_); }

  std::string Permitted() const { return folder_ + "/permitted"; }
  static proto::OpenCheckpointRequest Of(const std::string& folder) {
    proto::OpenCheckpointRequest request;
    request.set_folder(folder);
    return request;
  }
  absl::Status Opened(const std::string& folder, const std::string& permitted) {
    return CheckpointCalls(permitted, &placement_).Open(Of(folder)).status();
  }

  std::string folder_;
  ArrayStore arrays_;
  ArrayPlacement placement_{&arrays_};
};

TEST_F(CheckpointCallsTest, FoldersAreWithinThePermittedOne) {
  for (const std::string& permitted : {Permitted(), Permitted() + "/"}) {
    EXPECT_TRUE(Opened(Permitted(), permitted).ok());
    EXPECT_TRUE(Opened(Permitted() + "/new/one", permitted).ok());
    EXPECT_TRUE(Opened(Permitted() + "/a/../b", permitted).ok());
  }
  std::filesystem::create_directory_symlink("/", Permitted() + "/link");
  for (const std::string& outside :
       {folder_, folder_ + "/permitted2", Permitted() + "/../x",
        Permitted() + "/link/tmp", Permitted() + "/new/../link/tmp",
        std::string("permitted"), std::string()}) {
    const absl::Status status = Opened(outside, Permitted());
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << outside;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr(outside), HasSubstr(Permitted()),
                      HasSubstr("--checkpoint-dir")));
  }
}

TEST_F(CheckpointCallsTest, APermittedFolderThatCannotBeFoundPermitsNothing) {
  const std::string itself = folder_ + "/itself";
  std::filesystem::create_directory_symlink(itself, itself);
  EXPECT_EQ(Opened("/etc", itself).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(Opened(itself + "/x", itself).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(CheckpointCallsTest, ARelativePermittedFolderIsOfTheWorkingDirectory) {
  const std::string here = std::filesystem::current_path();
  EXPECT_TRUE(Opened(here + "/not-there-yet/x", "not-there-yet").ok());
  EXPECT_EQ(Opened(here + "/other", "not-there-yet").code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(CheckpointCallsTest, CommitsOfNothingMakeTheFolder) {
  CheckpointCalls calls(Permitted(), &placement_);
  Manifest manifest;
  manifest.block_bytes = kBlockBytes;
  proto::CommitCheckpointRequest commit;
  commit.set_folder(Permitted() + "/new");
  commit.set_manifest(*FormatManifest(manifest));
  const absl::Status committed = calls.Commit(commit, kStays);
  EXPECT_TRUE(committed.ok()) << committed;
  EXPECT_TRUE(std::filesystem::exists(Permitted() + "/new/" + kManifestName));
}

TEST_F(CheckpointCallsTest, NothingIsPutForAClientThatIsGone) {
  CheckpointCalls calls(Permitted(), &placement_);
  Manifest manifest;
  manifest.block_bytes = kBlockBytes;
  proto::CommitCheckpointRequest commit;
  commit.set_folder(Permitted());
  commit.set_manifest(*FormatManifest(manifest));
  ASSERT_TRUE(calls.Commit(commit, kStays).ok());
  auto open = Of(Permitted());
  open.set_reads_manifest(true);
  const std::string text = calls.Open(open)->manifest();
  proto::RestoreShardsRequest restore;
  restore.set_folder(Permitted());
  restore.set_checksum(ChecksumOf(absl::MakeConstSpan(
      reinterpret_cast<const std::byte*>(text.data()), text.size())));
  EXPECT_TRUE(calls.Restore(restore, kStays).ok());
  EXPECT_EQ(calls.Restore(restore, [] { return true; }).code(),
            absl::StatusCode::kCancelled);
}

TEST_F(CheckpointCallsTest, TheSaveOfAClientThatIsGoneIsWaitedFor) {
  CheckpointCalls calls(Permitted(), &placement_);
  Manifest manifest;
  manifest.block_bytes = kBlockBytes;
  const Shape shape(ElementType::kF32, {2});
  manifest.arrays.push_back({"w", shape, shape, {}});
  proto::SaveShardsRequest request;
  request.set_folder(Permitted());
  request.set_manifest(*FormatManifest(manifest));
  request.add_shards()->add_starts(0);
  std::atomic<bool> first_is_gone = false;
  std::thread next;
  absl::StatusOr<std::string> saved_next = absl::UnknownError("not called");
  const auto find =
      [&](const ClientHandle&,
          GlobalDeviceId) -> absl::StatusOr<std::shared_ptr<Buffer>> {
    // While the first save is under way.
    const absl::Status refused =
        calls.Save(request, nullptr, nullptr, kStays).status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(refused.message()), HasSubstr("another client"));
    first_is_gone = true;
    EXPECT_EQ(calls.Save(request, nullptr, nullptr, [] { return true; })
                  .status()
                  .code(),
              absl::StatusCode::kCancelled);
    proto::SaveShardsRequest other = request;
    other.clear_shards();
    next = std::thread([&calls, &saved_next, other] {
      saved_next = calls.Save(other, nullptr, nullptr, kStays);
    });
    return absl::CancelledError("the client is gone");
  };
  EXPECT_EQ(
      calls.Save(request, find, nullptr, [&] { return first_is_gone.load(); })
          .status()
          .code(),
      absl::StatusCode::kCancelled);
  next.join();
  EXPECT_TRUE(saved_next.ok()) << saved_next.status();
}

TEST_F(CheckpointCallsTest, ASaveEndsWhenItsClientIsGone) {
  CheckpointCalls calls(Permitted(), &placement_);
  Manifest manifest;
  manifest.block_bytes = kBlockBytes;
  const Shape shape(ElementType::kU8, {3 * kBlockBytes});
  manifest.arrays.push_back({"w", shape, shape, {}});
  proto::SaveShardsRequest request;
  request.set_folder(Permitted());
  request.set_manifest(*FormatManifest(manifest));
  request.add_shards()->add_starts(0);
  const auto find =
      [&](const ClientHandle&,
          GlobalDeviceId) -> absl::StatusOr<std::shared_ptr<Buffer>> {
    return ReadyBuffer(Literal(shape), GlobalDeviceId(0));
  };
  int asked = 0;
  EXPECT_EQ(calls.Save(request, find, nullptr, [&] { return ++asked == 2; })
                .status()
                .code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(asked, 2) << "nothing is written after that";
  EXPECT_TRUE(std::filesystem::is_empty(Permitted()));
}

TEST_F(CheckpointCallsTest, WithoutAPermittedFolderNothingIsTouched) {
  CheckpointCalls calls("", &placement_);
  const auto opened = calls.Open(Of(Permitted()));
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_FALSE(opened->is_permitted());
  proto::SaveShardsRequest save;
  save.set_folder(Permitted());
  EXPECT_EQ(calls.Save(save, nullptr, nullptr, kStays).status().code(),
            absl::StatusCode::kFailedPrecondition);
  proto::CommitCheckpointRequest commit;
  commit.set_folder(Permitted());
  EXPECT_EQ(calls.Commit(commit, kStays).code(),
            absl::StatusCode::kFailedPrecondition);
  proto::RestoreShardsRequest restore;
  restore.set_folder(Permitted());
  EXPECT_EQ(calls.Restore(restore, kStays).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(std::filesystem::is_empty(Permitted()));
}

TEST_F(CheckpointCallsTest, RequestsThatDoNotFitTheirManifestAreRefused) {
  CheckpointCalls calls(Permitted(), &placement_);
  Manifest manifest;
  manifest.block_bytes = kBlockBytes;
  const Shape shape(ElementType::kF32, {4, 2});
  manifest.arrays.push_back({"w", shape, shape, {}});
  const auto find =
      [](const ClientHandle&,
         GlobalDeviceId) -> absl::StatusOr<std::shared_ptr<Buffer>> {
    return absl::NotFoundError("no shard");
  };
  proto::SaveShardsRequest request;
  request.set_folder(Permitted());
  const auto refused = [&] {
    return calls.Save(request, find, nullptr, kStays).status();
  };
  request.set_manifest("nonsense");
  EXPECT_EQ(refused().code(), absl::StatusCode::kDataLoss) << refused();
  request.set_manifest(*FormatManifest(manifest));
  request.add_shards()->set_place(1);
  EXPECT_EQ(refused().code(), absl::StatusCode::kInvalidArgument);
  request.mutable_shards(0)->set_place(0);
  EXPECT_THAT(std::string(refused().message()),
              AllOf(HasSubstr("'w'"), HasSubstr("2 starts, found 0")));
  for (int i = 0; i < 2; ++i) request.mutable_shards(0)->add_starts(0);
  EXPECT_EQ(refused().code(), absl::StatusCode::kNotFound) << refused();
  EXPECT_THAT(std::string(refused().message()), HasSubstr("array 'w'"));
  // What is not complete does not become the checkpoint.
  proto::CommitCheckpointRequest commit;
  commit.set_folder(Permitted());
  commit.set_manifest(*FormatManifest(manifest));
  EXPECT_EQ(calls.Commit(commit, kStays).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(std::filesystem::is_empty(Permitted()));
}

}  // namespace
}  // namespace lockstep::internal
