#include "runtime/types/literal.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(Literal, StartsAsZerosAlignedTo64Bytes) {
  for (int64_t size : {0, 1, 7, 64, 1000, 1 << 20}) {
    const Literal literal(Shape(ElementType::kS32, {size}));
    EXPECT_THAT(literal.data<int32_t>(), Each(0));
    EXPECT_NE(literal.bytes(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(literal.bytes()) % 64, 0u);
  }
}

TEST(Literal, CopiesCopyTheBytes) {
  Literal a = Literal::FromValues<int32_t>({2, 2}, {1, 2, 3, 4});
  Literal b = a;
  EXPECT_EQ(a, b);
  b.mutable_data<int32_t>()[0] = 9;
  EXPECT_THAT(a.data<int32_t>(), ElementsAre(1, 2, 3, 4));
  EXPECT_FALSE(a == b);
  a = b;
  EXPECT_EQ(a, b);
  const Literal moved = std::move(b);
  EXPECT_EQ(moved, a);
  EXPECT_FALSE(a == Literal::FromValues<int32_t>({4}, {9, 2, 3, 4}));
}

TEST(Literal, EqualityIsThatOfBits) {
  EXPECT_FALSE(Literal::Scalar(0.0f) == Literal::Scalar(-0.0f));
  EXPECT_EQ(Literal::Scalar(BF16(1.0f)), Literal::Scalar(BF16(1.0)));
}

TEST(Literal, AllocateReportsMissingMemoryWithFigures) {
  const int64_t terabytes = int64_t{1} << 55;
  for (int64_t size : {terabytes, std::numeric_limits<int64_t>::max()}) {
    const absl::Status status =
        Literal::Allocate(Shape(ElementType::kPred, {size})).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(std::string(status.message()),
                testing::HasSubstr(std::to_string(size)));
  }
  EXPECT_EQ(Literal::Allocate(Shape(ElementType::kF32, {3}))->shape().dim(0),
            3);
}

TEST(Literal, SharedBytesAreCopiedBeforeTheyAreChanged) {
  auto owner = std::make_shared<const Literal>(
      Literal::FromValues<float>({2}, {1.0f, 2.0f}));
  Literal first = Literal::Share(owner->view(), owner);
  Literal second = first;
  EXPECT_TRUE(first.is_shared());
  EXPECT_EQ(first.bytes(), owner->bytes());
  EXPECT_EQ(second.bytes(), owner->bytes());
  EXPECT_EQ(owner.use_count(), 3);
  second.mutable_data<float>()[0] = 5.0f;
  EXPECT_FALSE(second.is_shared());
  EXPECT_EQ(second, Literal::FromValues<float>({2}, {5.0f, 2.0f}));
  EXPECT_EQ(first, *owner);
  EXPECT_EQ(owner.use_count(), 2);
  first.mutable_view().data<float>()[1] = 7.0f;
  EXPECT_EQ(owner->data<float>()[1], 2.0f);
  EXPECT_EQ(owner.use_count(), 1);
  // The memory lives as long as a literal has it.
  const std::byte* bytes = owner->bytes();
  const LiteralView view = owner->view();
  const Literal last = Literal::Share(view, std::move(owner));
  EXPECT_EQ(last.bytes(), bytes);
  EXPECT_EQ(last.data<float>()[0], 1.0f);
}

}  // namespace
}  // namespace lockstep::internal
