#include "runtime/frontend/bytecode/byte_reader.h"

#include <limits>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "runtime/frontend/bytecode/bytecode_testing.h"

namespace lockstep::internal {
namespace {

ByteReader ReaderOf(absl::string_view bytes, size_t offset = 0) {
  return ByteReader(bytes, offset, std::make_shared<const std::string>("f"));
}

std::string Bytes(std::initializer_list<int> bytes) {
  std::string text;
  for (const int byte : bytes) text.push_back(static_cast<char>(byte));
  return text;
}

TEST(ByteReader, Varints) {
  const struct {
    std::string bytes;
    uint64_t value;
  } cases[] = {
      {Bytes({0x01}), 0},
      {Bytes({0xFF}), 127},
      {Bytes({0x02, 0x02}), 128},
      {Bytes({0xFE, 0xFF}), (1 << 14) - 1},
      {Bytes({0x04, 0x00, 0x02}), 1 << 14},
      {Bytes({0x80, 0xFF, 0, 0, 0, 0, 0, 0}), 0xFF},
      {Bytes({0x00, 1, 0, 0, 0, 0, 0, 0, 0x80}), 0x8000000000000001},
  };
  for (const auto& c : cases) {
    ByteReader reader = ReaderOf(c.bytes);
    EXPECT_EQ(reader.ReadVarint("a number").value(), c.value);
    EXPECT_TRUE(reader.AtEnd());
  }
}

TEST(ByteReader, SignedVarints) {
  for (const int64_t value :
       {int64_t{0}, int64_t{-1}, int64_t{1}, int64_t{-300},
        std::numeric_limits<int64_t>::max(),
        std::numeric_limits<int64_t>::min()}) {
    const std::string bytes = SignedVarint(value);
    EXPECT_EQ(ReaderOf(bytes).ReadSignedVarint("a number").value(), value);
  }
}

TEST(ByteReader, FlagIsTheLowestBit) {
  const std::string bytes = Flagged(5, true) + Flagged(6, false);
  ByteReader reader = ReaderOf(bytes);
  const ByteReader::Flagged first = reader.ReadFlagged("a flag").value();
  EXPECT_EQ(first.value, 5u);
  EXPECT_TRUE(first.flag);
  const ByteReader::Flagged second = reader.ReadFlagged("a flag").value();
  EXPECT_EQ(second.value, 6u);
  EXPECT_FALSE(second.flag);
}

TEST(ByteReader, WhatIsMissingHasItsOffset) {
  const std::string end;
  EXPECT_EQ(ReaderOf(end, 7).ReadVarint("a size").status(),
            absl::InvalidArgumentError("f:7: expected a size, found the end"));
  const std::string cut = Bytes({0x04, 0x00});
  EXPECT_EQ(
      ReaderOf(cut, 7).ReadVarint("a size").status(),
      absl::InvalidArgumentError("f:7: expected a size of 3 bytes, found 2"));
  const std::string text = "abc";
  EXPECT_EQ(ReaderOf(text).ReadBytes("a name", ~uint64_t{0}).status(),
            absl::InvalidArgumentError("f:0: expected a name of "
                                       "18446744073709551615 bytes, found 3"));
  EXPECT_EQ(
      ReaderOf(text).ReadText("a name").status(),
      absl::InvalidArgumentError("f:0: expected a name that ends in a NUL"));
}

TEST(ByteReader, CountsAndIndicesAreChecked) {
  const std::string count = Varint(3) + "ab";
  EXPECT_EQ(ReaderOf(count).ReadCount("a number of ops").status(),
            absl::InvalidArgumentError("f:1: expected a number of ops of at "
                                       "most the 2 bytes that follow, found "
                                       "3"));
  const std::string index = Varint(3);
  EXPECT_EQ(
      ReaderOf(index).ReadIndex("a type", 3).status(),
      absl::InvalidArgumentError("f:0: expected a type below 3, found 3"));
  EXPECT_EQ(ReaderOf(index).ReadIndex("a type", 4).value(), 3u);
}

TEST(ByteReader, PartsKeepTheirOffsets) {
  const std::string bytes = "abcdef";
  ByteReader reader = ReaderOf(bytes);
  ASSERT_TRUE(reader.ReadBytes("two", 2).ok());
  ByteReader part = reader.ReadPart("a part", 3).value();
  EXPECT_EQ(part.offset(), 2u);
  EXPECT_EQ(part.remaining(), 3u);
  EXPECT_EQ(reader.offset(), 5u);
  EXPECT_EQ(part.location().ToString(), "f:2");
  EXPECT_FALSE(part.ExpectEnd("the part").ok());
}

}  // namespace
}  // namespace lockstep::internal
