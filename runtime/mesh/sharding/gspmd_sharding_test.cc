// Y-2 of docs/behaviour/shardings.md.
#include "runtime/mesh/sharding/gspmd_sharding.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/sharding/sharding_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string Printed(absl::string_view text) {
  const auto sharding = GspmdSharding::Parse(text);
  return sharding.ok() ? sharding->ToString()
                       : std::string(sharding.status().message());
}

TEST(GspmdSharding, ReadsWhatIsPrinted) {
  for (const absl::string_view text : {
           "{replicated}",
           "{manual}",
           "{unknown}",
           "{unreduced}",
           "{maximal device=3}",
           "{devices=[4,2]<=[8]}",
           "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}",
           "{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}",
           "{devices=[2,2,2]<=[8] last_tile_dims={unreduced}}",
           "{devices=[2,2]0,3,1,2}",
           "{devices=[2,2]3,2,1,0 last_tile_dim_replicate}",
           "{replicated shard_as 3}",
           "{devices=[8]<=[8] shard_like 0}",
       }) {
    EXPECT_EQ(Printed(text), text);
  }
}

TEST(GspmdSharding, ReadsOtherForms) {
  EXPECT_EQ(Printed(" { devices = [4,2] <= [4,2] T(0,1) } "),
            "{devices=[4,2]<=[8]}");
  EXPECT_EQ(Printed("{devices=[4,2]<=[4,2]}"), "{devices=[4,2]<=[8]}");
  EXPECT_EQ(Printed("{devices=[2,2]<=[4] last_tile_dims={replicated}}"),
            "{devices=[2,2]<=[4] last_tile_dim_replicate}");
  EXPECT_EQ(Printed(R"({replicated metadata={op_name="a}{" line=3}})"),
            "{replicated}");
  EXPECT_EQ(Printed("{devices=[2]0,1 metadata={{a=\"\\\"}\"}, {}} shard_as 1}"),
            "{devices=[2]0,1 shard_as 1}");
  EXPECT_EQ(Printed("{/*index=0*/replicated}"), "{replicated}");
}

TEST(GspmdSharding, TilesAndSubgroupsAreApart) {
  const GspmdSharding sharding = *GspmdSharding::Parse(
      "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}");
  EXPECT_EQ(sharding.kind(), GspmdSharding::Kind::kTiled);
  EXPECT_EQ(sharding.rank(), 2);
  EXPECT_THAT(sharding.tile_dims(), ElementsAre(1, 2));
  EXPECT_THAT(sharding.subgroups(), ElementsAre(GspmdSubgroup::kReplicated));
  EXPECT_THAT(sharding.tiles().Devices(), ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
  EXPECT_EQ(GspmdSharding::Parse("{maximal device=3}")->device(), 3);
}

TEST(GspmdSharding, TuplesAreLists) {
  const absl::string_view text =
      "{{replicated}, {devices=[2,2]<=[4]}, {maximal device=0}}";
  const auto shardings = GspmdSharding::ParseTuple(text);
  ASSERT_EQ(shardings->size(), 3u);
  EXPECT_EQ(GspmdTupleText(*shardings), text);
  EXPECT_EQ(GspmdTupleText(*GspmdSharding::ParseTuple(
                "{{replicated}, /*index=1*/{manual}}")),
            "{{replicated}, {manual}}");
  EXPECT_THAT(*GspmdSharding::ParseTuple("{}"), IsEmpty());
  EXPECT_THAT(*GspmdSharding::ParseTuple("{manual}"),
              ElementsAre(GspmdSharding(GspmdSharding::Kind::kManual)));
}

TEST(GspmdSharding, NamesColumnAndProblem) {
  const std::pair<absl::string_view, absl::string_view> kCases[] = {
      {"", "column 1: expected '{', found the end of the text"},
      {"{}", "column 2: expected 'devices=', 'maximal', 'replicated'"},
      {"{replicated", "column 12: expected '}', found the end"},
      {"{replicated} x", "column 14: expected the end of the text"},
      {"{maximal}", "column 9: expected 'device'"},
      {"{maximal device=-1}", "column 17: expected a device"},
      {"{devices=[2,2]}", "column 15: expected a number, found '}'"},
      {"{devices=[2,2]0,1,2}", "column 10: [2, 2] has 4 tiles, but 3 devices"},
      {"{devices=[2,x]<=[4]}", "column 13: expected a number, found 'x]<=[4]}"},
      {"{devices=[4]<=[8]}", "column 10: [4] has 4 tiles"},
      {"{devices=[4]<=[2,2]T(0,0)}", "column 10: (0, 0) is not a permutation"},
      {"{devices=[1000000000000000000]<=[1000000000000000000]}",
       "column 10: [1000000000000000000] makes more than 16777216 devices"},
      {"{devices=[99999999999999999999]<=[1]}", "column 11: expected a number"},
      {"{devices=[2]<=[2] last_tile_dims={replicated, manual}}",
       "column 10: found 2 subgroups, but only 1 dimensions"},
      {"{devices=[2]<=[2] last_tile_dims={open}}", "column 35: expected"},
      {"{replicated metadata={{}}", "column 26: expected '}'"},
      {"{replicated metadata={\"}", "column 23: the quotes are not closed"},
      {"{replicated shard_as}", "column 21: expected a number"},
  };
  for (const auto& [text, error] : kCases) {
    EXPECT_THAT(InvalidArgument(GspmdSharding::Parse(text).status()),
                StartsWith(std::string(error)))
        << text;
  }
  EXPECT_THAT(InvalidArgument(
                  GspmdSharding::ParseTuple("{{manual} {manual}}").status()),
              StartsWith("column 11: expected ',' or '}'"));
}

TEST(GspmdShardingProperty, MutatedTextsGiveAnErrorOrASharding) {
  const absl::string_view kTexts[] = {
      "{devices=[2,2,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated} "
      "metadata={op_name=\"a\"} shard_as 1}",
      "{{replicated}, {devices=[2,2]0,3,1,2}, /*index=2*/{maximal device=12}}",
      "{devices=[1000000000,1000000]<=[1000000000,1000000]T(1,0)}",
  };
  RandomShardings random(/*seed=*/6);
  int64_t read = 0;
  for (int i = 0; i < 40000; ++i) {
    const std::string text = Mutated(kTexts[random.Below(3)], random);
    const auto shardings = GspmdSharding::ParseTuple(text);
    if (!shardings.ok()) {
      InvalidArgument(shardings.status());
      continue;
    }
    ++read;
    EXPECT_EQ(*GspmdSharding::ParseTuple(GspmdTupleText(*shardings)),
              *shardings)
        << text;
  }
  EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace lockstep::internal
