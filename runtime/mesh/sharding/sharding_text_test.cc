// Y-3 of docs/behaviour/shardings.md.
#include "runtime/mesh/sharding/sharding_text.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_verifier.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string Printed(absl::string_view text) {
  const auto sharding = ParseSdySharding(text);
  return sharding.ok() ? ToSdyString(*sharding)
                       : std::string(sharding.status().message());
}

std::string PrintedMesh(absl::string_view text) {
  const auto mesh = ParseSdyMesh(text);
  return mesh.ok() ? mesh->ToString() : std::string(mesh.status().message());
}

TEST(ParseSdyMesh, ReadsWhatIsPrinted) {
  for (const absl::string_view text : {
           R"(<["data"=4, "model"=2]>)",
           R"(<["a"=3, "b"=2], device_ids=[0, 2, 4, 1, 3, 5]>)",
           "<[], device_ids=[3]>",
           "<[]>",
           R"(<["a"=1000000000000000000]>)",
           R"(<["a\22\\\0A"=2]>)",
       }) {
    EXPECT_EQ(PrintedMesh(text), text);
  }
}

TEST(ParseSdyMesh, ReadsOtherForms) {
  EXPECT_EQ(
      PrintedMesh(R"( #sdy.mesh<[ "a" = 2,"b"=2 ],device_ids=[0,1,2,3]> )"),
      R"(<["a"=2, "b"=2]>)");
  EXPECT_EQ(PrintedMesh(R"(<["a"=2], device_ids=[]>)"), R"(<["a"=2]>)");
}

TEST(ParseSdyMesh, NamesColumnAndProblem) {
  EXPECT_THAT(PrintedMesh(R"(<["a"=2, "b"]>)"),
              AllOf(StartsWith("column 13: "), HasSubstr("expected '='")));
  EXPECT_THAT(PrintedMesh(R"(<["a"=2, "a"=4]>)"),
              AllOf(StartsWith("column 1: "), HasSubstr("'a' occurs twice")));
  EXPECT_THAT(PrintedMesh(R"(<["a"=0]>)"),
              AllOf(HasSubstr("'a'"), HasSubstr("below 1"), HasSubstr("0")));
  EXPECT_THAT(PrintedMesh(R"(<["a"=2, "b"=2], device_ids=[0, 1, 2, 3, 4, 5]>)"),
              AllOf(HasSubstr("4 devices"), HasSubstr("6 device ids")));
  EXPECT_THAT(PrintedMesh(R"(<["a"=2], device_ids=[1, 1]>)"),
              HasSubstr("[1, 1]"));
  EXPECT_THAT(PrintedMesh(R"(<["a"=99999999999999999999]>)"),
              AllOf(StartsWith("column 7: "), HasSubstr("64 bits")));
  EXPECT_THAT(PrintedMesh(R"(<["a"=9000000000000000000, "b"=3]>)"),
              HasSubstr("more devices than 64 bits count"));
  EXPECT_THAT(PrintedMesh(R"(<["a"=2]> x)"), StartsWith("column 11: "));
  EXPECT_THAT(PrintedMesh(R"(<["a)"), HasSubstr("quotes are not closed"));
}

TEST(ParseSdySharding, ReadsWhatIsPrinted) {
  for (const absl::string_view text : {
           R"(<@mesh, [{"a", "b"}, {"a", ?}, {?}, {}]>)",
           R"(<@mesh, [{"x"}p1, {"x":(2)2, ?}p10, {?}p0]>)",
           R"(<@mesh, [{}], replicated={"y"}>)",
           R"(<@mesh, [{}], unreduced={"y", "z"}>)",
           R"(<@mesh, [], replicated={"y"}, unreduced=max{"z"}>)",
           R"(<@mesh, [], replicated={"y"}, unreduced=min{"z":(1)2}>)",
           R"(<@"a mesh", []>)",
           R"(<mesh<["a"=2], device_ids=[1, 0]>, [{"a"}]>)",
           R"(<mesh<[], device_ids=[5]>, []>)",
           R"(<@mesh, [{"a":(-1)2}]>)",
       }) {
    EXPECT_EQ(Printed(text), text);
    EXPECT_EQ(Printed(absl::StrCat("#sdy.sharding", text)), text);
  }
}

TEST(ParseSdySharding, ReadsOtherForms) {
  EXPECT_EQ(Printed(R"( <@m,[{"x",?} , { "y" : ( 2 ) 2 , "z" ? }p3 ]> )"),
            R"(<@m, [{"x", ?}, {"y":(2)2, "z", ?}p3]>)");
  EXPECT_EQ(Printed(R"(<@m, [], unreduced {"x"}>)"),
            R"(<@m, [], unreduced={"x"}>)");
  EXPECT_EQ(Printed(R"(<@m, [], unreduced = sum {"x"}>)"),
            R"(<@m, [], unreduced={"x"}>)");
  EXPECT_EQ(Printed(R"(<@m, [], unreduced=max{"x"}, replicated={"y"}>)"),
            R"(<@m, [], replicated={"y"}, unreduced=max{"x"}>)");
  EXPECT_EQ(Printed("<@m, [], replicated={}, unreduced=max{}>"), "<@m, []>");
  EXPECT_EQ(*ParseSdySharding("<@m, [], unreduced=max{}>"),
            *ParseSdySharding("<@m, []>"));
}

TEST(ParseSdySharding, NamesColumnAndProblem) {
  const struct {
    absl::string_view text;
    absl::string_view error;
  } kCases[] = {
      {"", "column 1: expected '<', found the end of the text"},
      {"@m", "column 1: expected '<', found '@m'"},
      {"<m, []>", "column 2: expected '@' and the name of a mesh, or 'mesh'"},
      {"<@, []>", "column 3: expected the name of a symbol"},
      {"<@m []>", "column 5: expected ',', found '[]>'"},
      {"<@m, [{x}]>", "column 8: expected an axis, '?' or '}', found 'x}]>'"},
      {R"(<@m, [{"x", }]>)", "column 13: expected a name in quotes"},
      {R"(<@m, [{"x"}p]>)", "column 13: expected the digits of a priority"},
      {R"(<@m, [{"x"}p01]>)", "column 13: expected a number without leading"},
      {R"(<@m, [{"x"}p-1]>)", "column 13: expected the digits of a priority"},
      {R"(<@m, [{"x"}p99999999999999999999]>)",
       "column 13: expected a number of 64 bits"},
      {R"(<@m, [{"x":(a)2}]>)", "column 13: expected a number, found 'a)2}]>'"},
      {R"(<@m, [{?, "x"}]>)", "column 9: expected '}'"},
      {"<@m, [{}>", "column 9: expected ',' or ']', found '>'"},
      {"<@m, [], replicated={}, replicated={}>", "column 25: expected"},
      {"<@m, [], foo={}>", "column 10: expected 'replicated' or 'unreduced'"},
      {"<@m, []", "column 8: expected '>', found the end of the text"},
      {"<@m, []>>", "column 9: expected the end of the text, found '>'"},
      {R"(<@m, [{"\2"}]>)", "column 9: expected two hexadecimal digits"},
      {"<mesh<[\"a\"=0]>, []>", "column 6: mesh axis 'a' has a size below 1"},
  };
  for (const auto& [text, error] : kCases) {
    EXPECT_THAT(InvalidArgument(ParseSdySharding(text).status()),
                StartsWith(std::string(error)))
        << text;
  }
}

TEST(ParseSdySharding, ReadsNamesAsTheStringsOfPrograms) {
  const auto sharding = ParseSdySharding(R"(<@m, [{"a\tb\n\41\\"}]>)");
  ASSERT_TRUE(sharding.ok()) << sharding.status();
  EXPECT_EQ(sharding->dims[0].axes[0].name(), "a\tb\nA\\");
}

TEST(ParseSdyShardingPerValue, ReadsAListOfShardings) {
  const absl::string_view text =
      R"(<[<@m, [{"x"}]>, <@m, [], replicated={"y"}>]>)";
  const auto shardings = ParseSdyShardingPerValue(text);
  ASSERT_EQ(shardings->size(), 2u);
  EXPECT_EQ(ToSdyString(*shardings), text);
  EXPECT_EQ(ToSdyAttribute(*shardings),
            absl::StrCat("#sdy.sharding_per_value", text));
  EXPECT_EQ(*ParseSdyShardingPerValue(ToSdyAttribute(*shardings)), *shardings);
  EXPECT_THAT(*ParseSdyShardingPerValue("<[]>"), IsEmpty());
  EXPECT_EQ(ToSdyString(std::vector<TensorSharding>()), "<[]>");
  EXPECT_THAT(InvalidArgument(ParseSdyShardingPerValue("<[<@m, []]>").status()),
              StartsWith("column 10: expected '>'"));
}

TEST(SdyTextProperty, RandomShardingsSurviveARoundTrip) {
  RandomShardings random(/*seed=*/2);
  for (int i = 0; i < 2000; ++i) {
    const ShardingMesh mesh = random.Mesh();
    EXPECT_EQ(*ParseSdyMesh(mesh.ToString()), mesh);
    TensorSharding sharding = random.Sharding(mesh, random.Below(5));
    if (random.Below(2) == 0) sharding.mesh = mesh;
    if (!sharding.unreduced.empty()) {
      sharding.reduction = static_cast<UnreducedKind>(random.Below(3));
    }
    EXPECT_EQ(*ParseSdySharding(ToSdyString(sharding)), sharding);
    EXPECT_EQ(*ParseSdySharding(ToSdyAttribute(sharding)), sharding);
  }
}

// What is read is verified too, and what is valid has a shape.
TEST(SdyTextProperty, MutatedTextsGiveAnErrorOrASharding) {
  const absl::string_view kTexts[] = {
      R"(#sdy.sharding<mesh<["a"=8, "b"=2]>, [{"a":(2)2, ?}p1, {"b"}], )"
      R"(replicated={"a":(4)2}, unreduced=max{"a":(1)2}>)",
      R"(<@mesh, [{"a\22", "b":(1)2}, {?}p3, {}], unreduced {"c"}>)",
      R"(#sdy.sharding_per_value<[<@m, [{"x"}]>, <@"m n", []>]>)",
      R"(<mesh<["a"=1000000000000000000]>, [{"a":(1000000000)1000000}]>)",
  };
  RandomShardings random(/*seed=*/3);
  int64_t read = 0;
  for (int i = 0; i < 40000; ++i) {
    const std::string text = Mutated(kTexts[random.Below(4)], random);
    ParseSdyMesh(text).IgnoreError();
    ParseSdyShardingPerValue(text).IgnoreError();
    const auto sharding = ParseSdySharding(text);
    if (!sharding.ok()) {
      InvalidArgument(sharding.status());
      continue;
    }
    ++read;
    EXPECT_EQ(*ParseSdySharding(ToSdyString(*sharding)), *sharding) << text;
    const auto mesh = MeshOfSharding(*sharding, MeshTable());
    if (!mesh.ok() || !VerifySharding(*sharding, **mesh).ok()) continue;
    const std::vector<int64_t> shape(sharding->rank(), 1000);
    EXPECT_TRUE(LocalShape(*sharding, **mesh, shape).ok()) << text;
  }
  EXPECT_GT(read, 100);
}

TEST(SdyAxisLists, ArePrintedAsTheyAreRead) {
  for (const char* text : {"[]", "[{}]", R"([{"x", "y":(2)2}, {}, {"z"}])"}) {
    const auto lists = ParseSdyAxisLists(text);
    ASSERT_TRUE(lists.ok()) << lists.status();
    EXPECT_EQ(ToSdyString(*lists), text);
  }
  EXPECT_EQ(ParseSdyAxisLists(R"([{"x"}, "y"])").status().message(),
            R"(column 9: expected '{', found '"y"]')");
}

TEST(SdyAxesMoves, ArePrintedAsTheyAreRead) {
  for (const char* text :
       {"[]", R"([{"x"}: 0->2, {"y":(2)2, "z"}: 1->3])", R"([{"x"}: 0->-1])"}) {
    const auto moves = ParseSdyAxesMoves(text);
    ASSERT_TRUE(moves.ok()) << moves.status();
    EXPECT_EQ(ToSdyString(*moves), text);
  }
  EXPECT_EQ(ParseSdyAxesMoves(R"([{"x"}: 0])").status().message(),
            "column 10: expected '->', found ']'");
}

}  // namespace
}  // namespace lockstep::internal
