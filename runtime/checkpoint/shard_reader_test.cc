#include "runtime/checkpoint/shard_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/checkpoint/folder_testing.h"
#include "runtime/checkpoint/shard_writer.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Literal Iota(const std::vector<int64_t>& dims) {
  Literal literal(Shape(ElementType::kS32, dims));
  const auto elements = literal.mutable_data<int32_t>();
  std::iota(elements.begin(), elements.end(), 0);
  return literal;
}

Literal PartOf(const Literal& whole, const Box& box) {
  return Literal::CopyOf(
      TakeBox(HostTensor::Of(std::make_shared<const Literal>(whole)), box)
          ->view);
}

std::vector<std::vector<int64_t>> StartsOf(const Shape& shape,
                                           const Shape& shard) {
  std::vector<std::vector<int64_t>> all = {{}};
  for (int64_t i = 0; i < shape.rank(); ++i) {
    std::vector<std::vector<int64_t>> longer;
    for (const auto& each : all) {
      for (int64_t start = 0; start < shape.dim(i); start += shard.dim(i)) {
        longer.push_back(each);
        longer.back().push_back(start);
      }
    }
    all = std::move(longer);
  }
  return all;
}

// Written by one host, in shards of these dims.
Manifest WriteArray(const std::string& folder, const Literal& value,
                    const std::vector<int64_t>& shard_dims,
                    int64_t block_bytes) {
  Manifest manifest;
  manifest.block_bytes = block_bytes;
  const Shape shard(value.shape().element_type(), shard_dims);
  manifest.arrays.push_back({"w", value.shape(), shard, {}});
  std::vector<ShardSource> sources;
  for (const auto& starts : StartsOf(value.shape(), shard)) {
    ShardSource source;
    source.starts = starts;
    source.read =
        [part = PartOf(value, {starts, shard_dims})](const ByteSink& sink) {
          sink(part.byte_span());
          return absl::OkStatus();
        };
    sources.push_back(std::move(source));
  }
  const absl::Status status = WriteShards(folder, sources, manifest);
  EXPECT_TRUE(status.ok()) << status;
  return manifest;
}

std::vector<Box> AllBoxes(const std::vector<int64_t>& dims) {
  std::vector<Box> boxes = {{}};
  for (int64_t dim : dims) {
    std::vector<Box> longer;
    for (const Box& box : boxes) {
      for (int64_t start = 0; start < dim; ++start) {
        for (int64_t size = 1; start + size <= dim; ++size) {
          longer.push_back(box);
          longer.back().starts.push_back(start);
          longer.back().sizes.push_back(size);
        }
      }
    }
    boxes = std::move(longer);
  }
  return boxes;
}

TEST(ShardReaderTest, EveryBoxOfEveryGridIsRead) {
  const std::vector<int64_t> dims = {4, 2, 6};
  const Literal whole = Iota(dims);
  const std::vector<Box> boxes = AllBoxes(dims);
  const std::string folder = NewFolder();
  for (const std::vector<int64_t>& shard : {std::vector<int64_t>{4, 2, 6},
                                            {1, 2, 6},
                                            {2, 1, 3},
                                            {4, 2, 1},
                                            {1, 1, 1}}) {
    for (int64_t block : {4, 7, 24, 1024}) {
      const Manifest manifest = WriteArray(folder, whole, shard, block);
      ShardReader reader(folder, manifest);
      for (const Box& box : boxes) {
        const auto parts = reader.Read(manifest.arrays[0], {box});
        ASSERT_TRUE(parts.ok()) << parts.status();
        ASSERT_EQ((*parts)[0], PartOf(whole, box));
      }
      const auto all = reader.Read(manifest.arrays[0], boxes);
      ASSERT_TRUE(all.ok()) << all.status();
      for (size_t i = 0; i < boxes.size(); ++i) {
        ASSERT_EQ((*all)[i], PartOf(whole, boxes[i]));
      }
    }
  }
}

TEST(ShardReaderTest, ReadsBlocksThatAreNeededAndEachOnce) {
  const Literal whole = Iota({64, 16});  // rows of 64 bytes
  const std::string folder = NewFolder();
  const Manifest manifest = WriteArray(folder, whole, {32, 16}, 256);
  const auto bytes_of = [&](const std::vector<Box>& boxes) {
    ShardReader reader(folder, manifest);
    const auto parts = reader.Read(manifest.arrays[0], boxes);
    EXPECT_TRUE(parts.ok()) << parts.status();
    return reader.bytes_read();
  };
  EXPECT_EQ(bytes_of({}), 0);
  EXPECT_EQ(bytes_of({{{0, 0}, {4, 16}}}), 256);
  EXPECT_EQ(bytes_of({{{3, 5}, {1, 1}}}), 256);
  EXPECT_EQ(bytes_of({{{3, 0}, {2, 16}}}), 512);
  EXPECT_EQ(bytes_of({{{30, 0}, {4, 16}}}), 512) << "of two shards";
  EXPECT_EQ(bytes_of({{{0, 0}, {64, 1}}}), 4096) << "a column";
  EXPECT_EQ(bytes_of({{{0, 0}, {64, 1}}, {{0, 7}, {64, 2}}, {{0, 0}, {1, 1}}}),
            4096);
}

class DamageTest : public ::testing::Test {
 protected:
  DamageTest()
      : folder_(NewFolder()),
        manifest_(WriteArray(folder_, Iota({64, 16}), {32, 16}, 256)),
        path_(absl::StrCat(folder_, "/", manifest_.arrays[0].shards[0].file)) {}

  absl::Status ReadRows(int64_t first, int64_t count) {
    ShardReader reader(folder_, manifest_);
    return reader.Read(manifest_.arrays[0], {{{first, 0}, {count, 16}}})
        .status();
  }

  const std::string folder_;
  Manifest manifest_;
  const std::string path_;
};

TEST_F(DamageTest, ChangedByteIsFoundInItsBlock) {
  std::string content = ContentOf(path_);
  content[2048 + 700] ^= 1;  // of the second shard
  WriteContent(path_, content);
  EXPECT_TRUE(ReadRows(0, 40).ok());
  EXPECT_TRUE(ReadRows(44, 20).ok());
  const absl::Status status = ReadRows(0, 64);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr(path_), HasSubstr("array 'w'"),
                    HasSubstr("the shard of (32, 16) at (32, 0)"),
                    HasSubstr("bytes from 2560 to 2816 were changed")));
}

TEST_F(DamageTest, SwappedShardsAreFound) {
  const std::string content = ContentOf(path_);
  WriteContent(path_, content.substr(2048) + content.substr(0, 2048));
  EXPECT_TRUE(absl::IsDataLoss(ReadRows(0, 4)));
  EXPECT_TRUE(absl::IsDataLoss(ReadRows(32, 4)));
}

TEST_F(DamageTest, ShortFileIsFoundBeforeMemoryIsTaken) {
  const std::string content = ContentOf(path_);
  WriteContent(path_, content.substr(0, content.size() - 1));
  EXPECT_TRUE(ReadRows(0, 32).ok());
  const absl::Status status = ReadRows(32, 1);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(status.message(), AllOf(HasSubstr(path_), HasSubstr("'w'"),
                                      HasSubstr("expected 4096 bytes, found "
                                                "4095")));
  // A manifest that says more than there is.
  manifest_.arrays[0].shape = Shape(ElementType::kS32, {int64_t{1} << 40, 16});
  manifest_.arrays[0].shard_shape = manifest_.arrays[0].shape;
  manifest_.arrays[0].shards.resize(1);
  EXPECT_TRUE(absl::IsDataLoss(ReadRows(0, int64_t{1} << 40)));
}

TEST_F(DamageTest, MissingFileIsNotFound) {
  std::filesystem::remove(path_);
  const absl::Status status = ReadRows(0, 1);
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(status.message(), AllOf(HasSubstr(path_), HasSubstr("'w'")));
}

TEST(ShardWriterTest, ErrorOfASourceLeavesNoFile) {
  const std::string folder = NewFolder();
  Manifest manifest;
  manifest.block_bytes = 4;
  const Shape shape(ElementType::kS32, {2});
  manifest.arrays.push_back({"w", shape, shape, {}});
  ShardSource source;
  source.starts = {0};
  source.read = [](const ByteSink& sink) {
    const std::byte bytes[4] = {};
    sink(bytes);
    return absl::AbortedError("host 1 is lost");
  };
  const absl::Status failed = WriteShards(folder, {source}, manifest);
  EXPECT_EQ(failed, absl::AbortedError("array 'w': host 1 is lost"));
  source.read = [](const ByteSink&) { return absl::OkStatus(); };
  EXPECT_TRUE(absl::IsInternal(WriteShards(folder, {source}, manifest)));
  EXPECT_TRUE(NamesIn(folder).empty());
  EXPECT_TRUE(manifest.arrays[0].shards.empty());
  EXPECT_TRUE(WriteShards(folder, {}, manifest).ok());
  EXPECT_TRUE(NamesIn(folder).empty());
}

}  // namespace
}  // namespace lockstep::internal
