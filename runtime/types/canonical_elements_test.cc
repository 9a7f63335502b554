#include "runtime/types/canonical_elements.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

std::vector<int> Canonical(ElementType type, std::vector<uint8_t> bytes) {
  CanonicalizeElements({Shape(type, {static_cast<int64_t>(bytes.size())}),
                        reinterpret_cast<std::byte*>(bytes.data())});
  return {bytes.begin(), bytes.end()};
}

TEST(CanonicalElements, BytesThatTheTypeDoesNotHaveBecomeSomethingItHas) {
  EXPECT_THAT(Canonical(ElementType::kPred, {0, 1, 2, 255}),
              ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(Canonical(ElementType::kU4, {0, 15, 16, 255}),
              ElementsAre(0, 15, 0, 15));
  EXPECT_THAT(Canonical(ElementType::kS4, {7, 8, 0xF8, 0x7F}),
              ElementsAre(7, 0xF8, 0xF8, 0xFF));
  EXPECT_THAT(Canonical(ElementType::kF4E2M1FN, {15, 16, 255}),
              ElementsAre(15, 0, 15));
  EXPECT_THAT(Canonical(ElementType::kF8E5M2, {255, 128}),
              ElementsAre(255, 128));
  EXPECT_THAT(Canonical(ElementType::kU8, {255, 128}), ElementsAre(255, 128));
}

}  // namespace
}  // namespace lockstep::internal
