#include "runtime/types/box.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

namespace lockstep::internal {
namespace {

HostTensor Iota(std::initializer_list<int64_t> dims) {
  Literal literal(Shape(ElementType::kS32, dims));
  const auto elements = literal.mutable_data<int32_t>();
  std::iota(elements.begin(), elements.end(), 0);
  return HostTensor::Of(std::make_shared<const Literal>(std::move(literal)));
}

TEST(BoxTest, RowsAreTakenInPlace) {
  const HostTensor whole = Iota({4, 3});
  const auto rows = TakeBox(whole, {{1, 0}, {2, 3}});
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->view.bytes(), whole.view.bytes() + 12);
  EXPECT_EQ(Literal::CopyOf(rows->view),
            Literal::FromValues<int32_t>({2, 3}, {3, 4, 5, 6, 7, 8}));
  const auto part_of_a_row = TakeBox(whole, {{2, 1}, {1, 2}});
  EXPECT_EQ(part_of_a_row->view.bytes(), whole.view.bytes() + 28);
}

TEST(BoxTest, OtherBoxesAreCopied) {
  const auto columns = TakeBox(Iota({3, 4}), {{0, 1}, {3, 2}});
  ASSERT_TRUE(columns.ok());
  EXPECT_EQ(Literal::CopyOf(columns->view),
            Literal::FromValues<int32_t>({3, 2}, {1, 2, 5, 6, 9, 10}));
}

TEST(BoxTest, ScalarIsABoxOfItself) {
  const HostTensor scalar = Iota({});
  EXPECT_EQ(TakeBox(scalar, {})->view.bytes(), scalar.view.bytes());
}

// Every box of a tensor of three dimensions, in pieces of several sizes.
TEST(BoxTest, WrittenBoxesAreTheTakenOnes) {
  const HostTensor source = Iota({3, 2, 4});
  const auto dims = source.view.shape().dims();
  std::vector<Box> boxes = {{}};
  for (int64_t dim : dims) {
    std::vector<Box> longer;
    for (const Box& box : boxes) {
      for (int64_t start = 0; start < dim; ++start) {
        for (int64_t size = 0; start + size <= dim; ++size) {
          Box& next = longer.emplace_back(box);
          next.starts.push_back(start);
          next.sizes.push_back(size);
        }
      }
    }
    boxes = std::move(longer);
  }
  for (const Box& box : boxes) {
    const HostTensor part = *TakeBox(source, box);
    for (size_t piece : {1, 3, 8, 1000}) {
      Literal whole(source.view.shape());
      BoxWriter writer(whole.mutable_view(), box);
      absl::Span<const std::byte> bytes = part.view.byte_span();
      while (!bytes.empty()) {
        const size_t size = std::min(piece, bytes.size());
        writer.Write(bytes.subspan(0, size));
        bytes.remove_prefix(size);
      }
      const HostTensor written =
          *TakeBox(HostTensor::Of(std::make_shared<const Literal>(whole)), box);
      EXPECT_EQ(Literal::CopyOf(written.view), Literal::CopyOf(part.view));
      const auto elements = whole.data<int32_t>();
      EXPECT_LE(std::count_if(elements.begin(), elements.end(),
                              [](int32_t element) { return element != 0; }),
                part.view.shape().element_count());
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
