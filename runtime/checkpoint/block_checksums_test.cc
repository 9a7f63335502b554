#include "runtime/checkpoint/block_checksums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::byte> BytesOf(size_t count) {
  std::minstd_rand random(7);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(BlockChecksumsTest, PiecesOfAnySizeGiveTheSame) {
  const std::vector<std::byte> bytes = BytesOf(1000);
  const auto all = absl::MakeConstSpan(bytes);
  for (size_t piece : {1, 3, 255, 256, 257, 512, 999, 1000}) {
    BlockChecksums checksums(256);
    for (size_t i = 0; i < bytes.size(); i += piece) {
      checksums.Add(all.subspan(i, piece));
    }
    EXPECT_EQ(checksums.missing(), 24);
    EXPECT_THAT(checksums.Finish(),
                ElementsAre(ChecksumOf(all.subspan(0, 256)),
                            ChecksumOf(all.subspan(256, 256)),
                            ChecksumOf(all.subspan(512, 256)),
                            ChecksumOf(all.subspan(768))))
        << piece;
  }
}

TEST(BlockChecksumsTest, FinishBeginsAnew) {
  const std::vector<std::byte> bytes = BytesOf(8);
  BlockChecksums checksums(8);
  EXPECT_THAT(checksums.Finish(), IsEmpty());
  checksums.Add(bytes);
  EXPECT_THAT(checksums.Finish(), ElementsAre(ChecksumOf(bytes)));
  checksums.Add(absl::MakeConstSpan(bytes).subspan(0, 3));
  EXPECT_THAT(
      checksums.Finish(),
      ElementsAre(ChecksumOf(absl::MakeConstSpan(bytes).subspan(0, 3))));
  EXPECT_THAT(checksums.Finish(), IsEmpty());
}

// A change of the function makes other files.
TEST(BlockChecksumsTest, IsXxh3) {
  EXPECT_EQ(ChecksumOf({}), 0x2d06800538d394c2);
}

}  // namespace
}  // namespace lockstep::internal
