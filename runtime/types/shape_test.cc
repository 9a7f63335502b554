#include "runtime/types/shape.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(Shape, CountsPrintsAndCompares) {
  const Shape shape(ElementType::kF64, {2, 3, 4});
  EXPECT_EQ(shape.element_count(), 24);
  EXPECT_EQ(shape.byte_size(), 192);
  EXPECT_EQ(shape.Strides(), (Dims{12, 4, 1}));
  EXPECT_EQ(shape.ToString(), "tensor<2x3x4xf64>");
  EXPECT_EQ(Shape(ElementType::kPred, {}).ToString(), "tensor<i1>");
  EXPECT_EQ(Shape(ElementType::kPred, {}).element_count(), 1);
  EXPECT_EQ(Shape(ElementType::kF32, {0, 3}).byte_size(), 0);
  EXPECT_FALSE(shape == Shape(ElementType::kF32, {2, 3, 4}));
}

TEST(Shape, NegativeSizesAreInvalid) {
  EXPECT_EQ(Shape::Create(ElementType::kF32, {2, -1}).status(),
            absl::InvalidArgumentError("dim 1 of shape [2, -1] is negative"));
}

TEST(Shape, ByteSizesBeyond64BitsAreInvalid) {
  const int64_t big = int64_t{1} << 31;
  EXPECT_TRUE(Shape::Create(ElementType::kPred, {big, big}).ok());
  EXPECT_EQ(Shape::Create(ElementType::kC64, {big, big}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      Shape::Create(ElementType::kPred, {0, big, big, big}).status().code(),
      absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace lockstep::internal
