#include "runtime/collectives/part_copies.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

std::vector<std::byte> Pattern(size_t size) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::byte>((i * 2654435761u) >> 11);
  }
  return bytes;
}

// Where the i-th byte of the part lies.
int64_t OffsetOf(const PartPlace& place, int64_t i) {
  return place.start + i / place.block * place.stride + i % place.block;
}

TEST(PartCopies, PlacesOfPartsAreThoseOfTheTensor) {
  // [2][3][4 bytes]: blocks of part 1 are at 4 and 16.
  const PartPlace place =
      PartPlace::Of({.outer = 2, .parts = 3, .block = 4}, 1);
  EXPECT_EQ(place, (PartPlace{4, 2, 4, 12}));
  EXPECT_EQ(place.size(), 8);
  EXPECT_EQ(OffsetOf(place, 5), 17);
}

TEST(PartCopies, EveryByteOfEveryPartArrivesAndNoOther) {
  struct Case {
    TensorParts from;
    TensorParts to;
  };
  // Of one size per part, in blocks of others; of several chunks at the end.
  for (const Case& each :
       {Case{{1, 4, 12}, {1, 4, 12}}, Case{{3, 4, 4}, {1, 4, 12}},
        Case{{1, 4, 12}, {6, 4, 2}}, Case{{3, 4, 4}, {4, 4, 3}},
        Case{{2, 4, 0}, {1, 4, 0}}, Case{{12, 4, 1}, {2, 4, 6}},
        Case{{1000, 2, 3000}, {3000, 2, 1000}},
        Case{{1, 2, 5000000}, {500, 2, 10000}}}) {
    const int64_t size = each.from.byte_size();
    ASSERT_EQ(size, each.to.byte_size());
    const std::vector<std::byte> from = Pattern(size);
    std::vector<std::byte> to(size + 1, std::byte{0x5A});
    std::vector<std::byte> expected = to;
    std::vector<PartCopy> copies;
    // All but part 0 change their places.
    for (int64_t part = 1; part < each.from.parts; ++part) {
      const PartPlace source = PartPlace::Of(each.from, part);
      const PartPlace target = PartPlace::Of(each.to, each.from.parts - part);
      copies.push_back({from.data(), source, to.data(), target});
      for (int64_t i = 0; i < source.size(); ++i) {
        expected[OffsetOf(target, i)] = from[OffsetOf(source, i)];
      }
    }
    CopyParts(copies);
    EXPECT_TRUE(to == expected) << each.from.outer << " " << each.to.outer;
  }
}

}  // namespace
}  // namespace lockstep::internal
