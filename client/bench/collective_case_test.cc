#include "client/bench/collective_case.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using Op = CollectiveKind::Op;

CollectiveKind KindOf(Op op) {
  return *std::find_if(
      CollectiveKinds().begin(), CollectiveKinds().end(),
      [op](const CollectiveKind& kind) { return kind.op == op; });
}

CollectiveCase CaseOf(Op op, int ranks, int64_t bytes,
                      ElementType type = ElementType::kF32) {
  return {.kind = KindOf(op), .type = type, .ranks = ranks, .bytes = bytes};
}

float Brought(const CollectiveCase& c, int rank, int64_t j) {
  return static_cast<float>((j + 97 * rank) % c.modulus());
}

// What `rank` gets, by the definition of the collective.
Literal ResultOf(const CollectiveCase& c, int rank) {
  const int64_t part = c.count();
  Literal result(Shape(ElementType::kF32, {c.result_count()}));
  absl::Span<float> values = result.mutable_data<float>();
  for (int64_t j = 0; j < c.result_count(); ++j) {
    float& value = values[static_cast<size_t>(j)];
    switch (c.kind.op) {
      case Op::kAllReduce:
        for (int r = 0; r < c.ranks; ++r) value += Brought(c, r, j);
        break;
      case Op::kReduceScatter:
        for (int r = 0; r < c.ranks; ++r)
          value += Brought(c, r, rank * part + j);
        break;
      case Op::kAllGather:
        value = Brought(c, static_cast<int>(j / part), j % part);
        break;
      case Op::kAllToAll:
        value = Brought(c, static_cast<int>(j / part), rank * part + j % part);
        break;
      case Op::kPermute:
        value = Brought(c, rank == 0 ? c.ranks - 1 : rank - 1, j);
        break;
      case Op::kBroadcast:
        value = Brought(c, 0, j);
        break;
    }
  }
  return result;
}

TEST(CollectiveCaseTest, ResultsByDefinitionAreRightAndOthersAreCounted) {
  for (const CollectiveKind& kind : CollectiveKinds()) {
    for (const int ranks : {2, 3, 8}) {
      const CollectiveCase c = CaseOf(kind.op, ranks, 4 * ranks * 25000);
      ASSERT_TRUE(c.Check().ok()) << c.Check();
      for (int rank = 0; rank < ranks; ++rank) {
        Literal result = ResultOf(c, rank);
        EXPECT_EQ(c.CountWrong(rank, result), 0) << c.ToString() << rank;
        absl::Span<float> values = result.mutable_data<float>();
        values[0] += 1;
        values[values.size() - 1] = 0.5f;
        EXPECT_EQ(c.CountWrong(rank, result), 2) << c.ToString() << rank;
      }
    }
  }
}

TEST(CollectiveCaseTest, PartsInAnotherOrderAreWrong) {
  const CollectiveCase c = CaseOf(Op::kAllGather, 2, 64);
  Literal result = ResultOf(c, 0);
  absl::Span<float> values = result.mutable_data<float>();
  std::rotate(values.begin(), values.begin() + 8, values.end());
  EXPECT_EQ(c.CountWrong(0, result), 16);
  const CollectiveCase permute = CaseOf(Op::kPermute, 3, 64);
  EXPECT_EQ(permute.CountWrong(0, ResultOf(permute, 1)), 16);
}

TEST(CollectiveCaseTest, ResultsOfAnotherShapeAreWrong) {
  const CollectiveCase c = CaseOf(Op::kAllReduce, 2, 64);
  EXPECT_EQ(c.CountWrong(0, Literal(Shape(ElementType::kF32, {15}))), 16);
  EXPECT_EQ(c.CountWrong(0, Literal(Shape(ElementType::kS32, {16}))), 16);
}

TEST(CollectiveCaseTest, CountsAreThoseOfNcclTests) {
  const CollectiveCase reduce = CaseOf(Op::kAllReduce, 4, 64);
  EXPECT_EQ(reduce.count(), 16);
  const CollectiveCase gather = CaseOf(Op::kAllGather, 4, 64);
  EXPECT_EQ(gather.count(), 4);
  EXPECT_EQ(gather.operand_count(), 4);
  EXPECT_EQ(gather.result_count(), 16);
  const CollectiveCase scatter = CaseOf(Op::kReduceScatter, 4, 64);
  EXPECT_EQ(scatter.operand_count(), 16);
  EXPECT_EQ(scatter.result_count(), 4);
  const CollectiveCase all_to_all = CaseOf(Op::kAllToAll, 4, 64);
  EXPECT_EQ(all_to_all.count(), 4);
  EXPECT_EQ(all_to_all.operand_count(), 16);
  EXPECT_EQ(all_to_all.result_count(), 16);
}

TEST(CollectiveCaseTest, BusFactorsAreThoseOfNcclTests) {
  EXPECT_DOUBLE_EQ(KindOf(Op::kAllReduce).bus_factor(4), 1.5);
  EXPECT_DOUBLE_EQ(KindOf(Op::kAllGather).bus_factor(4), 0.75);
  EXPECT_DOUBLE_EQ(KindOf(Op::kReduceScatter).bus_factor(4), 0.75);
  EXPECT_DOUBLE_EQ(KindOf(Op::kAllToAll).bus_factor(4), 0.75);
  EXPECT_DOUBLE_EQ(KindOf(Op::kPermute).bus_factor(4), 1);
  EXPECT_DOUBLE_EQ(KindOf(Op::kBroadcast).bus_factor(4), 1);
}

TEST(CollectiveCaseTest, SizesThatAreNoMultiplesAreRefused) {
  const absl::Status gather = CaseOf(Op::kAllGather, 3, 16).Check();
  EXPECT_EQ(gather.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(gather.message(),
              HasSubstr("all_gather of 16 bytes of float32 over 3 devices: "
                        "expected a multiple of 12 bytes, an element for each "
                        "device, found 16"));
  EXPECT_TRUE(CaseOf(Op::kAllReduce, 3, 16).Check().ok());
  EXPECT_THAT(CaseOf(Op::kAllReduce, 3, 18).Check().message(),
              HasSubstr("expected a multiple of 4 bytes"));
  EXPECT_FALSE(CaseOf(Op::kAllReduce, 3, 0).Check().ok());
  EXPECT_FALSE(CaseOf(Op::kAllReduce, 1, 16).Check().ok());
  EXPECT_THAT(CaseOf(Op::kAllReduce, 2, int64_t{1} << 33).Check().message(),
              HasSubstr("expected at most 1073741824 elements"));
}

TEST(CollectiveCaseTest, SumsAreExactInEveryTypeOrRefused) {
  for (const ElementType type : CollectiveTypes()) {
    const int64_t bytes = 64 * ByteSize(type);
    EXPECT_GE(CaseOf(Op::kAllReduce, 8, bytes, type).modulus(), 7)
        << NumpyName(type);
  }
  EXPECT_EQ(CaseOf(Op::kAllReduce, 128, 64, ElementType::kS8).Check().code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(CaseOf(Op::kAllReduce, 257, 64, ElementType::kBF16).Check().code(),
            absl::StatusCode::kUnimplemented);
  // Nothing is added here.
  EXPECT_TRUE(CaseOf(Op::kPermute, 128, 64, ElementType::kS8).Check().ok());
}

}  // namespace
}  // namespace lockstep::internal
