// Y-3, Y-4 of docs/behaviour/shardings.md.
#include "runtime/mesh/sharding/sharding_verifier.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_text.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr absl::string_view kMesh = R"(<["a"=8, "b"=4, "c"=12]>)";

// Of "<@m, " + `rest` on the mesh kMesh.
absl::Status Verify(absl::string_view rest) {
  return VerifySharding(*ParseSdySharding(absl::StrCat("<@m, ", rest, ">")),
                        MeshOfText(kMesh));
}

std::string ErrorOf(absl::string_view rest) {
  return InvalidArgument(Verify(rest));
}

TEST(VerifySharding, AcceptsWhatIsWellFormed) {
  for (const absl::string_view rest : {
           "[]",
           "[{}, {?}]",
           R"([{"a", "b"}, {"c", ?}p1])",
           R"([{"a":(1)2}, {"a":(2)4}])",
           R"([{"a":(4)2, "a":(1)4}, {?}p2])",
           R"([{"a":(4)2, "a":(1)2}])",
           R"([{"c":(1)2}], replicated={"a", "c":(2)3})",
           R"([{"c":(1)2}], unreduced={"b", "a"})",
       }) {
    EXPECT_TRUE(Verify(rest).ok()) << Verify(rest);
  }
}

TEST(VerifySharding, NamesAnAxisThatIsNotInTheMesh) {
  EXPECT_THAT(ErrorOf(R"([{"q"}])"), HasSubstr(R"("q")"));
  EXPECT_THAT(ErrorOf(R"([{}], replicated={"q"})"), HasSubstr(R"("q")"));
  EXPECT_THAT(ErrorOf(R"([{}], unreduced={"q":(1)2})"), HasSubstr(R"("q")"));
}

TEST(VerifySharding, NamesAnAxisThatIsUsedTwice) {
  for (const absl::string_view rest :
       {R"([{"a"}, {"a"}])", R"([{"a", "b", "a"}])",
        R"([{"a"}], replicated={"a"})", R"([{"a"}], unreduced={"a"})",
        R"([{}], replicated={"a"}, unreduced={"a"})"}) {
    EXPECT_THAT(ErrorOf(rest), HasSubstr(R"(axis "a" is used twice)"));
  }
  EXPECT_THAT(ErrorOf(R"([{"a":(1)2}, {"a":(1)2}])"),
              HasSubstr(R"("a":(1)2 is used twice)"));
}

TEST(VerifySharding, NamesSubAxesThatTheAxisLacks) {
  EXPECT_THAT(ErrorOf(R"([{"a":(-1)2}])"), HasSubstr(R"("a":(-1)2)"));
  EXPECT_THAT(ErrorOf(R"([{"a":(2)1}])"), HasSubstr(R"("a":(2)1)"));
  EXPECT_THAT(ErrorOf(R"([{"a":(1)8}])"), HasSubstr(R"("a":(1)8)"));
  EXPECT_THAT(ErrorOf(R"([{"a":(3)2}])"),
              AllOf(HasSubstr(R"("a":(3)2)"), HasSubstr("6"), HasSubstr("8")));
  EXPECT_THAT(ErrorOf(R"([{"a":(9000000000000000000)9000000000000000000}])"),
              HasSubstr("is above 8"));
}

TEST(VerifySharding, NamesSubAxesThatOverlap) {
  EXPECT_THAT(ErrorOf(R"([{"a":(1)4, "a":(2)4}])"),
              AllOf(HasSubstr(R"("a":(1)4)"), HasSubstr(R"("a":(2)4)"),
                    HasSubstr("overlap")));
  EXPECT_THAT(ErrorOf(R"([{"a":(4)2}, {"b"}], replicated={"a":(2)4})"),
              HasSubstr("overlap"));
  EXPECT_THAT(ErrorOf(R"([{"c":(1)2}, {"c":(3)2}])"),
              AllOf(HasSubstr(R"("c":(1)2)"), HasSubstr(R"("c":(3)2)")));
}

TEST(VerifySharding, NamesAnAxisThatIsUsedAsAWholeAndInPart) {
  for (const absl::string_view rest :
       {R"([{"a"}, {"a":(1)2}])", R"([{"a":(4)2}, {"a"}])",
        R"([{"a":(4)2}, {"a":(1)2}], replicated={"a"})"}) {
    EXPECT_THAT(ErrorOf(rest), HasSubstr(R"(axis "a" is used as a whole)"));
  }
}

TEST(VerifySharding, NamesNeighboursThatMakeALargerSubAxis) {
  EXPECT_THAT(ErrorOf(R"([{"a":(1)2, "a":(2)4}])"),
              HasSubstr(R"(must be written as "a")"));
  EXPECT_THAT(
      ErrorOf(R"([{"b", "a":(1)2, "a":(2)2}])"),
      AllOf(HasSubstr(R"("a":(1)2 and "a":(2)2)"), HasSubstr(R"("a":(1)4)")));
  EXPECT_THAT(InvalidArgument(VerifySharding(
                  *ParseSdySharding(R"(<@m, [{"a":(2)2, "a":(4)4}]>)"),
                  MeshOfText(R"(<["a"=16]>)"))),
              AllOf(HasSubstr(R"("a":(2)2)"), HasSubstr(R"("a":(4)4)")));
}

TEST(VerifySharding, NamesReplicatedAxesOutOfOrder) {
  EXPECT_THAT(ErrorOf(R"([{}], replicated={"c", "a"})"),
              AllOf(HasSubstr(R"("c", "a")"), HasSubstr("order")));
  EXPECT_THAT(ErrorOf(R"([{}], replicated={"a":(4)2, "a":(1)2})"),
              HasSubstr(R"("a":(4)2, "a":(1)2)"));
}

TEST(VerifySharding, NamesADimensionWhosePriorityMeansNothing) {
  EXPECT_THAT(ErrorOf(R"([{"a"}p1, {}p0])"), HasSubstr("dimension 1"));
  TensorSharding negative = UnshardedOn("m", 1, /*is_closed=*/false);
  negative.dims[0].priority = -2;
  EXPECT_THAT(InvalidArgument(VerifySharding(negative, MeshOfText(kMesh))),
              AllOf(HasSubstr("dimension 0"), HasSubstr("-2")));
}

TEST(VerifySharding, OnOneDeviceSaysNothing) {
  const ShardingMesh mesh = MeshOfText("<[], device_ids=[3]>");
  EXPECT_TRUE(VerifySharding(*ParseSdySharding("<@m, []>"), mesh).ok());
  EXPECT_THAT(
      InvalidArgument(VerifySharding(*ParseSdySharding("<@m, [{}]>"), mesh)),
      HasSubstr("1 dimensions"));
  EXPECT_THAT(InvalidArgument(VerifySharding(
                  *ParseSdySharding(R"(<@m, [], unreduced={"x"}>)"), mesh)),
              HasSubstr("1 unreduced"));
}

class VerifyOnMeshes : public testing::Test {
 protected:
  VerifyOnMeshes() {
    EXPECT_TRUE(meshes_.Add("m", MeshOfText(kMesh)).ok());
    EXPECT_TRUE(meshes_.Add("one", MeshOfText("<[], device_ids=[3]>")).ok());
  }
  absl::Status Tensor(absl::string_view text, int64_t rank) const {
    return VerifyTensorSharding(*ParseSdySharding(text), meshes_, rank);
  }
  absl::Status Token(absl::string_view text) const {
    return VerifyTokenSharding(*ParseSdySharding(text), meshes_);
  }

  MeshTable meshes_;
};

TEST_F(VerifyOnMeshes, TensorsHaveTheRankOfTheirSharding) {
  EXPECT_TRUE(Tensor(R"(<@m, [{"a"}, {}]>)", 2).ok());
  EXPECT_TRUE(Tensor("<@one, []>", 2).ok());
  EXPECT_TRUE(Tensor(R"(<mesh<["z"=3]>, [{"z"}]>)", 1).ok());
  EXPECT_THAT(InvalidArgument(Tensor(R"(<@m, [{"a"}, {}]>)", 1)),
              AllOf(HasSubstr("2 dimensions"), HasSubstr("rank 1")));
  EXPECT_THAT(InvalidArgument(Tensor(R"(<@q, [{"a"}]>)", 1)), HasSubstr("@q"));
  EXPECT_THAT(InvalidArgument(Tensor(R"(<@m, [{"z"}]>)", 1)),
              HasSubstr(R"("z")"));
}

TEST_F(VerifyOnMeshes, TokensHaveNeitherDimensionsNorAxes) {
  EXPECT_TRUE(Token("<@m, []>").ok());
  EXPECT_THAT(InvalidArgument(Token("<@m, [{}]>")), HasSubstr("1 dimensions"));
  EXPECT_THAT(InvalidArgument(Token(R"(<@m, [], replicated={"a"}>)")),
              HasSubstr(R"("a")"));
  EXPECT_THAT(InvalidArgument(Token(R"(<@m, [], unreduced={"b"}>)")),
              HasSubstr(R"("b")"));
}

TEST(VerifyShardingProperty, AcceptsRandomShardings) {
  RandomShardings random(/*seed=*/1);
  for (int i = 0; i < 2000; ++i) {
    const ShardingMesh mesh = random.Mesh();
    const TensorSharding sharding = random.Sharding(mesh, random.Below(5));
    EXPECT_TRUE(VerifySharding(sharding, mesh).ok())
        << VerifySharding(sharding, mesh) << mesh.ToString()
        << ToSdyString(sharding);
  }
}

}  // namespace
}  // namespace lockstep::internal
