#include "runtime/worker/daemon/shard_assembler.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

proto::ShardChunk Header(uint32_t type, std::vector<int64_t> dims) {
  proto::ShardChunk chunk;
  chunk.mutable_header()->set_element_type(type);
  for (int64_t dim : dims) chunk.mutable_header()->add_dims(dim);
  return chunk;
}

proto::ShardChunk Data(std::string data) {
  proto::ShardChunk chunk;
  chunk.set_data(std::move(data));
  return chunk;
}

TEST(ShardAssemblerTest, EveryElementTypeComesThrough) {
  for (uint32_t number = 1; ElementTypeFromNumber(number).ok(); ++number) {
    const ElementType type = *ElementTypeFromNumber(number);
    const std::string bytes(3 * ByteSize(type), 1);
    ShardAssembler assembler;
    ASSERT_TRUE(assembler.Add(Header(number, {3})).ok()) << type;
    ASSERT_TRUE(assembler.Add(Data(bytes.substr(0, 2))).ok());
    ASSERT_TRUE(assembler.Add(Data(bytes.substr(2))).ok());
    const auto shards = assembler.Finish();
    ASSERT_TRUE(shards.ok()) << shards.status();
    const Literal& value = shards->at(0).value;
    EXPECT_EQ(value.shape(), Shape(type, {3}));
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(),
                           reinterpret_cast<const char*>(value.bytes())));
  }
}

TEST(ShardAssemblerTest, BytesThatTheTypeDoesNotHaveAreBroughtIntoIt) {
  ShardAssembler assembler;
  ASSERT_TRUE(
      assembler.Add(Header(static_cast<uint32_t>(ElementType::kU4), {2})).ok());
  ASSERT_TRUE(assembler.Add(Data("\x7F\x03")).ok());
  const auto shards = *assembler.Finish();
  EXPECT_EQ(shards[0].value.bytes()[0], std::byte{15});
  EXPECT_EQ(shards[0].value.bytes()[1], std::byte{3});
}

TEST(ShardAssemblerTest, AValueComesOnceForAllDevicesThatHaveIt) {
  ShardAssembler assembler;
  proto::ShardChunk header = Header(2, {1});
  header.mutable_header()->set_device(5);
  header.mutable_header()->add_other_devices(7);
  header.mutable_header()->add_other_devices(6);
  ASSERT_TRUE(assembler.Add(header).ok());
  ASSERT_TRUE(assembler.Add(Data("a")).ok());
  EXPECT_THAT(
      (*assembler.Finish())[0].devices,
      ElementsAre(GlobalDeviceId(5), GlobalDeviceId(6), GlobalDeviceId(7)));
  header.mutable_header()->add_other_devices(7);
  EXPECT_THAT(ShardAssembler().Add(header).message(),
              HasSubstr("found 7 twice"));
}

TEST(ShardAssemblerTest, WhatCannotBeAShardIsRefused) {
  const auto error = [](std::vector<proto::ShardChunk> chunks) {
    ShardAssembler assembler;
    for (const auto& chunk : chunks) {
      absl::Status status = assembler.Add(chunk);
      if (!status.ok()) return std::string(status.message());
    }
    return std::string(assembler.Finish().status().message());
  };
  EXPECT_THAT(error({Header(77, {3})}),
              HasSubstr("expected the number of an element type, 1 to 30, "
                        "found 77"));
  EXPECT_THAT(error({Data("abc")}), HasSubstr("expected a header"));
  EXPECT_THAT(error({Header(2, {3}), Data("abcd")}),
              HasSubstr("expected 3 bytes, found 4"));
  EXPECT_THAT(error({Header(2, {3}), Data("ab")}),
              HasSubstr("expected 3 bytes, found 2"));
  EXPECT_THAT(error({Header(2, {-3})}), HasSubstr("-3"));
  EXPECT_THAT(error({Header(2, {int64_t{1} << 40, int64_t{1} << 40})}),
              ::testing::Not(HasSubstr("expected a header")));
}

}  // namespace
}  // namespace lockstep::internal
