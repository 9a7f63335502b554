// M-16: Slurm's lists of nodes, and of how many tasks each has.
#include "client/host/launcher/node_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(NodeListTest, BracketsAreRangesAsWideAsTheirFirstNumber) {
  EXPECT_THAT(*ExpandNodeList("gpu[01-03,07],login1"),
              ElementsAre("gpu01", "gpu02", "gpu03", "gpu07", "login1"));
  EXPECT_THAT(*ExpandNodeList("n[8-11]"),
              ElementsAre("n8", "n9", "n10", "n11"));
  EXPECT_THAT(*ExpandNodeList("n[098-101]"),
              ElementsAre("n098", "n099", "n100", "n101"));
  EXPECT_THAT(*ExpandNodeList("n[01-03,7],m5"),
              ElementsAre("n01", "n02", "n03", "n7", "m5"));
  EXPECT_THAT(*ExpandNodeList("gpu-a.example"), ElementsAre("gpu-a.example"));
  EXPECT_THAT(*ExpandNodeList("n[18446744073709551614-18446744073709551615]"),
              ElementsAre("n18446744073709551614", "n18446744073709551615"));
}

TEST(NodeListTest, OfSeveralBracketsTheLastVariesFastest) {
  EXPECT_THAT(*ExpandNodeList("rack[0-1]n[0-1]"),
              ElementsAre("rack0n0", "rack0n1", "rack1n0", "rack1n1"));
  EXPECT_THAT(*ExpandNodeList("r[1-2]x[3]-ib"),
              ElementsAre("r1x3-ib", "r2x3-ib"));
}

TEST(NodeListTest, ListsOfAMillionNodesAreExpandedAndLongerOnesAreErrors) {
  EXPECT_THAT(*ExpandNodeList("n[000000-999999]"), SizeIs(1000000));
  for (const char* list :
       {"n[0-18446744073709551615]", "n[0-999999]m[0-999999]",
        "a[0-999999],b[0-999999]"}) {
    EXPECT_THAT(std::string(ExpandNodeList(list).status().message()),
                HasSubstr("nodes"));
  }
}

TEST(NodeListTest, MalformedListsAreErrorsThatSayWhere) {
  const struct {
    const char* list;
    const char* expected;
  } cases[] = {
      {"", "a name between commas"},
      {"a,,b", "a name between commas"},
      {"a,", "a name between commas"},
      {"n[1-2", "a ] for each [, found '1-2'"},
      {"n1]", "a [ for each ], found ']'"},
      {"n[]", "in brackets, found ''"},
      {"n[3-1]", "found '3-1'"},
      {"n[1-]", "found '1-'"},
      {"n[-1]", "found '-1'"},
      {"n[1-2-3]", "found '1-2-3'"},
      {"n[a-b]", "found 'a-b'"},
      {"n[1,]", "found ''"},
      {"n[[1]]", "found '[1'"},
  };
  for (const auto& c : cases) {
    const absl::Status status = ExpandNodeList(c.list).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.list;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.expected)) << c.list;
  }
}

TEST(NodeListTest, TasksPerNodeAreRepeated) {
  EXPECT_THAT(*ExpandTasksPerNode("4(x2),2"), ElementsAre(4, 4, 2));
  EXPECT_THAT(*ExpandTasksPerNode("1(x4)"), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(*ExpandTasksPerNode("2"), ElementsAre(2));
  EXPECT_THAT(*ExpandTasksPerNode("3,1(x1),12"), ElementsAre(3, 1, 12));
}

TEST(NodeListTest, MalformedTasksPerNodeAreErrors) {
  for (const char* list : {"", "x", "4(", "4(2)", "4(x)", "4(x0)", "4(x2", "4,",
                           "-4", "4(x-1)", "4(x2)2", "1(x99999999999)"}) {
    EXPECT_EQ(ExpandTasksPerNode(list).status().code(),
              absl::StatusCode::kInvalidArgument)
        << list;
  }
}

}  // namespace
}  // namespace lockstep::internal
