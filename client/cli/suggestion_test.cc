#include "client/cli/suggestion.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(SuggestionTest, EditDistanceCountsTheFourKindsOfEdits) {
  EXPECT_EQ(EditDistance("", ""), 0);
  EXPECT_EQ(EditDistance("", "abc"), 3);
  EXPECT_EQ(EditDistance("status", "status"), 0);
  EXPECT_EQ(EditDistance("status", "sttus"), 1);
  EXPECT_EQ(EditDistance("status", "statuss"), 1);
  EXPECT_EQ(EditDistance("status", "stutus"), 1);
  EXPECT_EQ(EditDistance("status", "stauts"), 1);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3);
}

TEST(SuggestionTest, NearestWordIsNearOrNone) {
  std::vector<std::string> words = {"up", "down", "status"};
  EXPECT_EQ(NearestWord("stauts", words), "status");
  EXPECT_EQ(NearestWord("dwon", words), "down");
  EXPECT_EQ(NearestWord("xyz", words), "");
  EXPECT_EQ(NearestWord("", words), "");
  EXPECT_EQ(NearestWord("up", {}), "");
}

}  // namespace
}  // namespace lockstep::internal
